"""Why a session's forms could not be made, stored as data and described in the reader's language."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules_engine import RULEBOOKS, topics
from rules_engine.narration import book_name, topic_name
from training.people.request import language

Obstacle = dict[str, Any]  # `kind`, and the values for its sentence

FAULT: Obstacle = {"kind": "fault"}
UNEVEN: Obstacle = {"kind": "uneven"}


def too_few(*, rulebook: str, topic: str, difficulty: int, room_for: int) -> Obstacle:
    """`room_for`: for how many candidates the different cases suffice."""
    line = {"rulebook": rulebook, "topic": topic, "difficulty": difficulty}
    return {"kind": "too_few", "room_for": room_for, **line}


def describe(obstacle: Obstacle) -> str:
    if obstacle["kind"] == "too_few" and _is_known(obstacle["rulebook"], obstacle["topic"]):
        told = _("“%(topic)s” (%(rulebook)s, level %(difficulty)d) has too few different cases fit for an exam.") % {
            "topic": topic_name(obstacle["rulebook"], obstacle["topic"], language()),
            "rulebook": book_name(obstacle["rulebook"], language()),
            "difficulty": obstacle["difficulty"],
        }
        room = obstacle.get("room_for", 0)
        return f"{told} {_enough_for(room)}" if room else told
    if obstacle["kind"] == "fault":
        return _("The papers could not be made because of a fault in the platform. It has been logged.")
    if obstacle["kind"] == "uneven_tables":
        return _("The faults of the practical exam cannot all occur in so few coups. Plan fewer faults or more coups.")
    return _("No equally hard papers could be made: the programme has too few questions, or they are too different.")


def _enough_for(room: int) -> str:
    text = ngettext(
        "They are enough for %(count)d candidate. Enter fewer, or have everybody begin at the same time.",
        "They are enough for %(count)d candidates. Enter fewer, or have everybody begin at the same time.",
        room,
    )
    return text % {"count": room}


def _is_known(rulebook: str, topic: str) -> bool:
    """Whether the topic still exists: the log outlives topics removed from a game."""
    return rulebook in RULEBOOKS and topic in topics(rulebook)
