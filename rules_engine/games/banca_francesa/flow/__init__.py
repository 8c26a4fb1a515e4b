"""Banca francesa at the live table: who plays, how a coup runs, and how faults come into it."""

from importlib.resources import files
from typing import Any

from msgspec import structs

from rules_engine.authoring import Draw, EngineError, Rulebook
from rules_engine.games.banca_francesa.flow import scene, throw
from rules_engine.games.banca_francesa.flow.throw import Coup
from rules_engine.games.banca_francesa.payout import DiceDown
from rules_engine.games.banca_francesa.setting import in_order
from rules_engine.games.banca_francesa.settlement import NONE, chance_of
from rules_engine.games.banca_francesa.table import DICE, Bet, Situation
from rules_engine.games.layout_bets import live
from rules_engine.games.layout_bets.live import people_for, reached, renamed, throws_in
from rules_engine.live import flow
from rules_engine.live.flow import CHATTER, read_incidents
from rules_engine.live.model import Moment, Setup, State
from rules_engine.live.transplant import Misfit
from rules_engine.situation import kind_of

# When an incident occurs: the phase that it follows. A lifted die: see `_phase_of`.
PHASES = {
    "bet_offered": "open",
    "dice_suspected": "open",
    "throw_prepared": "open",
    "throw_ends": "seen",
    "dice_touched": "seen",
    "stake_touched": "out",
}


class BancaFrancesaFlow:
    """The coups of banca francesa."""

    incidents = read_incidents((files(__package__) / "flow.toml").read_bytes())
    acts, seen, cards_a_coup = scene.ACTS, scene.SEEN, 0
    scene = staticmethod(scene.scene)

    def opening(self, setup: Setup, book: Rulebook, draw: Draw) -> flow.Opening:
        return live.opening(setup, book, draw)

    def coup(self, state: State, book: Rulebook, draw: Draw, wish: str) -> flow.Coup:
        c = Coup(state, book, draw)
        wrong = wish != CHATTER
        c.bets = throw.some_bets(c)
        s = live.wished(c, wish, self.incidents, _moved)
        c.bets, c.dice = (s.bets, s.dice or c.dice) if s else (c.bets, c.dice)
        phases: live.Phases = (
            ("open", throw.placing),
            ("thrown", throw.waiting),
            ("seen", throw.throwing),
            ("out", throw.announcing),
        )
        at = _phase_of(s) if s else ""
        if s and wrong and _short(s):
            phases = (phases[0], ("void", throw.without_one), *phases[1:])
        live.played(c, phases, s, at, lambda s: live.lies(c, s, _unnoticed(c, s, wrong=wrong), _payable), wrong=wrong)
        throw.settling(c)
        return flow.Coup(tuple(c.moments))

    def ruled(self, state: State, book: Rulebook, situation: Situation, draw: Draw) -> tuple[Moment, ...]:
        """A refused act changes nothing; a void throw is thrown again; after touched dice nobody loses."""
        c = Coup(state, book, draw)
        ruling, done = book.rule(situation), state.moments[: state.at + 1]
        if any(moment.settles for moment in done):  # suspected dice: the bets are decided, and the set is changed
            return state.moments[state.at + 1 :] or (Moment(),)
        c.bets = situation.bets
        void = ruling.get("throw_counts") == "void"
        to_come = throws_in(_after_void(state.moments[state.at + 1 :]))
        if not void:
            c.dice, c.idle = throws_in(state.moments)[-1], to_come[:-1]
        throw.waiting(c)
        if void or to_come:
            throw.throwing(c)
        if void or not reached(done, "announcement"):
            throw.announcing(c)
        throw.settling(c, ruling if kind_of(situation.incident) == "dice_touched" else None)
        return tuple(c.moments)


def _phase_of(s: Situation) -> str:
    """The phase of the coup that an incident follows. Dice that cannot be read yet have just been thrown."""
    incident: Any = s.incident
    if kind_of(incident) == "dice_lifted":
        return "thrown" if incident.moving() else "out" if incident.announced else "seen"
    return PHASES[kind_of(incident)]


def _short(s: Situation) -> bool:
    """Whether a die is missing from the cup that is about to be thrown: such a throw is void (IV 8 c)."""
    return getattr(s.incident, "in_cup", DICE) < DICE


def _after_void(moments: tuple[Moment, ...]) -> tuple[Moment, ...]:
    """These moments without a throw that is void if nobody objects."""
    after = next((at for at, moment in enumerate(moments, start=1) if moment.void), 0)
    return moments[after:]


def _moved(c: Coup, made: Situation) -> Situation:
    """Generated facts with the people of the running table, and its bets if they have none."""
    incident: Any = made.incident
    kind = kind_of(incident)
    if kind == "dice_touched" and incident.announced:
        raise Misfit
    if getattr(incident, "in_cup", DICE) < DICE - 1:
        raise Misfit  # nobody would throw a single die
    if made.dice and chance_of(c.book, made.dice) == NONE:
        raise Misfit
    places = people_for(c, made)
    bets = in_order(renamed(bet, places) for bet in made.bets) or c.bets
    return Situation(**c.facts() | {"bets": bets, "dice": made.dice, "incident": renamed(incident, places)})


def _unnoticed(c: Coup, s: Situation, *, wrong: bool) -> tuple[Bet, ...]:
    """The bets as they lie if nobody objects."""
    incident: Any = s.incident
    kind = kind_of(incident)
    if kind == "bet_offered":
        more = Bet(player=incident.player, spot=incident.spot, count=incident.count, value=incident.value)
        same = [bet for bet in c.bets if (bet.player, bet.spot) == (more.player, more.spot)]
        if any(bet.value != more.value for bet in same):
            return in_order((*c.bets, more))
        total = structs.replace(more, count=more.count + sum(bet.count for bet in same))
        return in_order((*(bet for bet in c.bets if bet not in same), total))
    if kind == "stake_touched" and incident.wish in ("take", "move") and wrong:
        return tuple(bet for bet in c.bets if (bet.player, bet.spot) != (incident.player, incident.spot))
    return c.bets


def _payable(c: Coup, bets: tuple[Bet, ...]) -> bool:
    try:
        c.rule(DiceDown(), out=True, bets=bets)
    except EngineError:
        return False
    return True


FLOW = BancaFrancesaFlow()
