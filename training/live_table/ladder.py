"""How a session is set up from what the trainee chooses. The faults are never a choice."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rules_engine import GAMES, Rulebook, play
from training.live_table.models import Length, Rung

FAULTS = 0.15  # of the coups
COUPS, MINUTES = 10, 20
HABITS: Mapping[str, play.Habits] = {
    Rung.QUIET: play.Habits(busy=1, chatter=0.3, leaves=0.2),
    Rung.BUSY: play.Habits(busy=4, chatter=0.3, leaves=0.5),
    Rung.BANKER: play.Habits(busy=3, chatter=0.6, complaints=0.8, leaves=0.7),
    Rung.EXAM: play.Habits(busy=4, chatter=0.4, leaves=0.5),
}
OWN_PACE = 0
PACES: Mapping[int, Promise] = {OWN_PACE: _("I say when"), 8: _("Calm"), 5: _("As at the table"), 3: _("Brisk")}
EXAM_PACE = 3  # seconds from one event to the next


def books() -> list[Rulebook]:
    """The regulations that can be dealt at the live table: those of games whose running table can be drawn."""
    return [book for game in GAMES.values() if play.drawable(game) for book in game.books]


def coups_of(book: Rulebook, length: str) -> int:
    """How many coups a session has: a shoe by the cards of the table, some minutes by its usual pace."""
    if length == Length.TIME:
        return max(1, round(book.table.pace * MINUTES / 60))
    cards = play.flow_of(book).cards_a_coup
    if length == Length.SHOE and cards:
        return book.table.packs * 52 // cards
    return COUPS


def pace_of(rung: str, pace: int) -> int:
    return EXAM_PACE if rung == Rung.EXAM else pace
