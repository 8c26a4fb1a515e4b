"""The practical part of a programme in words."""

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from exams.programmes.practical_part import CALLS, CONDUCT, NOTICED, PAYMENTS, RULED, Practical
from rules_engine.narration import book_name, topic_name
from training.live_table.models import Rung
from training.people.request import language

PRACTICAL_PARTS: dict[str, str | Promise] = {
    NOTICED: gettext_lazy("Faults noticed"),
    RULED: gettext_lazy("Rulings on the faults"),
    CALLS: gettext_lazy("Calls and acts"),
    PAYMENTS: gettext_lazy("Payments"),
    CONDUCT: gettext_lazy("Conduct"),
}
HELD = {
    "screen": gettext_lazy("On screen, at a running table"),
    "table": gettext_lazy("At a real table, with two examiners"),
}
ORDER = {
    "any": gettext_lazy("In any order"),
    "theory_first": gettext_lazy("Theory first"),
    "practice_first": gettext_lazy("Practical exam first"),
}


def rows(part: Practical) -> dict[str, tuple[str, str]]:
    """Each rule of the practical part as its label and text."""
    book = part.rulebook
    faults = ", ".join(f"{topic_name(book, line.topic, language())}: {_faults(line.count)}" for line in part.faults)
    critical = ", ".join(topic_name(book, line.topic, language()) for line in part.faults if line.critical)
    worth = ", ".join(f"{PRACTICAL_PARTS[key]} {points}" for key, points in part.weights.items() if points)
    coups = ngettext("%(count)d coup", "%(count)d coups", part.coups) % {"count": part.coups}
    minutes = ngettext("%(count)d minute", "%(count)d minutes", part.minutes) % {"count": part.minutes}
    days = ngettext("%(count)d day", "%(count)d days", part.within_days) % {"count": part.within_days}
    together = _("both sat within %(days)s") % {"days": days}
    found = {
        "held": (_("Held"), str(HELD[part.held])),
        "table": (_("Table"), f"{book_name(book, language())}, {part.table.name}, {Rung(part.rung).label}"),
        "length": (_("Length"), f"{coups}, {minutes}"),
        "faults": (_("Hidden faults"), faults),
        "marks": (_("Points"), worth),
        "false_alarm": (_("Stopping without a fault costs"), _points(part.false_alarm)),
        "pass_mark": (_("To pass"), _("At least %(percent)d%% of the points") % {"percent": part.pass_mark}),
        "critical": (_("Critical faults"), _critical(part, critical)),
        "order": (_("Theory and practice"), f"{ORDER[part.order]}; {together}"),
    }
    if part.held == "screen":
        found["pace"] = (_("Pace"), _("%(seconds)d s from one event to the next") % {"seconds": part.pace})
    if part.conduct_list and part.held == "table":
        found["conduct"] = (_("Conduct"), "; ".join(part.conduct_list))
    return found


def _faults(count: int) -> str:
    return ngettext("%(count)d fault", "%(count)d faults", count) % {"count": count}


def _points(count: int) -> str:
    return ngettext("%(count)d point", "%(count)d points", count) % {"count": count}


def _critical(part: Practical, topics: str) -> str:
    if part.critical_allowed is None or not topics:
        return _("A missed fault costs its points and does not fail the exam by itself")
    text = ngettext(
        "%(topics)s: missing more than %(count)d fails the exam",
        "%(topics)s: missing more than %(count)d fails the exam",
        part.critical_allowed,
    )
    return text % {"topics": topics, "count": part.critical_allowed}
