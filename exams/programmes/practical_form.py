"""The fields of a programme's practical part on the editor's sheet."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from exams.programmes import practical_words
from exams.programmes.practical_checks import MOST_COUPS, MOST_DAYS, MOST_MINUTES, kinds_of
from exams.programmes.practical_part import PARTS, FaultLine, Practical
from rules_engine import Table
from rules_engine.narration import book_name, topic_name
from training.live_table import ladder
from training.live_table.models import Rung

LINES = (1, 2, 3, 4)
NUMBERS = ("coups", "pace", "minutes", "pass_mark", "false_alarm", "within_days", *PARTS)
FIRST: dict[str, Any] = {
    "p_rung": Rung.EXAM,
    "p_coups": 20,
    "p_pace": 3,
    "p_minutes": 40,
    "p_pass_mark": 70,
    "p_critical_allowed": 0,
    "p_false_alarm": 2,
    "p_within_days": 180,
    "p_noticed": 40,
    "p_ruled": 20,
    "p_calls": 20,
    "p_payments": 20,
    "p_conduct": 0,
}


def _whole(label: Any, least: int, most: int, **options: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=least, max_value=most, required=False, **options)


class PracticalFields(forms.Form):
    """Mixed into the form of a programme's rules. Nothing is required unless the exam is held."""

    p_held = forms.ChoiceField(
        label=_("Practical exam"), required=False, choices=[("", _("None")), *practical_words.HELD.items()]
    )
    p_rulebook = forms.ChoiceField(label=_("Game"), required=False)
    p_rung = forms.ChoiceField(label=_("Level of the table"), choices=Rung.choices, required=False)
    p_coups = _whole(_("Coups"), 1, MOST_COUPS)
    p_pace = _whole(_("Seconds between events"), 1, 60, help_text=_("On screen only."))
    p_minutes = _whole(_("Minutes of the practical exam"), 1, MOST_MINUTES)
    p_pass_mark = _whole(_("Pass mark of the practical exam, %"), 1, 100)
    p_critical_allowed = _whole(
        _("Critical faults that may be missed"), 0, 50, help_text=_("Empty: they do not fail it by themselves.")
    )
    p_noticed = _whole(_("Points for noticing faults"), 0, 100)
    p_ruled = _whole(_("Points for the rulings"), 0, 100)
    p_calls = _whole(_("Points for calls and acts"), 0, 100)
    p_payments = _whole(_("Points for payments"), 0, 100)
    p_conduct = _whole(_("Points for conduct"), 0, 100, help_text=_("At a real table only."))
    p_false_alarm = _whole(_("Points lost for stopping without a fault"), 0, 100)
    p_conduct_list = forms.CharField(
        label=_("What examiners watch in the candidate’s conduct, one per line"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        max_length=3000,
    )
    p_order = forms.ChoiceField(
        label=_("Theory and practice"), choices=list(practical_words.ORDER.items()), required=False
    )
    p_within_days = _whole(_("Days within which both must be sat"), 1, MOST_DAYS)

    def add_fault_lines(self, language: str) -> None:
        """Fields for a few lines of faults, and the games that can be dealt."""
        books = [book.id for book in ladder.books()]
        self.fields["p_rulebook"].choices = [("", "–"), *((book, book_name(book, language)) for book in books)]  # type: ignore[attr-defined]
        groups = [
            (
                book_name(book, language),
                [(f"{book}/{topic}", topic_name(book, topic, language)) for topic in kinds_of(book)],
            )
            for book in books
        ]
        for line in LINES:
            number = {"number": line}
            self.fields[f"p_topic{line}"] = forms.ChoiceField(
                label=_("Faults %(number)d: topic") % number, choices=[("", "–"), *groups], required=False
            )
            self.fields[f"p_count{line}"] = _whole(_("Faults %(number)d: how many") % number, 1, 50)
            self.fields[f"p_critical{line}"] = forms.BooleanField(
                label=_("Faults %(number)d: missing one is critical") % number, required=False
            )

    @staticmethod
    def practical_fields() -> tuple[str, ...]:
        lines = [f"p_{name}{line}" for line in LINES for name in ("topic", "count", "critical")]
        start = ("p_held", "p_rulebook", "p_rung", "p_coups", "p_pace", "p_minutes")
        marks = ("p_pass_mark", "p_critical_allowed", *(f"p_{part}" for part in PARTS), "p_false_alarm")
        return (*start, *lines, *marks, "p_conduct_list", "p_order", "p_within_days")

    def verify_practical(self) -> None:
        """Every number that a practical exam needs."""
        data = self.cleaned_data
        if not data.get("p_held"):
            return
        for name in (f"p_{number}" for number in NUMBERS):
            if data.get(name) is None and name not in self.errors:
                self.add_error(name, gettext("This field is required."))
        if not data.get("p_rulebook"):
            self.add_error("p_rulebook", gettext("Choose the game of the practical exam."))

    def practical(self, table: Table) -> Practical | None:
        """What was filled in; None if no practical exam is held."""
        data = self.cleaned_data
        if not data["p_held"]:
            return None
        known = kinds_of(data["p_rulebook"])
        lines = []
        for line in LINES:
            book, _slash, topic = data[f"p_topic{line}"].partition("/")
            if topic:
                kinds = known.get(topic, ()) if book == data["p_rulebook"] else ()
                count = data[f"p_count{line}"] or 1
                lines.append(FaultLine(topic=topic, kinds=kinds, count=count, critical=data[f"p_critical{line}"]))
        return Practical(
            held=data["p_held"],
            rulebook=data["p_rulebook"],
            table=table,
            rung=data["p_rung"] or "exam",
            faults=tuple(lines),
            critical_allowed=data["p_critical_allowed"],
            conduct_list=tuple(filter(None, (one.strip() for one in data["p_conduct_list"].splitlines()))),
            order=data["p_order"] or "any",
            **{name: data[f"p_{name}"] for name in NUMBERS},
        )


def filled(part: Practical | None) -> dict[str, Any]:
    """The part as initial form data."""
    if part is None:
        return dict(FIRST)
    found: dict[str, Any] = {
        f"p_{name}": getattr(part, name) for name in (*NUMBERS, "held", "rulebook", "rung", "order")
    }
    found |= {"p_critical_allowed": part.critical_allowed, "p_conduct_list": "\n".join(part.conduct_list)}
    for line, fault in zip(LINES, part.faults, strict=False):
        found |= {
            f"p_topic{line}": f"{part.rulebook}/{fault.topic}",
            f"p_count{line}": fault.count,
            f"p_critical{line}": fault.critical,
        }
    return found
