"""A throw at craps in the making: the cloth, the shooter and the moments so far, and the phases that add to them."""

from typing import Any

from msgspec import convert, structs

from rules_engine.authoring import Draw, EngineError, Payment, Rulebook, throws
from rules_engine.games.craps import layout
from rules_engine.games.craps.announcing import ThrowToAnnounce
from rules_engine.games.craps.chips import counted, unit, worths
from rules_engine.games.craps.dice import DiceHandled
from rules_engine.games.craps.layout import COMES, LINES, NUMBERS, ODDS, PARENTS, Chance
from rules_engine.games.craps.paying import ThrowToPay
from rules_engine.games.craps.setting import CROWDS, OPPOSITE, SIDE_FAMILY, in_order
from rules_engine.games.craps.settlement import verdict
from rules_engine.games.craps.shooter import ShooterSought, ThrowOver
from rules_engine.games.craps.table import DICE, Bet, Situation
from rules_engine.games.layout_bets.live import DiceCloth, Facts, chips_down, dice_seen, settled, taken_back
from rules_engine.games.layout_bets.table import won_on
from rules_engine.live.duties import owed
from rules_engine.live.flow import plain
from rules_engine.live.model import Event
from rules_engine.ruling import Ruling

# Most bets that lie on the cloth at once, and how often a shooter whose bets are decided bets again.
FULL = 14
BETS_ON = 0.8
# The dealer's part in handing over the dice: what was done last, before each of his acts.
HANDLED = ("taken_up", "checked")


class Throw(DiceCloth):
    """The facts of a throw while it is planned. Bets that are not decided lie on from throw to throw."""

    situation = Situation

    def __init__(self, *known: Any) -> None:
        super().__init__(*known)
        self.bets = convert(self.table["bets"], tuple[Bet, ...])
        self.dice = self.draw.pick(throws(DICE))

    def facts(self, *, out: bool = False) -> Facts:
        own = {name: self.table[name] for name in ("bar", "point", "shooter")}
        return super().facts(out=out) | own

    def incident(self, s: Situation, *before: Event, wrong: bool) -> None:
        super().incident(structs.replace(s, shooter=self.table["shooter"]), *before, wrong=wrong)

    def faces(self, s: Situation) -> tuple[int, ...]:
        return self.dice[:1] if s.incident.off else self.dice  # type: ignore[attr-defined]

    def throw_again(self) -> None:
        self.dice = self.draw.pick(throws(DICE))
        shooting(self)
        throwing(self)

    def value(self, player: str) -> int:
        """What a chip of a player is worth."""
        return int(self.table["worths"][player])


def new_bets(c: Throw) -> tuple[Bet, ...]:
    """Bets that are put down before this throw, with at least one on the line before a series."""
    there = {(bet.player, bet.spot) for bet in c.bets}
    made: list[Bet] = []
    shooter, chance = c.table["shooter"], LINES[0] if c.table["point"] is None else SIDE_FAMILY[-1]
    if shooter and not any(bet.player == shooter for bet in c.bets):
        made += _bet(c, shooter, chance, 0)
    elif c.table["point"] is None and not any(bet.chance in LINES for bet in c.bets):
        made += _bet(c, c.draw.pick(c.people), chance, 0)
    there |= {(bet.player, bet.spot) for bet in made}
    wanted = min(c.draw.number(*CROWDS[c.busy].bets), FULL - len(c.bets))
    pool = _pool(c)
    for _ in range(wanted):
        player, chance = c.draw.pick(c.people), c.draw.pick(pool)
        number = c.draw.pick(layout.PRINTED[chance]) if chance in layout.PRINTED and chance not in COMES else 0
        for bet in _bet(c, player, chance, number):
            hedged = OPPOSITE.get(PARENTS.get(chance, chance))
            against = hedged and any((one.player, one.chance) == (player, hedged) for one in (*c.bets, *made))
            if (player, bet.spot) not in there and not against:
                there.add((player, bet.spot))
                made.append(bet)
    return tuple(made)


def _pool(c: Throw) -> list[Chance]:
    """The chances that may be bet on now."""
    pool: list[Chance] = [*SIDE_FAMILY, *NUMBERS]
    return [*pool, *LINES, *LINES] if c.table["point"] is None else [*pool, *COMES, *COMES, *ODDS]


