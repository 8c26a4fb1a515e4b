"""The house's settings as a form."""

from collections.abc import Callable, Iterator
from typing import Any

from django import forms
from django.conf import settings
from django.forms.boundfield import BoundField
from django.utils.translation import gettext, gettext_lazy

from exams.house_office.logo import MAX_BYTES, MAX_SIDE, redrawn
from exams.house_office.services import (
    MAX_SIGNATORIES,
    Policy,
    Signatory,
    longest_kept,
    verify_days,
    verify_second_factor,
)
from training.house.models import House
from training.house.selectors import languages
from training.people.models import User
from training.people.request import language_name
from training.platform.errors import Unfit

MAX_NAME = 80  # characters; at most this fits on a certificate together with all regulations
LANGUAGES = [code for code, _name in settings.LANGUAGES]


def _verify(ask: Callable[[], object]) -> None:
    """Turn a service's refusal into a form error, so it is shown with all others."""
    try:
        ask()
    except Unfit as unfit:
        raise forms.ValidationError(str(unfit)) from None


class HouseForm(forms.Form):
    status = 422  # HTTP status if something is wrong
    # A signatory needs a title in every language of the house; without a name there is no title.
    unmarked = tuple(f"title_{place}_{code}" for place in range(1, MAX_SIGNATORIES + 1) for code in LANGUAGES)
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=MAX_NAME,
        help_text=gettext_lazy("As it appears at the head of certificates and at the foot of e-mails."),
    )
    legal_name = forms.CharField(
        label=gettext_lazy("Legal name"),
        max_length=2 * MAX_NAME,
        required=False,
        help_text=gettext_lazy("With what the companies register requires; printed at the foot of certificates."),
    )
    logo = forms.FileField(
        label=gettext_lazy("Logo or seal"),
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/png"}),
    )
    without_logo = forms.BooleanField(label=gettext_lazy("Stop printing the logo"), required=False)
    languages = forms.MultipleChoiceField(
        label=gettext_lazy("Languages"),
        choices=settings.LANGUAGES,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "The languages in which people read the platform and get their e-mails. Whoever reads in one that "
            "you remove gets the first of the rest. Pages open to the public, such as the check of a "
            "certificate, stay in all of them."
        ),
    )
    second_factor = forms.BooleanField(
        label=gettext_lazy("Require two-step verification of instructors, human resources and administrators"),
        required=False,
        help_text=gettext_lazy("Whoever does not have it sees only how to set it up, from the next page on."),
    )
    practice_kept_days = forms.IntegerField(
        label=gettext_lazy("Days for which the practice of people who left is kept"),
        required=False,
        widget=forms.NumberInput(attrs={"min": 1}),
    )

    def __init__(self, *args: Any, house: House, by: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.house, self.by = house, by
        self.initial = {
            "name": house.name,
            "legal_name": house.legal_name,
            "languages": [code for code, _name in languages(house)],
            "second_factor": house.second_factor or settings.SECOND_FACTOR_REQUIRED,
            "practice_kept_days": house.practice_kept_days,
        }
        self._apply_operator_settings()
        message = gettext(
            "A PNG image, preferably with a transparent background; at most %(size)d KB, and %(side)d pixels wide and "
            "high."
        )
        self.fields["logo"].help_text = message % {"size": MAX_BYTES // 1024, "side": MAX_SIDE}
        if house.logo_id is None:
            del self.fields["without_logo"]
        for place in range(1, MAX_SIGNATORIES + 1):
            self._add_signatory(place)

    def _apply_operator_settings(self) -> None:
        """Explain what the operator has fixed, and disable those fields."""
        if settings.SECOND_FACTOR_REQUIRED:
            self.fields["second_factor"].disabled = True
            self.fields["second_factor"].help_text = gettext("Required by whoever operates Sabot here.")
        days, longest = settings.PRACTICE_KEPT_DAYS, {"longest": longest_kept()}
        self.fields["practice_kept_days"].help_text = (
            gettext(
                "Counted from the last day at work; then it is deleted overnight, for good. At most %(longest)d "
                "days. Empty: until the person is erased."
            )
            if days is None
            else gettext(
                "Counted from the last day at work; then it is deleted overnight, for good. Whoever operates "
                "Sabot here keeps it for %(longest)d days; that applies if you leave this empty, and you may "
                "set fewer."
            )
        ) % longest

    def _add_signatory(self, place: int) -> None:
        kept = self.house.signatories[place - 1] if place <= len(self.house.signatories) else {}
        label = gettext("Name of signatory %(place)d") % {"place": place}
        self.fields[f"signatory_{place}"] = forms.CharField(label=label, max_length=MAX_NAME, required=False)
        self.initial[f"signatory_{place}"] = kept.get("name", "")
        for code in LANGUAGES:
            label = gettext("Title (%(language)s)") % {"language": language_name(code)}
            self.fields[f"title_{place}_{code}"] = forms.CharField(label=label, max_length=MAX_NAME, required=False)
            self.initial[f"title_{place}_{code}"] = kept.get("titles", {}).get(code, "")

    def own_fields(self) -> list[BoundField]:
        return [self[name] for name in ("name", "legal_name", "logo", "without_logo") if name in self.fields]

    def policy_fields(self) -> list[BoundField]:
        return [self[name] for name in ("languages", "second_factor", "practice_kept_days")]

    def signatory_fields(self) -> Iterator[list[BoundField]]:
        """Yields the fields of each signatory."""
        for place in range(1, MAX_SIGNATORIES + 1):
            yield [self[f"signatory_{place}"], *(self[f"title_{place}_{code}"] for code in LANGUAGES)]

    def clean_logo(self) -> bytes | None:
        upload = self.cleaned_data["logo"]
        if not upload:
            return None
        content: bytes = upload.read(MAX_BYTES + 1)
        try:
            return redrawn(content)
        except Unfit as unfit:
            self.status = unfit.status
            raise forms.ValidationError(str(unfit)) from None

    def clean_second_factor(self) -> bool:
        demanded: bool = self.cleaned_data["second_factor"]
        _verify(lambda: verify_second_factor(demanded, self.by))
        return demanded

    def clean_practice_kept_days(self) -> int | None:
        days: int | None = self.cleaned_data["practice_kept_days"]
        _verify(lambda: verify_days(days))
        return days

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        for place in range(1, MAX_SIGNATORIES + 1):
            name = given.get(f"signatory_{place}")
            for code in LANGUAGES:
                titled = bool(given.get(f"title_{place}_{code}"))
                if (not titled and name and code in given.get("languages", ())) or (titled and not name):
                    self._ask_for(place, code, named=bool(name))
        return given

    def _ask_for(self, place: int, code: str, *, named: bool) -> None:
        if named and f"title_{place}_{code}" not in self.errors:
            self.add_error(
                f"title_{place}_{code}", gettext("Say in what capacity this person signs, in every language.")
            )
        elif not named and f"signatory_{place}" not in self.errors:
            self.add_error(f"signatory_{place}", gettext("Say who signs, or leave the titles empty too."))

    def settings(self) -> dict[str, Any]:
        """The arguments for the service."""
        given = self.cleaned_data
        signatories = [
            Signatory(
                given[f"signatory_{place}"],
                {code: title for code in LANGUAGES if (title := given[f"title_{place}_{code}"])},
            )
            for place in range(1, MAX_SIGNATORIES + 1)
            if given[f"signatory_{place}"]
        ]
        return {
            "name": given["name"],
            "legal_name": given["legal_name"],
            "signatories": signatories,
            "logo": given["logo"],
            "without_logo": given.get("without_logo", False),
            "policy": Policy(
                languages=given["languages"],
                second_factor=self.house.second_factor if settings.SECOND_FACTOR_REQUIRED else given["second_factor"],
                practice_kept_days=given["practice_kept_days"],
            ),
        }
