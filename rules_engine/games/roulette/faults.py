"""Winning chips knocked over by the staff: who puts them back, and where. X 26 s1, X 26 s2."""

from typing import Literal

from rules_engine.authoring import (
    After,
    Draw,
    NotRegulated,
    Payment,
    Place,
    Reasoning,
    Rulebook,
    Sentence,
    SpotKey,
    variant,
)
from rules_engine.games.layout_bets.setting import Crowd, one_of
from rules_engine.games.layout_bets.table import Count, Worth
from rules_engine.games.roulette import layout
from rules_engine.games.roulette.books import FRENCH
from rules_engine.games.roulette.game import case_table, domain, rule
from rules_engine.games.roulette.layout import named
from rules_engine.games.roulette.setting import any_number, face_value, face_values, in_order, picture, room, winning
from rules_engine.games.roulette.settlement import INSIDE, explain_prize, outcomes, prize_of, wins
from rules_engine.games.roulette.table import Bet, Incident, Situation, bet_on

Who = Literal["croupier", "inspector", "player"]
# Whether and how the inspector knows where the chips were.
Certain = Literal["saw_it", "recording", "unsure"]

domain("rebuilt_by", "inspector", "players")


class ChipsKnocked(Incident, frozen=True, tag="chips_knocked"):
    """Winning chips were knocked off their spot. The inspector says they were on `found`, the player on `claimed`."""

    player: Place
    count: Count
    value: Worth
    by: Who
    certain: Certain
    found: SpotKey
    claimed: SpotKey

    def check(self, situation: Situation) -> None:
        situation.check_player(self.player)
        situation.result()
        situation.layout.check(self.found, "incident.found")
        situation.layout.check(self.claimed, "incident.claimed")

    def spots(self) -> tuple[str, ...]:
        return self.found, self.claimed

    def sorts(self, situation: Situation) -> set[str]:
        """Who knocked them over, what the inspector knows, and the kinds of bet that are claimed."""
        return {self.by, self.certain, layout.chance(self.found), layout.chance(self.claimed)}

    def placed(self) -> list[tuple[str, int]]:
        return [(self.player, self.value)]

    def put_on(self, paid: Payment) -> Bet | None:
        return bet_on(paid.spot, self.player, self.count, self.value)

    def narration(self) -> list[Sentence]:
        values = {"player": self.player, "count": self.count, "value": self.value}
        return [
            (f"incident.chips_knocked_{self.by}", values),
            (f"incident.chips_{self.certain}", named(self.found)),
            ("incident.chips_claimed", {"player": self.player, **named(self.claimed)}),
        ]


@rule(ChipsKnocked, FRENCH)
def chips_knocked(s: Situation, incident: ChipsKnocked, r: Reasoning) -> None:
    number = s.result()
    if incident.by == "player":
        raise NotRegulated("art. X 26 speaks only of chips disturbed by the staff")
    if not (wins(r.book, incident.found, number) and wins(r.book, incident.claimed, number)):
        raise NotRegulated("art. X 26 speaks only of chips that had won")
    certain = incident.certain != "unsure"
    spot, other = (incident.found, incident.claimed) if certain else (incident.claimed, incident.found)
    r.step("X 26 s1", f"inspector_{incident.certain}", pivot=True)
    if not certain:
        r.pivot("X 26 s2", "as_players_say", by=incident.player)
    r.step("X 26 s1" if certain else "X 26 s2", "put_back", **named(spot))
    for one in outcomes(r.book, [bet_on(spot, incident.player, incident.count, incident.value)], number):
        explain_prize(r, one)
    stake = incident.count * incident.value
    paid, instead = (prize_of(r.book, layout.chance(key), stake) for key in (spot, other))
    r.choice("rebuilt_by", "inspector" if certain else "players", critical=True)
    r.order("put_back", [spot], tempting=[(other,)])
    r.amount("knocked_prize", paid, tempting=[instead, paid + stake, stake, 0])
    r.after(After(payments=(Payment("house", incident.player, paid, spot),), marks={"marker": str(number)}))


@case_table(
    "faults",
    variant("inspector_can_tell", {FRENCH: "X 26 s1"}, certain=("saw_it", "recording")),
    variant("inspector_cannot_tell", {FRENCH: ("X 26 s1", "X 26 s2")}, certain="unsure"),
)
def _knocked(draw: Draw, book: Rulebook, difficulty: int, certain: Certain | tuple[Certain, ...]) -> Situation:
    """The inspector and the player name two different spots that cover the number."""
    known: Certain = one_of(draw, certain)
    number = any_number(draw, difficulty)
    facts = picture(draw, book, difficulty, number=number, crowd=Crowd((1, 2), (0, 2), (0, 2), (1, 4)))
    player = str(draw.pick(facts["seats"]))
    facts["bets"] = in_order(bet for bet in facts["bets"] if bet.player != player)
    facts["colours"] = tuple(chips for chips in facts.get("colours", ()) if chips.player != player)
    facts |= face_value(book)
    chances = INSIDE if difficulty >= 3 else INSIDE[:4]
    spots = [spot for chance in chances for spot in winning(book, number, chance)]
    found = draw.pick(spots)
    claimed = draw.pick([spot for spot in spots if layout.chance(spot) != layout.chance(found)])
    by: Who = draw.pick(("croupier", "inspector"))
    value = face_values(book)[0]
    count = min(draw.number(1, difficulty + 1), *(room(book, spot, value) for spot in (found, claimed)))
    incident = ChipsKnocked(player=player, count=count, value=value, by=by, certain=known, found=found, claimed=claimed)
    return Situation(**facts, incident=incident)
