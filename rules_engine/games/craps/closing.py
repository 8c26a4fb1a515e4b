"""The end of the night: when the last series begins, and its announcement. VI 13.3 b."""

from typing import Annotated, ClassVar

from msgspec import Meta

from rules_engine.authoring import Draw, Reasoning, Rulebook, Sentence, Utterance
from rules_engine.games.craps.books import CRAPS
from rules_engine.games.craps.game import case, domain, rule
from rules_engine.games.craps.table import Incident, Situation
from rules_engine.games.layout_bets.setting import table

Minutes = Annotated[int, Meta(ge=0, le=120)]

domain("next_series", "ordinary", "last", "none")


class ClosingNear(Incident, frozen=True, tag="closing_near"):
    """A series is over, `minutes` before the room closes; the last series has not been announced yet."""

    tells: ClassVar = ()

    minutes: Minutes

    def sayable(self, situation: Situation) -> list[Utterance]:
        return [Utterance("last_series")]

    def narration(self) -> list[Sentence]:
        return [(f"incident.closing_near{'_one' if self.minutes == 1 else ''}", {"minutes": self.minutes})]


@rule(ClosingNear, CRAPS)
def closing_near(s: Situation, incident: ClosingNear, r: Reasoning) -> None:
    last = r.book.number("last_series_minutes")
    if incident.minutes > last:
        r.pivot("VI 13.3 b", "series_not_last", minutes=incident.minutes, last=last)
        r.choice("next_series", "ordinary")
        return
    if incident.minutes == last:
        r.pivot("VI 13.3 b", "series_last", last=last)
        r.choice("next_series", "last")
        r.words("last_series")
        return
    r.step("VI 13.3 b", "series_last", last=last)
    still = r.book.reads("VI13b", "still_last")
    r.pivot("VI 13.3 b-late", "series_late_last" if still else "series_too_late", minutes=incident.minutes)
    r.choice("next_series", "last" if still else "none")
    if still:
        r.words("last_series")


@case("announcing", {CRAPS: ("VI 13.3 b",)})
def last_series(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: far from the limit. Hard: shortly before it, or at it."""
    last = book.number("last_series_minutes")
    before = draw.pick((30, 20, 15, 10) if difficulty <= 2 else (last + 1, last + 2, last + 5))
    minutes = last if draw.chance(0.6) else before
    return Situation(**table(draw, book, difficulty), incident=ClosingNear(minutes=minutes))


@case("announcing", {CRAPS: ("VI 13.3 b-late",)})
def after_the_last_series(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    last = book.number("last_series_minutes")
    """Shortly before the limit, or at it or just after it."""
    minutes = draw.pick((last - 1, last - 2, last, last + 1)) if difficulty >= 3 else draw.pick((1, last, last + 5))
    return Situation(**table(draw, book, difficulty), incident=ClosingNear(minutes=minutes))
