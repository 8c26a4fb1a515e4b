"""Chips without face value, which have a colour for each player at American roulette: IX 5 to IX 9."""

from typing import Any, ClassVar, Literal

from rules_engine.authoring import Draw, ImpossibleFacts, Place, Reasoning, Rulebook, Sentence, Sum, variant
from rules_engine.games.layout_bets.setting import table
from rules_engine.games.layout_bets.table import Count, Worth
from rules_engine.games.roulette.books import AMERICAN
from rules_engine.games.roulette.game import case, case_table, domain, rule
from rules_engine.games.roulette.limits import maximum
from rules_engine.games.roulette.setting import COLOURS, coloured
from rules_engine.games.roulette.table import ChipColour, Incident, Situation

Side = Literal["foot", "across", "dealers_side"]
Kind = Literal["face_value", "this_table", "other_table"]
Where = Literal["table", "cash_desk"]
When = Literal["leaving", "later_that_day", "another_day"]

domain("chips_act", "ask_value", "mark_value", "hand_over")


class SeatWanted(Incident, frozen=True, tag="seat_wanted"):
    """Somebody wants to sit down: at the foot, across from the main dealer, or on the dealer's own side."""

    tells: ClassVar = ("seated",)

    side: Side

    def narration(self) -> list[Sentence]:
        return [(f"incident.seat_wanted_{self.side}", {})]


class ChipsPlayed(Incident, frozen=True, tag="chips_played"):
    """A player bets with chips of this kind."""

    player: Place
    kind_of_chip: Kind

    def check(self, situation: Situation) -> None:
        situation.check_player(self.player)

    def narration(self) -> list[Sentence]:
        return [(f"incident.chips_played_{self.kind_of_chip}", {"player": self.player})]


class ValueChosen(Incident, frozen=True, tag="value_chosen"):
    """A player buys chips without face value and says what each of them shall be worth."""

    player: Place
    value: Worth

    def check(self, situation: Situation) -> None:
        situation.check_player(self.player)


class ColourBought(Incident, frozen=True, tag="colour_bought"):
    """A player buys chips without face value. `said` is the value the player named, `marked` whether it is marked."""

    player: Place
    colour: ChipColour
    said: Sum = 0
    marked: bool = False

    def check(self, situation: Situation) -> None:
        situation.check_player(self.player)
        if self.marked and not self.said:
            raise ImpossibleFacts("incident.marked", "no value was said that could be marked")

    def narration(self) -> list[Sentence]:
        form = "marked" if self.marked else "said" if self.said else "silent"
        values = {"player": self.player, "colour": self.colour, "said": self.said}
        return [(f"incident.colour_bought_{form}", values)]


class ChipsCashed(Incident, frozen=True, tag="chips_cashed"):
    """A player who leaves wants to cash in chips, at the table or at the cash desk."""

    player: Place
    where: Where
    face_value: bool = False

    def check(self, situation: Situation) -> None:
        situation.check_player(self.player)

    def narration(self) -> list[Sentence]:
        kind = "face" if self.face_value else "colour"
        return [(f"incident.chips_cashed_{self.where}_{kind}", {"player": self.player})]


class ChipsBroughtBack(Incident, frozen=True, tag="chips_brought_back"):
    """Chips without face value are brought to the table to be changed: when the player leaves, or later."""

    count: Count
    value: Worth
    when: When

    def narration(self) -> list[Sentence]:
        return [(f"incident.chips_brought_back_{self.when}", {"count": self.count, "value": self.value})]


@rule(SeatWanted, AMERICAN)
def seat_wanted(s: Situation, incident: SeatWanted, r: Reasoning) -> None:
    most, seated = r.book.number("seats"), len(s.seats)
    r.pivot("IX 5", "seats", most=most, seated=seated)
    if incident.side == "dealers_side":
        r.pivot("IX 5", "not_on_dealers_side")
    good = seated < most and incident.side != "dealers_side"
    r.choice("allowed", "allowed" if good else "refused")


@rule(ChipsPlayed, AMERICAN)
def chips_played(s: Situation, incident: ChipsPlayed, r: Reasoning) -> None:
    if incident.kind_of_chip == "face_value":
        r.pivot("IX 8", "face_value_too")
    else:
        r.pivot("IX 6 s1", f"colour_of_{incident.kind_of_chip}")
    r.choice("allowed", "refused" if incident.kind_of_chip == "other_table" else "allowed")


