"""Bets while betting is open: which bet chips on a spot are, where a bet belongs, and the limits.

IV 10, IV 11, IV 17.
"""

from typing import Any, ClassVar, get_args

from msgspec import Struct

from rules_engine.authoring import Draw, ImpossibleFacts, NotRegulated, Place, Reasoning, Rulebook, SpotKey, variant
from rules_engine.games.banca_francesa.books import BANCA
from rules_engine.games.banca_francesa.game import case_table, domain, rule
from rules_engine.games.banca_francesa.layout import CHANCES, LINES, SPOTS, on_line
from rules_engine.games.banca_francesa.setting import CROWDS, chips, in_order, unit_of, worths_of
from rules_engine.games.banca_francesa.settlement import (
    CHANCE_CLAUSES,
    LIMIT_CLAUSES,
    LINE_CLAUSES,
    Limits,
    bet_limits,
    chip_limits,
    played,
)
from rules_engine.games.banca_francesa.table import Bet, Chance, Incident, Situation
from rules_engine.games.layout_bets.setting import one_of, table
from rules_engine.games.layout_bets.table import Count, Worth

CHANCE_NAMES: tuple[Chance, ...] = get_args(Chance)

domain("bet_on", *CHANCES)


class ChipsPut(Struct, frozen=True, kw_only=True):
    """A player puts chips on a spot before the throw."""

    player: Place
    spot: SpotKey
    count: Count
    value: Worth

    @property
    def amount(self) -> int:
        return self.count * self.value

    def check(self, situation: Any) -> None:
        situation.check_player(self.player)
        situation.layout.check(self.spot, "incident.spot")
        situation.check_not_thrown()


class BetOffered(ChipsPut, Incident, frozen=True, tag="bet_offered"):
    """While betting is open a player puts down chips, in addition to bets already on the cloth."""

    tells: ClassVar = ("minimum",)


class BetRead(ChipsPut, Incident, frozen=True, tag="bet_read"):
    """A player puts chips on a spot: the dealer must know which bet it is, and for how much."""


class BetAsked(Incident, frozen=True, tag="bet_asked"):
    """A player hands the dealer a stack of chips, and says on which chance and for how much to play them."""

    tells: ClassVar = ("minimum",)

    player: Place
    chance: Chance
    count: Count
    value: Worth
    plays: Worth

    def check(self, situation: Situation) -> None:
        situation.check_player(self.player)
        situation.check_not_thrown()


