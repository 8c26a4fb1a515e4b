"""Chemin de fer at the live table: who plays, how a coup runs, and how faults come into it."""

from importlib.resources import files

from rules_engine.authoring import Payment, Rulebook
from rules_engine.draw import Draw as AnyDraw
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.flow import course, fitting, phases, scene, staking
from rules_engine.games.chemin_de_fer.flow.coup import Coup, limits
from rules_engine.games.chemin_de_fer.setting import places
from rules_engine.games.chemin_de_fer.table import Situation, kind_of
from rules_engine.live import flow
from rules_engine.live.duties import owed
from rules_engine.live.flow import CHATTER, plain, read_incidents
from rules_engine.live.model import Moment, Setup, State

# So many minimums each player brings, from and to.
BRINGS = (20, 200)
# Nothing is dealt from a shoe with fewer cards than a coup can take.
LEAST_CARDS = 12
FULL_SHOE = 24
RESHUFFLES = 15
# How often a banker plays by the drawing table.
BY_TABLE = 0.08


class CheminDeFerFlow:
    """The coups of chemin de fer."""

    incidents = read_incidents((files(__package__) / "flow.toml").read_bytes())
    acts, seen, cards_a_coup = scene.ACTS, scene.SEEN, 5
    scene = staticmethod(scene.scene)

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
        cards = Draw(after=draw)
        kinds = cards.shuffled(self.incidents.wished(book, wish))
        after = bool(kinds) and kinds[0] in self.incidents.after
        c = _begun(state, book, cards)
        if not after:
            self._with_or_without(c, [kind for kind in kinds if kind not in self.incidents.after], wish)
            return _plan(c)
        # What happens after a coup depends on its result, so other orders of the unseen cards are tried.
        for _ in range(RESHUFFLES):
            if self._ordinary(c, kinds[:1], wish):
                break
            c = _begun(state, book, cards, reshuffled=True)
        else:
            self._ordinary(c, [], wish)
        return _plan(c)

    def _with_or_without(self, c: Coup, kinds: list[str], wish: str) -> None:
        """A coup with an incident of one of these kinds, if one can occur in it."""
        found = None
        if kinds and len(c.shoe) >= FULL_SHOE and not c.table.get("kept"):
            found = fitting.find(c, kinds, self.incidents, wrong=wish != CHATTER)
        if found is None:
            self._ordinary(c, [], wish)
        else:
            course.with_incident(c, *found, self.incidents, wrong=wish != CHATTER)

    def _ordinary(self, c: Coup, kinds: list[str], wish: str) -> bool:
        """A coup as it should be, perhaps with an incident after it. Returns whether one was found, if wanted."""
        stakes = staking.claims(c)
        phases.by_table(c, ("banker",) if c.draw.chance(BY_TABLE) else ())
        phases.bank_stated(c)
        phases.betting(c, stakes)
        right = phases.cards_to(c)
        phases.deal(c)
        phases.passing(c, right)
        course.finish(c, right)
        phases.settling(c)
        found = fitting.find(c, kinds, self.incidents, wrong=wish != CHATTER) if kinds else None
        if found:
            s, ruling = found
            # Notes are good stakes; that they are changed into chips is the dealer's duty.
            change = owed(ruling, "into_chips") if ruling.get("into_chips") else ()
            course.add_incident(c, s, wrong=wish != CHATTER, due=change)
        course.hand_over(c, wish == CHATTER if found and kind_of(found[0].incident) == "asks_to_pass" else None)
        return found is not None or not kinds

    def ruled(self, state: State, book: Rulebook, situation: Situation, draw: AnyDraw) -> tuple[Moment, ...]:
        c = Coup(state, book, Draw(after=draw))
        return course.ruled(c, situation, book.rule(situation))


def _begun(state: State, book: Rulebook, draw: Draw, *, reshuffled: bool = False) -> Coup:
    """A coup before anything happens, with a new shoe if the last one is finished."""
    c = Coup(state, book, draw)
    if c.table["warned"] or len(c.shoe) < LEAST_CARDS:
        c.table.pop("kept", None)
        phases.new_shoe(c)
    if reshuffled:
        c.shoe = draw.shuffled(c.shoe)
    c.base = tuple(c.shoe)
    return c


def _plan(c: Coup) -> flow.Coup:
    """The plan with the shoe it needs: as it lies, or as it is shuffled in this coup."""
    first = c.moments[0]
    if not first.shuffled:
        return flow.Coup(tuple(c.moments), c.base)
    burned = first.draws
    c.moments[0] = course.changed(first, shuffled=(*burned, *c.base))
    return flow.Coup(tuple(c.moments))


FLOW = CheminDeFerFlow()
