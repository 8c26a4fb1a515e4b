"""What a trainee can ask for: a topic to practise, a way to study, a part of the history."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from rules_engine.narration import book_name, books_by_game
from training.mastery.models import StudyPlan
from training.platform.rulebook_choices import RulebookBoxes, topic_choices
from training.practice.next_drill import Study


class PracticeForm(forms.Form):
    """What to practise: one of the engine's topics, and how hard."""

    topic = forms.ChoiceField(label=_("Topic"))
    difficulty = forms.TypedChoiceField(
        label=_("Difficulty"),
        choices=[
            (1, _("1 · first steps")),
            (2, _("2 · an ordinary evening")),
            (3, _("3 · the finer points")),
            (4, _("4 · a full table")),
            (5, _("5 · everything at once")),
        ],
        coerce=int,
        initial=2,
    )

    def __init__(self, *args: Any, language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["topic"].choices = topic_choices(language)  # type: ignore[attr-defined]


class StudyForm(forms.Form):
    """A trainee's own minutes and rulebooks; what is left empty is as the class or the house has it."""

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
