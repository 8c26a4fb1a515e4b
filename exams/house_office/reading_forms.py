"""Forms for the house's decisions about its rulebooks."""

from typing import Any

from django import forms
from django.utils.formats import number_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from exams.house_office.official_texts import MAX_BYTES, MAX_LETTERS, MAX_PAGES, MAX_SOURCE
from exams.house_office.rulings import MOST_DECIDER, MOST_REASON
from rules_engine.law import Reading

RECORDED = "recorded"


class AdoptForm(forms.Form):
    """`reading` is the open question: how the engine reads it and what other readings it supports."""

    choice = forms.ChoiceField(label=_("How the house reads it"), initial=RECORDED, widget=forms.RadioSelect)
    decided_by = forms.CharField(
        label=_("Who decided"), max_length=MOST_DECIDER, help_text=_("A person or body, e.g. the gaming board.")
    )
    decided_on = forms.DateField(label=_("When"), widget=forms.DateInput(attrs={"type": "date"}))
    reason = forms.CharField(label=_("Why"), max_length=MOST_REASON, widget=forms.Textarea(attrs={"rows": 3}))

    def __init__(self, *args: Any, reading: Reading, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"auto_id": f"{reading.id}-%s"})
        self.fields["choice"].choices = [  # type: ignore[attr-defined]
            (RECORDED, reading.reading),
            *reading.others.items(),
        ]

    def clean_choice(self) -> str:
        """As the service expects it: "" for the recorded reading."""
        given = str(self.cleaned_data["choice"])
        return "" if given == RECORDED else given


class ProcedureForm(forms.Form):
    """`silence` is what the rulebook leaves open, with the decisions a house may adopt."""

    choice = forms.ChoiceField(label=_("What the house does"), widget=forms.RadioSelect)
    words = forms.CharField(
        label=_("In the words of the house"),
        max_length=MOST_REASON,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("As it stands in the house's own manual; shown to trainees."),
    )
    decided_by = forms.CharField(
        label=_("Who decided"), max_length=MOST_DECIDER, help_text=_("A person or body, e.g. the gaming board.")
    )
    decided_on = forms.DateField(label=_("When"), widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(self, *args: Any, silence: Reading, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"auto_id": f"{silence.id}-%s"})
        self.fields["choice"].choices = [  # type: ignore[attr-defined]
            (option, told[:1].upper() + told[1:]) for option, told in silence.others.items()
        ]


class TextForm(forms.Form):
    unmarked = ("file", "text")

    file = forms.FileField(label=_("File"), required=False)
    text = forms.CharField(
        label=_("Or the text itself"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_("Choose a file or paste the text, not both."),
    )
    source = forms.CharField(
        label=_("Where it is from"),
        max_length=MAX_SOURCE,
        help_text=_("Shown beside the wording, e.g. the official journal with its date."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        message = gettext(
            "Plain text, or a PDF that has text and not only images. At most %(size)d MB, %(pages)d pages and "
            "%(letters)s characters."
        )
        limits = {
            "size": MAX_BYTES // 1024**2,
            "pages": MAX_PAGES,
            "letters": number_format(MAX_LETTERS, force_grouping=True),
        }
        self.fields["file"].help_text = message % limits

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not given.get("file") and not (given.get("text") or "").strip() and "file" not in self.errors:
            self.add_error("file", _("Choose a file, or paste the text."))
        return given
