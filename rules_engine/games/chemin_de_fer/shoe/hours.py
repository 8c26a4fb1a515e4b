"""When play stops: closing time, too few players, the inspector's orders.

Portugal 15, 16 and 107; Sanremo 2 s1 and 9.
"""

from typing import Annotated, Any, Literal

from msgspec import Meta

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.setting import money
from rules_engine.games.chemin_de_fer.shoe.moments import check_present, first_shoe, later_shoe
from rules_engine.games.chemin_de_fer.table import SEATS, Incident, Place, Situation

domain("play_ends", "with_shoe", "at_closing")
domain("game", "goes_on", "stops")
domain("shoe_cards", "stay_in_shoe", "spread_face_up")

Clock = Annotated[str, Meta(pattern="^([01][0-9]|2[0-3]):[0-5][0-9]$")]
Order = Literal["raise_minimum", "lower_minimum", "least_stake", "stop"]
DAY = 24 * 60
CLOSINGS = ("00:15", "02:00", "03:00", "03:30", "04:00", "06:00")


class ClosingTime(Incident, frozen=True, tag="closing_time"):
    """It is closing time and the shoe that began at `shoe_began` is not exhausted."""

    closing: Clock
    shoe_began: Clock

    @property
    def minutes(self) -> int:
        return (_minute(self.closing) - _minute(self.shoe_began)) % DAY

    def check(self, situation: Situation) -> None:
        if self.minutes > DAY // 2:
            raise ImpossibleFacts("incident.shoe_began", "no shoe lasts that long")


class PlayersLeave(Incident, frozen=True, tag="players_leave"):
    """In mid-shoe some players get up and give up their seats. `wont_deal` keep theirs but will never take the hand."""

    leaving: tuple[Place, ...]
    wont_deal: tuple[Place, ...] = ()

    def check(self, situation: Situation) -> None:
        check_present(situation, "leaving", self.leaving)
        check_present(situation, "wont_deal", self.wont_deal)
        if situation.banker in self.leaving:
            raise ImpossibleFacts("incident.leaving", "the banker is in his hand")
        if set(self.leaving) & set(self.wont_deal):
            raise ImpossibleFacts("incident.wont_deal", "whoever leaves is not there to take the hand")

    def narration(self) -> list[Sentence]:
        return [("incident.players_leave", {"leaving": self.leaving}), *_told_wont_deal(self.wont_deal)]


class GameToStart(Incident, frozen=True, tag="game_to_start"):
    """The seated players want the game to begin."""

    setting_up = True

    wont_deal: tuple[Place, ...] = ()

    def check(self, situation: Situation) -> None:
        check_present(situation, "wont_deal", self.wont_deal)

    def narration(self) -> list[Sentence]:
        return [("incident.game_to_start", {}), *_told_wont_deal(self.wont_deal)]


class HouseOrders(Incident, frozen=True, tag="house_orders"):
    """In mid-game somebody orders a change, and a player protests."""

    by: Literal["inspector", "croupier", "banker"]
    order: Order
    protest: Place

    def check(self, situation: Situation) -> None:
        check_present(situation, "protest", (self.protest,))

    def narration(self) -> list[Sentence]:
        return [
            (f"incident.house_orders.{self.order}", {"by": self.by}),
            ("incident.house_orders.protest", {"protest": self.protest}),
        ]


def _told_wont_deal(players: tuple[str, ...]) -> list[Sentence]:
    return [("incident.wont_deal", {"players": players})] if players else []


def _minute(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:])


def _clock(minute: int) -> str:
    return f"{minute % DAY // 60:02}:{minute % 60:02}"


@rule(ClosingTime, *PT)
def closing_time_pt(s: Situation, incident: ClosingTime, r: Reasoning) -> None:
    """At least twenty minutes, the text saying only «twenty minutes before» (Q16)."""
    least = r.book.number("closing_extension_minutes")
    early = incident.minutes >= least
    text = "shoe.begun_in_time" if early else "shoe.begun_too_late"
    r.pivot("107", text, minutes=incident.minutes, least=least)
    r.choice("play_ends", "with_shoe" if early else "at_closing", critical=True)


@rule(PlayersLeave, *PT)
def players_leave_pt(s: Situation, incident: PlayersLeave, r: Reasoning) -> None:
    enough = _enough(s, r, "16", gone=incident.leaving)
    if not enough:
        r.pivot("15", "shoe.cards_spread_out")
    r.choice("game", "goes_on" if enough else "stops", critical=True)
    r.choice("shoe_cards", "stay_in_shoe" if enough else "spread_face_up")


