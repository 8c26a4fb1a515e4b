"""Forms to choose a topic to practise and to set the study plan."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from rules_engine.narration import book_name, books_by_game, table_name
from training.house import tables
from training.library.forms import LEVELS
from training.mastery.models import StudyPlan
from training.people.models import User
from training.platform.rulebook_choices import RulebookBoxes, topic_choices
from training.practice.next_drill import Study


class PracticeForm(forms.Form):
    """A topic and a difficulty."""

    topic = forms.ChoiceField(label=_("Topic"))
    difficulty = forms.TypedChoiceField(label=_("Difficulty"), choices=LEVELS, coerce=int, initial=2)

    def __init__(self, *args: Any, language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["topic"].choices = topic_choices(language)  # type: ignore[attr-defined]


class TablesForm(forms.Form):
    """The table at which a trainee practises each rulebook of their plan."""

    def __init__(self, data: Any = None, *, trainee: User, study: Study, language: str) -> None:
        super().__init__(data, auto_id="table_%s")
        chosen = tables.chosen(trainee.pk, study.rulebooks)
        for book, listed in tables.listed_by_book(study.rulebooks).items():
            used = [(one.key, table_name(one.table, language)) for one in tables.used(listed)]
            self.fields[book] = forms.ChoiceField(
                label=book_name(book, language),
                required=False,
                choices=[("", _("Any table of the house")), *used],
                initial=chosen.get(book, ""),
            )


class StudyForm(forms.Form):
    """A trainee's own minutes and rulebooks. Empty fields mean the setting of the class or the house."""

    daily_minutes = forms.IntegerField(label=_("Minutes a day"), required=False, min_value=5, max_value=120)
    rulebooks = forms.MultipleChoiceField(label=_("Rulebooks"), required=False, widget=RulebookBoxes)

    def __init__(self, *args: Any, plan: StudyPlan, study: Study, language: str, **kwargs: Any) -> None:
        kwargs["initial"] = {"daily_minutes": plan.daily_minutes, "rulebooks": plan.rulebooks}
        super().__init__(*args, **kwargs)
        self.fields["rulebooks"].choices = books_by_game(language)  # type: ignore[attr-defined]
        self.fields["daily_minutes"].help_text = _("From 5 to 120. Now in force: %(minutes)d.") % {
            "minutes": study.minutes
        }
        self.fields["rulebooks"].help_text = _("Now in force: %(books)s.") % {
            "books": ", ".join(book_name(book, language) for book in study.rulebooks)
        }
