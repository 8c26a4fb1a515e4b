"""Forms for instructors' classes."""

from datetime import datetime, time
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

import rules_engine
from rules_engine.narration import book_name, books_by_game, table_name
from training.classes.enrolment import MAX_BYTES, MAX_ROWS
from training.classes.models import Assignment, TrainingClass
from training.classes.selectors import Kind
from training.classes.services import MOST_SET
from training.house import tables
from training.library.forms import LEVELS
from training.platform.rulebook_choices import RulebookBoxes, TableBoxes, topic_choices

FRESH_ROWS = 3


class ClassForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=120,
        help_text=gettext_lazy("As the trainees will read it, e.g. Chemin de fer, autumn"),
    )
    rulebooks = forms.MultipleChoiceField(
        label=gettext_lazy("Rulebooks"),
        widget=RulebookBoxes,
        error_messages={"required": gettext_lazy("Choose at least one rulebook.")},
    )
    daily_minutes = forms.IntegerField(
        label=gettext_lazy("Minutes of practice a day"),
        min_value=5,
        max_value=120,
        initial=10,
        help_text=gettext_lazy("From 5 to 120; a trainee may choose otherwise."),
    )

    tables = forms.MultipleChoiceField(
        label=gettext_lazy("Tables"),
        required=False,
        widget=TableBoxes,
        help_text=gettext_lazy("Where the class practises; all tables of the house if you choose none."),
    )

    def __init__(self, *args: Any, language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["rulebooks"].choices = books_by_game(language)  # type: ignore[attr-defined]
        self.fields["tables"].choices = [  # type: ignore[attr-defined]
            (
                book_name(book, language),
                [(f"{book}/{one.key}", table_name(one.table, language)) for one in tables.used(listed)],
            )
            for book, listed in tables.listed_by_book(rules_engine.RULEBOOKS).items()
        ]

    @staticmethod
    def facts(training_class: TrainingClass) -> dict[str, Any]:
        return {name: getattr(training_class, name) for name in ("name", "rulebooks", "daily_minutes", "tables")}


class DueForm(forms.Form):
    due = forms.DateField(
        label=gettext_lazy("To be done by the end of"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    def clean_due(self) -> datetime:
        """The last minute of that day, in the instructor's time zone."""
        due = timezone.make_aware(datetime.combine(self.cleaned_data["due"], time(23, 59)))
        if due <= timezone.now():
            raise forms.ValidationError(gettext("The date must be in the future."))
        return due


class AssignmentForm(DueForm):
    title = forms.CharField(label=gettext_lazy("Title"), max_length=Assignment._meta.get_field("title").max_length)
    field_order = ["title", "due"]


class FreshForm(forms.Form):
    """One kind of scenario to generate; without a topic it is ignored."""

    topic = forms.ChoiceField(label=gettext_lazy("Topic"), required=False)
    difficulty = forms.TypedChoiceField(label=gettext_lazy("Difficulty"), choices=LEVELS, coerce=int, initial=2)
    count = forms.IntegerField(label=gettext_lazy("How many"), min_value=1, max_value=MOST_SET, initial=5)

    def __init__(self, *args: Any, language: str, rulebooks: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        groups = topic_choices(language, rulebooks)
        self.fields["topic"].choices = [("", gettext("None")), *groups]  # type: ignore[attr-defined]

    def chosen(self) -> tuple[Kind, int] | None:
        data = self.cleaned_data
        if not data["topic"]:
            return None
        rulebook, _slash, topic = data["topic"].partition("/")
        # Some topics have fewer than five levels: use the nearest they have.
        level = rules_engine.rulebook(rulebook).game.level(topic, data["difficulty"])
        return Kind(rulebook, topic, level), data["count"]


class ListForm(forms.Form):
    """A list to enrol: a file, or its text, so that wrong rows can be corrected on the page."""

    file = forms.FileField(
        label=gettext_lazy("CSV file"),
        required=False,
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,text/csv"}),
    )
    text = forms.CharField(
        label=gettext_lazy("Or the list itself"),
        required=False,
        max_length=MAX_BYTES,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "autocomplete": "off"}),
    )
    enter_unknown = forms.BooleanField(
        label=gettext_lazy("Add unknown people as new trainees and send them the e-mail to set a password"),
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        told = gettext("With the columns e-mail and name; at most %(rows)d rows and %(size)d KB.")
        self.fields["file"].help_text = told % {"rows": MAX_ROWS, "size": MAX_BYTES // 1024}
