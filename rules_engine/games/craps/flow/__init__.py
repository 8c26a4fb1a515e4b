"""Craps at the live table: who plays, how a throw runs, and how faults come into it. A coup is one throw."""

from importlib.resources import files
from typing import Any

from msgspec import structs

from rules_engine.authoring import Draw, EngineError, Rulebook, throws
from rules_engine.games.craps import layout
from rules_engine.games.craps.flow import scene, throw
from rules_engine.games.craps.flow.throw import Throw
from rules_engine.games.craps.paying import ThrowToPay
from rules_engine.games.craps.setting import in_order
from rules_engine.games.craps.table import DICE, Bet, Situation
from rules_engine.games.layout_bets import live
from rules_engine.games.layout_bets.live import reached, throws_in
from rules_engine.live import flow
from rules_engine.live.duties import owed
from rules_engine.live.flow import CHATTER, plain, read_incidents
from rules_engine.live.model import Moment, Setup, State
from rules_engine.live.transplant import Misfit
from rules_engine.situation import kind_of


class CrapsFlow:
    """The throws of craps."""

    incidents = read_incidents((files(__package__) / "flow.toml").read_bytes())
    acts, seen, cards_a_coup = scene.ACTS, scene.SEEN, 0
    scene = staticmethod(scene.scene)

    def opening(self, setup: Setup, book: Rulebook, draw: Draw) -> flow.Opening:
        found = live.opening(setup, book, draw)
        people = [str(seat) for seat in found.table["seats"]]
        return structs.replace(found, table=plain(found.table | throw.opening_table(people, draw, book)))

    def coup(self, state: State, book: Rulebook, draw: Draw, wish: str) -> flow.Coup:
        c = Throw(state, book, draw)
        wrong = wish != CHATTER
        throw.placing(c)
        s = live.wished(c, wish, self.incidents, _moved)
        at = _phase_of(s) if s else ""
        phases: live.Phases = (
            ("open", lambda c: None),
            ("ready", throw.shooting),
            ("thrown", throw.throwing),
            ("out", throw.announcing),
        )
        live.played(c, phases, s, at, lambda s: live.lies(c, s, _unnoticed(c, s, wrong=wrong), _payable), wrong=wrong)
        throw.settling(c)
        return flow.Coup(tuple(c.moments))

    def ruled(self, state: State, book: Rulebook, situation: Situation, draw: Draw) -> tuple[Moment, ...]:
        """A refused act changes nothing; a void throw is thrown again."""
        c = Throw(state, book, draw)
        ruling, done = book.rule(situation), state.moments[: state.at + 1]
        c.bets = situation.bets
        c.table["shooter"] = _shooter(state)
        void = ruling.get("throw") == "void"
        c.moment(duties=owed(ruling, "announcement", "marker") if void else ())
        if void:
            done = ()
        else:
            c.dice = throws_in(state.moments)[-1]
        for mark, run in (("dice_act", throw.shooting), ("dice", throw.throwing), ("marker", throw.announcing)):
            if not reached(done, mark):
                run(c)
        throw.settling(c)
        return tuple(c.moments)


def _shooter(state: State) -> str | None:
    """Who has the dice: still, or since this throw was prepared."""
    done = state.moments[: state.at + 1]
    given = (str(duty.value) for moment in done for duty in moment.duties if duty.key == "shooter")
    return next(given, state.table["shooter"])


def _phase_of(s: Situation) -> str:
    """The phase of the throw in which an incident occurs."""
    kind = kind_of(s.incident)
    after = {"dice_picked": "ready", "dice_thrown": "thrown"}
    return after.get(kind, "out" if s.dice else "open")


def _moved(c: Throw, made: Situation) -> Situation:
    """A generated incident on the running cloth: somebody here offers such a bet or touches his own."""
    incident: Any = made.incident
    kind = kind_of(incident)
    if kind == "bet_offered":
        incident = structs.replace(incident, player=c.draw.pick(c.people))
    elif kind == "bet_touched":
        chance = layout.SPOTS[incident.spot].chance
        mine = [bet for bet in c.bets if bet.chance == chance]
        if not mine:
            raise Misfit
        bet = c.draw.pick(mine)
        if incident.wish == "take" and all(other.player == bet.player for other in c.bets):
            raise Misfit  # somebody must be left to throw
        incident = structs.replace(incident, player=bet.player, spot=bet.spot)
    out = kind == "dice_thrown" or (kind == "bet_touched" and bool(made.dice))
    return Situation(**c.facts(out=out), incident=incident)


def _unnoticed(c: Throw, s: Situation, *, wrong: bool) -> tuple[Bet, ...]:
    """The bets as they lie if nobody objects. Who may have his winning bet back gets it with the prize."""
    incident: Any = s.incident
    kind = kind_of(incident)
    if kind == "bet_offered":
        more = Bet(
            player=incident.player,
            chance=incident.chance,
            number=incident.number,
            count=incident.count,
            value=incident.value,
        )
        same = [bet for bet in c.bets if (bet.player, bet.spot, bet.value) == (more.player, more.spot, more.value)]
        total = structs.replace(more, count=more.count + sum(bet.count for bet in same))
        return in_order((*(bet for bet in c.bets if bet not in same), total))
    if kind == "bet_touched" and incident.wish == "take" and (wrong or not s.dice):
        odds = {f"{layout.SPOTS[incident.spot].chance}-odds"}
        number = layout.SPOTS[incident.spot].numbers
        return tuple(
            bet
            for bet in c.bets
            if bet.player != incident.player
            or (bet.spot != incident.spot and (bet.chance not in odds or layout.SPOTS[bet.spot].numbers != number))
        )
    return c.bets


def _payable(c: Throw, bets: tuple[Bet, ...]) -> bool:
    """Whether the text settles these bets whatever is thrown."""
    try:
        for dice in throws(DICE):
            c.rule(ThrowToPay(), bets=bets, dice=dice)
    except EngineError:
        return False
    return True


FLOW = CrapsFlow()