@rule(PlayersLeave, SANREMO)
def players_leave_sanremo(s: Situation, incident: PlayersLeave, r: Reasoning) -> None:
    enough = _enough(s, r, "2 s1", gone=(*incident.leaving, *incident.wont_deal))
    r.choice("game", "goes_on" if enough else "stops", critical=True)


@rule(GameToStart, *PT)
def game_to_start_pt(s: Situation, incident: GameToStart, r: Reasoning) -> None:
    r.choice("allowed", "allowed" if _enough(s, r, "16", gone=()) else "refused")


@rule(GameToStart, SANREMO)
def game_to_start_sanremo(s: Situation, incident: GameToStart, r: Reasoning) -> None:
    r.choice("allowed", "allowed" if _enough(s, r, "2 s1", gone=incident.wont_deal) else "refused")


def _enough(s: Situation, r: Reasoning, cite: str, *, gone: tuple[str, ...]) -> bool:
    least, count = r.book.number("min_seated_players"), len({*map(str, s.seats)} - {*gone})
    text = "shoe.enough_who_deal" if r.book.coded_as == SANREMO else "shoe.enough_seated"
    r.pivot(cite, text, least=least, count=count)
    return count >= least


@rule(HouseOrders, SANREMO)
def house_orders_sanremo(s: Situation, incident: HouseOrders, r: Reasoning) -> None:
    inspector = incident.by == "inspector"
    r.pivot("9", "shoe.inspector_orders" if inspector else "shoe.only_inspector_orders")
    r.choice("allowed", "allowed" if inspector else "refused")


@case("shoe", {PT[0]: "107"})
def shoe_at_closing_time(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: within two minutes of the limit."""
    least = book.number("closing_extension_minutes")
    far = (draw.number(3, least - 8), draw.number(least + 10, 70))
    minutes = draw.number(least - 2, least + 2) if difficulty >= 3 else draw.pick((*far, least))
    closing = draw.pick(CLOSINGS)
    incident = ClosingTime(closing=closing, shoe_began=_clock(_minute(closing) - minutes))
    return Situation(**later_shoe(draw, book, difficulty), incident=incident)


def _few(draw: Draw, book: Rulebook, difficulty: int, *, remain: int) -> Situation:
    """So many remain who count; harder, at Sanremo: one more sits there who will not deal."""
    idle = 1 if book.coded_as == SANREMO and difficulty >= 3 and draw.chance(0.7) else 0
    count = remain + idle + draw.number(1, min(difficulty, SEATS - remain - idle))
    seats = tuple(sorted(draw.sample(range(1, SEATS + 1), count)))
    banker, *others = map(str, draw.shuffled(seats))
    facts: dict[str, Any] = {"seats": seats, "banker": banker, **money(draw, book)}
    incident = PlayersLeave(leaving=tuple(sorted(others[remain - 1 + idle :])), wont_deal=tuple(others[:idle]))
    return Situation(**facts, incident=incident)


@case("seating", {PT[0]: "16", SANREMO: "2 s1"})
def players_get_up(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    least = book.number("min_seated_players")
    return _few(draw, book, difficulty, remain=draw.pick((least - 1, least)))


@case("seating", {PT[0]: ("15", "16")})
def too_few_remain(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    least = book.number("min_seated_players")
    return _few(draw, book, difficulty, remain=draw.number(least - 2, least - 1))


@case("seating", {PT[0]: "16", SANREMO: "2 s1"})
def game_about_to_start(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    least = book.number("min_seated_players")
    facts = first_shoe(draw, difficulty)
    idle = 1 if book.coded_as == SANREMO and difficulty >= 3 and draw.chance(0.6) else 0
    seats = tuple(sorted(draw.sample(range(1, SEATS + 1), draw.number(least - 1, least + 1) + idle)))
    wont = tuple(map(str, draw.sample(seats[1:], idle)))
    taken = {"seats": seats, "standing": (), "banker": str(seats[0])}
    return Situation(**(facts | taken), incident=GameToStart(wont_deal=wont))


@case("shoe", {SANREMO: "9"})
def inspector_gives_orders(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = later_shoe(draw, book, difficulty)
    by: Literal["inspector", "croupier", "banker"] = draw.pick(("inspector", "inspector", "croupier", "banker"))
    order: Order = draw.pick(("raise_minimum", "lower_minimum", "least_stake", "stop"))
    protest = draw.pick([str(seat) for seat in facts["seats"] if str(seat) != facts["banker"]])
    return Situation(**facts, incident=HouseOrders(by=by, order=order, protest=protest))
