"""The settings of the house as a form. Further settings are further groups of fields in it."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.conf import settings
from django.forms.boundfield import BoundField
from django.utils.translation import gettext, gettext_lazy

from exams.house.logo import MAX_BYTES
from exams.house.services import MAX_SIGNATORIES, Signatory
from training.house.models import House

MAX_NAME = 80  # letters: with all of them, and all regulations, a certificate still fits on its page
LANGUAGES = [code for code, _name in settings.LANGUAGES]


class HouseForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=MAX_NAME,
        help_text=gettext_lazy("As it stands at the head of certificates and under mails."),
    )
    legal_name = forms.CharField(
        label=gettext_lazy("Legal name"),
        max_length=2 * MAX_NAME,
        required=False,
        help_text=gettext_lazy("With what the register of companies asks for; printed at the foot of certificates."),
    )
    logo = forms.FileField(
        label=gettext_lazy("Logo or seal"),
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/png"}),
        help_text=gettext_lazy("A PNG image, best with a transparent ground, of 256 KB at most."),
    )
    without_logo = forms.BooleanField(label=gettext_lazy("Print no logo any more"), required=False)

    def __init__(self, *args: Any, house: House, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.house = house
        self.initial = {"name": house.name, "legal_name": house.legal_name}
        if house.logo_id is None:
            del self.fields["without_logo"]
        for place in range(1, MAX_SIGNATORIES + 1):
            self._add_signatory(place)

    def _add_signatory(self, place: int) -> None:
        kept = self.house.signatories[place - 1] if place <= len(self.house.signatories) else {}
        label = gettext("Name of signatory %(place)d") % {"place": place}
        self.fields[f"signatory_{place}"] = forms.CharField(label=label, max_length=MAX_NAME, required=False)
        self.initial[f"signatory_{place}"] = kept.get("name", "")
        for code, language in settings.LANGUAGES:
            label = gettext("Title (%(language)s)") % {"language": language}
            self.fields[f"title_{place}_{code}"] = forms.CharField(label=label, max_length=MAX_NAME, required=False)
            self.initial[f"title_{place}_{code}"] = kept.get("titles", {}).get(code, "")

    def own_fields(self) -> list[BoundField]:
        return [self[name] for name in ("name", "legal_name", "logo", "without_logo") if name in self.fields]

    def signatory_fields(self) -> Iterator[list[BoundField]]:
        """The fields of each signatory in turn."""
        for place in range(1, MAX_SIGNATORIES + 1):
            yield [self[f"signatory_{place}"], *(self[f"title_{place}_{code}"] for code in LANGUAGES)]

    def clean_logo(self) -> bytes | None:
        upload = self.cleaned_data["logo"]
        if not upload:
            return None
        content: bytes = upload.read(MAX_BYTES + 1)
        return content

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        for place in range(1, MAX_SIGNATORIES + 1):
            name = given.get(f"signatory_{place}")
            for code in LANGUAGES:
                if bool(name) != bool(given.get(f"title_{place}_{code}")):
                    self._ask_for(place, code, named=bool(name))
        return given

    def _ask_for(self, place: int, code: str, *, named: bool) -> None:
        if named:
            self.add_error(f"title_{place}_{code}", gettext("Say as what this person signs, in every language."))
        elif f"signatory_{place}" not in self.errors:
            self.add_error(f"signatory_{place}", gettext("Say who signs, or leave the titles empty too."))

    def settings(self) -> dict[str, Any]:
        """What the service takes."""
        given = self.cleaned_data
        signatories = [
            Signatory(given[f"signatory_{place}"], {code: given[f"title_{place}_{code}"] for code in LANGUAGES})
            for place in range(1, MAX_SIGNATORIES + 1)
            if given[f"signatory_{place}"]
        ]
        return {
            "name": given["name"],
            "legal_name": given["legal_name"],
            "signatories": signatories,
            "logo": given["logo"],
            "without_logo": given.get("without_logo", False),
        }