@rule(ValueChosen, AMERICAN)
def value_chosen(s: Situation, incident: ValueChosen, r: Reasoning) -> None:
    most = maximum(r.book, "straight", s.minimum)
    r.pivot("X 27 s1", "times_minimum", chance="straight", times=most // s.minimum, amount=most)
    r.pivot("IX 6 s2", "value_between", least=s.minimum, most=most)
    r.choice("allowed", "allowed" if s.minimum <= incident.value <= most else "refused")
    r.amount("largest_value", most, tempting=[2 * most, most // 2, incident.value])


@rule(ColourBought, AMERICAN)
def colour_bought(s: Situation, incident: ColourBought, r: Reasoning) -> None:
    act = "hand_over" if incident.marked else "mark_value" if incident.said else "ask_value"
    r.pivot("IX 7 s1", f"then_{act}", by=incident.player)
    r.choice("chips_act", act)


@rule(ChipsCashed, AMERICAN)
def chips_cashed(s: Situation, incident: ChipsCashed, r: Reasoning) -> None:
    refused = incident.where == "cash_desk" and not incident.face_value
    text = "not_at_cash_desk" if refused else "at_cash_desk" if incident.where == "cash_desk" else "changed_here"
    r.pivot("IX 7 s2", text)
    r.choice("allowed", "refused" if refused else "allowed")


@rule(ChipsBroughtBack, AMERICAN)
def chips_brought_back(s: Situation, incident: ChipsBroughtBack, r: Reasoning) -> None:
    late = incident.when != "leaving"
    if late:
        r.pivot("IX 9", "late_at_minimum", minimum=s.minimum)
    else:
        r.pivot("IX 7 s2", "changed_at_value", value=incident.value)
    worth = incident.count * (s.minimum if late else incident.value)
    wrong = [incident.count * incident.value, incident.count * s.minimum, s.minimum, 0]
    r.amount("chips_worth", worth, tempting=wrong, critical=True)


@case("colour_chips", {AMERICAN: ("IX 5",)})
def one_more_seat(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: far from full, or full. Harder: the last seat, and the wrong side of the table."""
    most = book.number("seats")
    seated = draw.pick((most - 4, most)) if difficulty == 1 else draw.pick((most - 1, most - 1, most))
    sides: tuple[Side, ...] = ("foot", "across", "across", "dealers_side")
    seats = tuple(sorted(draw.sample(range(1, most + 1), seated)))
    facts = table(draw, book, difficulty) | {"seats": seats}
    side = draw.pick(sides if difficulty >= 2 else sides[:3])
    return Situation(**facts, incident=SeatWanted(side=side))


def _table(draw: Draw, book: Rulebook, difficulty: int) -> dict[str, Any]:
    """A table where some players have colours."""
    facts = table(draw, book, difficulty, least=2)
    players = [str(seat) for seat in draw.sample(facts["seats"], min(len(facts["seats"]), difficulty))]
    return facts | {"colours": coloured(draw, facts, players)}


@case("colour_chips", {AMERICAN: ("IX 6 s1",)})
def colour_played(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _table(draw, book, difficulty)
    kind: Kind = "other_table" if draw.chance(0.6) else "this_table"
    return Situation(**facts, incident=ChipsPlayed(player=draw.pick(facts["colours"]).player, kind_of_chip=kind))


@case("colour_chips", {AMERICAN: ("IX 8",)})
def face_value_played(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _table(draw, book, difficulty)
    player = str(draw.pick(facts["seats"]))
    return Situation(**facts, incident=ChipsPlayed(player=player, kind_of_chip="face_value"))


def _newcomer(draw: Draw, facts: dict[str, Any]) -> str:
    """A player without a colour."""
    coloured_already = {chips.player for chips in facts["colours"]}
    return str(draw.pick([seat for seat in facts["seats"] if str(seat) not in coloured_already]))


@case("colour_chips", {AMERICAN: ("IX 6 s2",)})
def worth_of_a_colour(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: well inside or far outside the limits. Harder: at the limits, just under and just over."""
    facts = _table(draw, book, min(difficulty, 2))
    least, unit = facts["minimum"], book.table.values[-1]
    most = maximum(book, "straight", least)
    under, half = least - min(unit, least - 1), max(1, least // 2)  # a chip is worth something
    near = (under, least, most, most + unit) if difficulty >= 3 else (least * 2, most, most * 2, half)
    return Situation(**facts, incident=ValueChosen(player=_newcomer(draw, facts), value=draw.pick(near)))


@case("colour_chips", {AMERICAN: ("IX 7 s1",)})
def colour_asked_for(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _table(draw, book, min(difficulty, 2))
    taken = {chips.colour for chips in facts["colours"]}
    said = 0 if draw.chance(0.33) else facts["minimum"] * draw.number(1, 10)
    incident = ColourBought(
        player=_newcomer(draw, facts),
        colour=draw.pick([colour for colour in COLOURS if colour not in taken]),
        said=said,
        marked=bool(said) and draw.chance(0.5),
    )
    return Situation(**facts, incident=incident)


@case("colour_chips", {AMERICAN: ("IX 7 s2",)})
def chips_to_be_paid(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _table(draw, book, difficulty)
    wheres: tuple[Where, ...] = ("cash_desk", "cash_desk", "cash_desk", "table")
    where = draw.pick(wheres)
    face_value = where == "cash_desk" and draw.chance(0.3)
    incident = ChipsCashed(player=draw.pick(facts["colours"]).player, where=where, face_value=face_value)
    return Situation(**facts, incident=incident)


@case_table(
    "colour_chips",
    variant("colour_brought_late", {AMERICAN: "IX 9"}, whens=("later_that_day", "another_day")),
    variant("colour_brought_in_time", {AMERICAN: "IX 7 s2"}, whens=("leaving",)),
)
def _brought(draw: Draw, book: Rulebook, difficulty: int, whens: tuple[When, ...]) -> Situation:
    """No colours of other players are told, because it would be unclear whose chips these are."""
    facts = table(draw, book, difficulty)
    times = (2, 5, 10) if difficulty <= 2 else (2, 3, 4, 6, 8)
    incident = ChipsBroughtBack(
        count=draw.number(2, 5 * difficulty), value=facts["minimum"] * draw.pick(times), when=draw.pick(whens)
    )
    return Situation(**facts, incident=incident)