def _bet(c: Throw, player: str, chance: Chance, number: int) -> list[Bet]:
    """A bet that can be paid; odds only within the bet they belong to."""
    value, waits = c.value(player), number or c.table["point"] or 0
    units = max(1, CROWDS[c.busy].most // unit(c.book, chance, waits, value))
    count = counted(c.draw, c.book, chance, waits, value, (1, units))
    if chance in ODDS:
        parents = (bet for bet in c.bets if (bet.player, bet.chance, bet.number) == (player, PARENTS[chance], number))
        if count * value > sum(bet.amount for bet in parents):
            return []
    return [Bet(player=player, chance=chance, number=number, count=count, value=value)]


def placing(c: Throw) -> None:
    """The players put down new bets."""
    made = new_bets(c)
    c.bets = in_order((*c.bets, *made))
    c.moment(*(chips_down(bet) for bet in made))


def shooting(c: Throw) -> None:
    """If nobody has the dice, they go to the first player in order who bets. They are checked and presented."""
    if c.table["shooter"] is None:
        try:
            ruling = c.rule(ShooterSought(last=c.table["last"]))
        except EngineError:  # only the last shooter bets
            ruling = c.rule(ShooterSought())
        c.table["shooter"] = str(ruling["shooter"])
        c.moment(duties=owed(ruling, "shooter"))
    duties = [duty for done in HANDLED for duty in owed(c.rule(DiceHandled(done=done)), "dice_act")]  # type: ignore[arg-type]
    c.moment(duties=duties)


def throwing(c: Throw) -> None:
    """The shooter throws."""
    c.moment(dice_seen(c.dice, by=c.table["shooter"]))


def announcing(c: Throw) -> None:
    """The total, the point and the line are announced, and the marker is put where it belongs."""
    c.moment(duties=owed(c.rule(ThrowToAnnounce(), out=True), "announcement", "marker"))


def settling(c: Throw) -> None:
    """Losing bets are collected, winning bets paid, come bets moved; the others lie on."""
    bets, point, shooter = c.bets, c.table["point"], c.table["shooter"]
    ruling = c.rule(ThrowToPay() if bets else ThrowToAnnounce(), out=True)
    settled(c, ruling, lambda payment: _clause(c, payment))
    stays, moved = _left(c, ruling)
    mine = [bet for bet in stays["bets"] if bet.player == shooter]
    again = bool(mine) or stays["point"] is not None or c.draw.chance(BETS_ON)
    over = c.rule(ThrowOver(bets_on=again), out=True, bets=bets if again else ())
    c.bets = stays["bets"]
    c.table |= {"point": stays["point"], "bets": c.bets}
    if over["dice_go"] == "change":
        c.table |= {"shooter": None, "last": shooter}
    if point is not None or over["dice_go"] == "change":
        c.moment(duties=owed(over, "dice_go"))
    c.moment(*moved, Event("number", amount=sum(c.dice)), table=plain(c.table))


def _left(c: Throw, ruling: Ruling) -> tuple[dict[str, Any], list[Event]]:
    """The bets and the point that the throw leaves, and what everybody sees of it: come bets move to their numbers, and
    players take winning bets back or, where the text lets them, leave them."""
    if ruling.after is None:
        raise RuntimeError("the ruling does not say how the throw ends")
    situation = Situation(**c.facts(out=True), incident=ThrowToPay() if c.bets else ThrowToAnnounce())
    left = {"point": c.table["point"], "bets": c.bets} | situation.left(ruling.after)
    moved = [(bet, ruling.after.marks[bet.spot]) for bet in c.bets if bet.spot in ruling.after.marks]
    events = [structs.replace(taken_back(bet), to=to) for bet, to in moved]
    lying = [bet for bet in left["bets"] if (bet.player, bet.spot) not in {(one.player, to) for one, to in moved}]
    won, leaves = won_on(ruling.after), c.state.setup.habits.leaves
    taken = [bet for bet in c.bets if (bet.player, bet.spot) in won and (bet not in lying or not c.draw.chance(leaves))]
    events += map(taken_back, taken)
    arrived = [bet for bet in left["bets"] if bet not in lying]
    bets = in_order((*(bet for bet in lying if bet not in taken), *arrived))
    return {"point": left["point"], "bets": bets}, events


def _clause(c: Throw, payment: Payment) -> str:
    """The clause that decides a bet."""
    player = payment.payer if payment.payee == "house" else payment.payee
    bets = (bet for bet in c.bets if (bet.player, bet.spot) == (player, payment.spot))
    known = {"dice": c.dice, "point": c.table["point"], "bar": c.table["bar"]}
    return next((verdict(c.book, bet.chance, bet.number, **known).cite for bet in bets), "")


def opening_table(people: list[str], draw: Draw, book: Rulebook) -> dict[str, Any]:
    """The facts of a table that last: no point, no shooter, an empty cloth, and everybody's chips."""
    pool = (*worths(book)[:1], *worths(book))
    return {
        "bar": draw.pick(("sixes", "aces")),
        "point": None,
        "shooter": None,
        "last": None,
        "bets": (),
        "worths": {who: draw.pick(pool) for who in people},
    }
