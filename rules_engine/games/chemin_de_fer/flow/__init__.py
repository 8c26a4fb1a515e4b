"""Chemin de fer at the live table: who plays, how a coup runs, and how faults come into it."""

from importlib.resources import files

from rules_engine.authoring import Payment, Rulebook
from rules_engine.draw import Draw as AnyDraw
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.flow import course, fitting, phases
from rules_engine.games.chemin_de_fer.flow.coup import Coup, limits
from rules_engine.games.chemin_de_fer.setting import places
from rules_engine.games.chemin_de_fer.table import Situation, Stake
from rules_engine.live import flow
from rules_engine.live.flow import CHATTER, plain, read_incidents
from rules_engine.live.model import Moment, Setup, State

# So many minimums each player brings, from and to.
BRINGS = (20, 200)
BANCO, BANCO_TABLE = 0.2, 0.3
# Nothing is dealt from a shoe with fewer cards than a coup can take.
LEAST_CARDS = 12
FULL_SHOE = 24


class CheminDeFerFlow:
    """The coups of chemin de fer."""

    incidents = read_incidents((files(__package__) / "flow.toml").read_bytes())

    def opening(self, setup: Setup, book: Rulebook, draw: AnyDraw) -> flow.Opening:
        """The players take their places; the first seat to the croupier's right has the hand."""
        facts = places(Draw(after=draw), setup.habits.busy, seated=5)
        banker = str(min(facts["seats"]))
        standing = [place for place in facts["standing"] if place[0] != banker]
        minimum, _ = limits(book)
        table = {
            "seats": facts["seats"],
            "standing": standing,
            "banker": banker,
            "regular": banker,
            "bank": minimum * 2 * draw.number(1, 8),
            "new_hand": True,
            "coups": [],
            "acquired": "turn",
            "price": 0,
            "history": {},
            "warned": True,
        }
        people = [*map(str, facts["seats"]), *standing]
        moves = tuple(Payment("outside", who, minimum * draw.number(*BRINGS)) for who in people)
        return flow.Opening(table=plain(table), moves=moves)

    def coup(self, state: State, book: Rulebook, draw: AnyDraw, wish: str) -> flow.Coup:
        c = Coup(state, book, Draw(after=draw))
        if c.table["warned"] or len(c.shoe) < LEAST_CARDS:
            c.table.pop("kept", None)
            phases.new_shoe(c)
        c.base = tuple(c.shoe)
        found = self._found(c, wish)
        if found is None:
            self._ordinary(c, wish)
        else:
            course.with_incident(c, *found, self.incidents, wrong=wish != CHATTER)
        return _plan(c)

    def _found(self, c: Coup, wish: str) -> fitting.Found | None:
        kinds = [kind for kind in self.incidents.wished(c.book, wish) if kind not in self.incidents.after]
        if not kinds or len(c.shoe) < FULL_SHOE or c.table.get("kept"):
            return None
        return fitting.find(c, kinds, self.incidents, wrong=wish != CHATTER)

    def _ordinary(self, c: Coup, wish: str) -> None:
        """A coup as it should be, perhaps with an incident after it."""
        stakes = _claims(c)
        phases.bank_stated(c)
        phases.betting(c, stakes)
        right = phases.cards_to(c)
        phases.deal(c)
        phases.passing(c, right)
        course.finish(c, right)
        phases.settling(c)
        kinds = [kind for kind in self.incidents.wished(c.book, wish) if kind in self.incidents.after]
        found = fitting.find(c, kinds, self.incidents, wrong=wish != CHATTER) if kinds else None
        if found:
            course.add_incident(c, found[0], wrong=wish != CHATTER)
        course.hand_over(c)

    def ruled(self, state: State, book: Rulebook, situation: Situation, draw: AnyDraw) -> tuple[Moment, ...]:
        c = Coup(state, book, Draw(after=draw))
        return course.ruled(c, situation, book.rule(situation))


def _plan(c: Coup) -> flow.Coup:
    """The plan with the shoe it needs: as it lies, or as it is shuffled in this coup."""
    first = c.moments[0]
    if not first.shuffled:
        return flow.Coup(tuple(c.moments), c.base)
    burned = first.draws
    c.moments[0] = course.changed(first, shuffled=(*burned, *c.base))
    return flow.Coup(tuple(c.moments))


def _claims(c: Coup) -> tuple[Stake, ...]:
    """What the pontos do: one plays the whole bank, one half of it with the table, or everybody stakes a little."""
    bank, unit = c.bank, c.unit
    luck = c.draw.number(1, 100) / 100
    lost = c.table["history"].get("lost")
    if luck <= BANCO:
        c.claim = "banco"
        c.holder = lost if lost in c.pontos() and c.draw.chance(0.5) else c.draw.pick(c.pontos())
        return (Stake(c.holder, bank),)
    units = bank // unit
    stakes: list[Stake] = []
    if luck <= BANCO_TABLE:
        c.claim, c.holder = "banco_table", c.draw.pick(c.seated_pontos())
        half = units - units // 2  # at least half of the bank
        stakes.append(Stake(c.holder, half * unit))
        units -= half
    others = [place for place in c.pontos() if place != c.holder]
    for place in c.draw.sample(others, c.draw.number(1, 1 + c.busy)):
        if units:
            part = c.draw.number(1, max(1, units // 2))
            stakes.append(Stake(place, part * unit))
            units -= part
    if not any(stake.player.isdigit() for stake in stakes):
        stakes[0] = Stake(c.draw.pick([p for p in c.seated_pontos() if p != c.holder]), stakes[0].amount)
    return tuple(stakes)


FLOW = CheminDeFerFlow()
