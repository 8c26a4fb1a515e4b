"""Cussec at the live table: who plays, how a coup runs, and how faults come into it."""

from importlib.resources import files
from typing import Any

from rules_engine.authoring import Draw, Rulebook
from rules_engine.games.cussec.closing import CLOSED, LIT, READY, RUNG
from rules_engine.games.cussec.flow import coup, scene
from rules_engine.games.cussec.flow.coup import Coup
from rules_engine.games.cussec.setting import in_order
from rules_engine.games.cussec.table import DICE, Bet, Situation
from rules_engine.games.layout_bets import live
from rules_engine.games.layout_bets.live import bets_unnoticed, people_for, reached, renamed, throws_in
from rules_engine.live import flow
from rules_engine.live.duties import owed
from rules_engine.live.flow import CHATTER, read_incidents
from rules_engine.live.model import Moment, Setup, State
from rules_engine.situation import kind_of

TAKEN = (*READY, LIT)
OVER = (*TAKEN, RUNG, CLOSED)


class CussecFlow:
    """The coups of cussec."""

    incidents = read_incidents((files(__package__) / "flow.toml").read_bytes())
    acts, seen, cards_a_coup = scene.ACTS, scene.SEEN, 0
    scene = staticmethod(scene.scene)

    def opening(self, setup: Setup, book: Rulebook, draw: Draw) -> flow.Opening:
        return live.opening(setup, book, draw)

    def coup(self, state: State, book: Rulebook, draw: Draw, wish: str) -> flow.Coup:
        c = Coup(state, book, draw)
        wrong = wish != CHATTER
        c.bets = coup.some_bets(c)
        s = live.wished(c, wish, self.incidents, _late if wrong else _in_time)
        if s:
            c.bets, c.dice = s.bets, _dice(c, s)
        at = _phase_of(s) if s else ""
        coup.preparing(c)
        live.played(c, PHASES.get(at, AT_ONCE), s, at, lambda s: _unnoticed(c, s, wrong=wrong), wrong=wrong)
        coup.settling(c)
        return flow.Coup(tuple(c.moments))

    def ruled(self, state: State, book: Rulebook, situation: Situation, draw: Draw) -> tuple[Moment, ...]:
        """A refused act changes nothing; after a void coup everything is done again."""
        c = Coup(state, book, draw)
        ruling, done = book.rule(situation), state.moments[: state.at + 1]
        c.bets = situation.bets
        void = ruling.get("coup") == "void"
        if void:
            c.moment(duties=owed(ruling, "announcement"))
            coup.preparing(c)
        else:
            c.dice = throws_in(state.moments)[-1]
        if void or not any(duty.value == "lift" for moment in done for duty in moment.duties):
            closed = not void and reached(done, "announcement")
            (coup.opening if closed else coup.closing)(c)
        if void or not reached(done, "dice"):
            coup.lifted(c)
        coup.settling(c)
        return tuple(c.moments)


AT_ONCE: live.Phases = (("open", coup.placing), ("closing", coup.closing), ("out", coup.lifted))
# Phases that an incident comes in between.
PHASES: dict[str, live.Phases] = {
    "closed": (
        ("open", coup.placing),
        ("closed", coup.closed),
        ("opened", coup.opening),
        ("out", coup.lifted),
    ),
    "lifted": (
        ("open", coup.placing),
        ("closing", coup.closing),
        ("lifted", coup.dice_out),
        ("out", coup.announced),
    ),
}


def _phase_of(s: Situation) -> str:
    """The phase of the coup that an incident follows."""
    kind = kind_of(s.incident)
    if kind == "late_bet":
        return "closed" if CLOSED in s.calls else "open"
    return {"bet_offered": "open", "dome_lifted": "lifted"}.get(kind, "out")


def _dice(c: Coup, s: Situation) -> tuple[int, ...]:
    """The dice that an incident tells of: all of them, or those that are seen."""
    return (*s.dice, *s.incident.seen(), *c.dice)[:DICE]


def _late(c: Coup, made: Situation) -> Situation:
    return _moved(c, made, calls=OVER)


def _in_time(c: Coup, made: Situation) -> Situation:
    return _moved(c, made, calls=TAKEN)


def _moved(c: Coup, made: Situation, calls: tuple[Any, ...]) -> Situation:
    """Generated facts with the people of the running table, and its bets if they have none."""
    late = kind_of(made.incident) == "late_bet"
    places = people_for(c, made)
    bets = in_order(renamed(bet, places) for bet in made.bets) or c.bets
    own = {"calls": calls} if late else {"dice": made.dice}
    return Situation(**c.facts() | {"bets": bets, "incident": renamed(made.incident, places)} | own)


def _unnoticed(c: Coup, s: Situation, *, wrong: bool) -> tuple[Bet, ...]:
    """The bets as they lie if nobody objects."""
    return live.lies(c, s, bets_unnoticed(s, c.bets, Bet, wrong=wrong), coup.payable)


FLOW = CussecFlow()