@rule(BetOffered, BANCA)
def bet_offered(s: Situation, incident: BetOffered, r: Reasoning) -> None:
    spot = incident.spot
    chance = SPOTS[spot].chance
    already = {bet.spot: bet.amount for bet in s.bets_of(incident.player) if bet.chance == chance}
    if set(already) - {spot}:
        raise NotRegulated("arts. IV 11 and IV 17 do not say whether a line and its field count together")
    least, largest = bet_limits(r.book, chance, s.minimum)
    times = int(r.book.param("maximum_times_minimum")[chance])
    r.pivot(LIMIT_CLAUSES[chance], "times_minimum", chance=chance, times=times, amount=largest)
    if on_line(spot):
        least, largest = chip_limits(r.book, spot, s.minimum)
        r.step(LINE_CLAUSES[spot], "line_is_bet", spot=spot, chance=chance)
        r.pivot("IV 11 s2", "line_limits", spot=spot, least=least, most=largest)
    cite = "IV 11 s2" if on_line(spot) else LIMIT_CLAUSES[chance]
    there, amount = already.get(spot, 0), incident.amount
    left = max(0, largest - there)
    if there:
        r.pivot(cite, "already_there", already=there, left=left, spot=spot)
    if there + amount < least:
        r.pivot(cite, "below_least", least=least)
    allowed = least <= there + amount and amount <= left
    others = sum(bet.amount for bet in s.on(spot) if bet.player != incident.player)
    r.choice("allowed", "allowed" if allowed else "refused", critical=True)
    wrong = [largest, max(0, left - others), 2 * left, left // 2, amount, 0]
    r.amount("largest_bet", left, tempting=wrong)


@rule(BetRead, BANCA)
def bet_read(s: Situation, incident: BetRead, r: Reasoning) -> None:
    spot, amount = incident.spot, incident.amount
    chance = SPOTS[spot].chance
    plays = played(r.book, spot, amount)
    _explain_spot(r, spot, chips=amount, plays=plays)
    r.choice("bet_on", chance, critical=True)
    r.amount("bet_value", plays, tempting=[amount, amount // 2, 2 * amount, plays + incident.value])


@rule(BetAsked, BANCA)
def bet_asked(s: Situation, incident: BetAsked, r: Reasoning) -> None:
    amount, chance = incident.count * incident.value, incident.chance
    spots = [spot for spot in SPOTS if SPOTS[spot].chance == chance and _fits(r.book, spot, amount, incident.plays)]
    if not spots:
        raise ImpossibleFacts(
            "incident.plays",
            "{amount:amount} cannot be played for {plays:amount} there",
            amount=amount,
            plays=incident.plays,
        )
    least, largest = bet_limits(r.book, chance, s.minimum)
    if not least <= incident.plays <= largest:
        raise ImpossibleFacts("incident.plays", "a bet outside the limits is not taken")
    (spot,) = spots
    _explain_spot(r, spot, chips=amount, plays=incident.plays)
    r.order("put_where", [spot], tempting=[(other,) for other in SPOTS if other != spot])


def _fits(book: Rulebook, spot: str, amount: int, plays: int) -> bool:
    return amount == (plays * book.number("line_divisor") if on_line(spot) else plays)


def _explain_spot(r: Reasoning, spot: str, *, chips: int, plays: int) -> None:
    chance = SPOTS[spot].chance
    if on_line(spot):
        r.pivot(LINE_CLAUSES[spot], "line_is_bet", spot=spot, chance=chance)
        r.pivot("IV 11 s1", "half_of_chips", chips=chips, stake=plays)
    else:
        r.pivot(CHANCE_CLAUSES[chance], "field_is_bet", spot=spot, chance=chance)


# How often the player already has chips on the spot.
ON_TOP = {1: 0.0, 2: 0.4, 3: 0.4, 4: 0.7, 5: 0.9}
# If the limit is at least FAR times the least bet, chips are worth about LARGE times the least bet.
LARGE, FAR = 10, 100


def _large_chip(book: Rulebook, limits: Limits) -> int:
    """The largest chip that is not much more than ten least bets and makes the limit exactly."""
    fits = [value for value in worths_of(book, LARGE * book.table.minimum) if limits.largest % value == 0]
    return max(fits)


def _around(draw: Draw, limit: int, difficulty: int, by: int) -> int:
    """A number of chips at the limit, or `by` under or over it; if easy, well under or over."""
    if difficulty <= 2:
        return draw.pick((max(by, limit // 2 // by * by), limit, limit + 6))
    return draw.pick((limit - by, limit, limit + by))


@case_table(
    "bets",
    variant("field_limit", {BANCA: "IV 17 s1"}, spots=("small", "big")),
    variant("aces_limit", {BANCA: "IV 17 s2"}, spots="aces"),
    variant("line_limit", {BANCA: "IV 11 s2"}, spots=tuple(LINES.values())),
)
def _limited(draw: Draw, book: Rulebook, difficulty: int, spots: str | tuple[str, ...]) -> Situation:
    """Chips near the limit of a spot. Harder: the player and others already have chips there."""
    spot = one_of(draw, spots)
    facts = table(draw, book, difficulty, least=2)
    player, other = (str(seat) for seat in draw.sample(facts["seats"], 2))
    limits = chip_limits(book, spot, facts["minimum"])
    # Nobody stacks hundreds of the smallest chip.
    value = _large_chip(book, limits) if limits.largest >= FAR * facts["minimum"] else unit_of(book)
    least, largest = -(-limits.least // value), limits.largest // value
    by = book.number("line_divisor") if on_line(spot) else 1  # chips on a line can be halved
    bets = []
    already = by * draw.number(-(-least // by), (largest - 2) // by) if draw.chance(ON_TOP[difficulty]) else 0
    if already:
        bets.append(Bet(player=player, spot=spot, count=already, value=value))
    if difficulty >= 3:
        bets.append(Bet(player=other, spot=spot, count=by * draw.number(-(-least // by), largest // by), value=value))
    if difficulty >= 5:
        # A bet on another chance, which has its own limit.
        sibling = "small" if SPOTS[spot].chance != "small" else "aces"
        bets += [chips(draw, book, facts, player=other, spot=sibling, crowd=CROWDS[3])]
    count = max(by, _around(draw, largest - already, difficulty, by))
    if not already and draw.chance(0.25):
        value = unit_of(book)
        count = max(1, _around(draw, limits.least // value, 3, by))
    incident = BetOffered(player=player, spot=spot, count=count, value=value)
    return Situation(**facts, bets=in_order(bets), incident=incident)


def _read(draw: Draw, book: Rulebook, difficulty: int, spots: str | tuple[str, ...]) -> Situation:
    """Harder: among chips of others."""
    spot = one_of(draw, spots)
    facts = table(draw, book, difficulty, least=2)
    player, *others = (str(seat) for seat in draw.shuffled(facts["seats"]))
    crowd = CROWDS[difficulty]
    cloth, betting = tuple(SPOTS), others[: difficulty - 1]
    bets = [chips(draw, book, facts, player=other, spot=draw.pick(cloth), crowd=crowd) for other in betting]
    mine = chips(draw, book, facts, player=player, spot=spot, crowd=crowd)
    incident = BetRead(player=player, spot=spot, count=mine.count, value=mine.value)
    return Situation(**facts, bets=in_order(bets), incident=incident)


FIELDS = {BANCA: ("IV 9 a", "IV 9 b", "IV 9 c")}
case_table(
    "bets",
    variant("outer_line", {BANCA: ("IV 10 a", "IV 11 s1")}, spots=LINES["small"]),
    variant("inner_line", {BANCA: ("IV 10 b", "IV 11 s1")}, spots=LINES["big"]),
    variant("field_read", FIELDS, spots=("aces", "aces", "small", "big")),
)(_read)


@case_table(
    "bets",
    variant("half_asked", {BANCA: ("IV 10 a", "IV 10 b", "IV 11 s1")}, spots=tuple(LINES.values())),
    variant("whole_asked", FIELDS, spots=CHANCES),
)
def _asked(draw: Draw, book: Rulebook, difficulty: int, spots: tuple[str, ...]) -> Situation:
    spot = draw.pick(spots)
    facts = table(draw, book, difficulty)
    player = str(draw.pick(facts["seats"]))
    mine = chips(draw, book, facts, player=player, spot=spot, crowd=CROWDS[difficulty])
    plays = played(book, spot, mine.amount)
    chance = next(one for one in CHANCE_NAMES if one == SPOTS[spot].chance)
    incident = BetAsked(player=player, chance=chance, count=mine.count, value=mine.value, plays=plays)
    return Situation(**facts, incident=incident)
