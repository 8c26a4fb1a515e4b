"""Both roulettes at the live table: who plays, how a spin runs, and how faults come into it."""

from importlib.resources import files

from rules_engine.authoring import Draw, EngineError, Payment, Rulebook
from rules_engine.games.layout_bets import live
from rules_engine.games.layout_bets.live import bets_unnoticed, reached
from rules_engine.games.layout_bets.setting import table
from rules_engine.games.roulette.books import AMERICAN
from rules_engine.games.roulette.flow import incidents, scene, spin
from rules_engine.games.roulette.flow.spin import NUMBERS, Spin
from rules_engine.games.roulette.payout import NumberOut
from rules_engine.games.roulette.setting import coloured
from rules_engine.games.roulette.spin import DIRECTIONS, OPPOSITE
from rules_engine.games.roulette.table import Bet, Situation, joined
from rules_engine.live import flow
from rules_engine.live.duties import owed
from rules_engine.live.flow import CHATTER, plain, read_incidents
from rules_engine.live.model import Moment, Setup, State
from rules_engine.situation import kind_of

# So many times the least bet each player brings, from and to.
BRINGS = (50, 400)
LEAST_PLAYERS = 4


class RouletteFlow:
    """The spins of both roulettes."""

    incidents = read_incidents((files(__package__) / "flow.toml").read_bytes())
    acts, seen, cards_a_coup = scene.ACTS, scene.SEEN, 0
    scene = staticmethod(scene.scene)

    def opening(self, setup: Setup, book: Rulebook, draw: Draw) -> flow.Opening:
        facts = table(draw, book, setup.habits.busy, least=LEAST_PLAYERS)
        people = [str(seat) for seat in facts["seats"]]
        colours = coloured(draw, facts, people) if book.coded_as == AMERICAN else ()
        worths = {chips.player: chips.value for chips in colours} or {
            who: facts["minimum"] * draw.pick((1, 1, 2)) for who in people
        }
        found = {
            "seats": facts["seats"],
            "colours": colours,
            "worths": worths,
            "last": draw.number(0, NUMBERS - 1),
            "direction": draw.pick(DIRECTIONS),
        }
        moves = tuple(Payment("outside", who, facts["minimum"] * draw.number(*BRINGS)) for who in people)
        return flow.Opening(table=plain(found), moves=moves)

    def coup(self, state: State, book: Rulebook, draw: Draw, wish: str) -> flow.Coup:
        c = Spin(state, book, draw)
        wrong = wish != CHATTER
        kinds = self.incidents.wished(book, wish)
        s = incidents.find(c, kinds, self.incidents, wrong=wrong) if kinds else None
        at = incidents.phase_of(s) if s else ""
        c.bets = incidents.put_down(s, book) if s else spin.some_bets(c)
        c.number = _number(c, s)
        for phase, run in (
            ("open", spin.placing),
            ("rolling", spin.throwing),
            ("closed", spin.closing),
            ("lying", lambda c: None),
            ("out", spin.number_out),
        ):
            run(c)
            if s and phase == at:
                _incident(c, s, wrong=wrong)
        spin.settling(c)
        spin.ended(c)
        return flow.Coup(tuple(c.moments))

    def ruled(self, state: State, book: Rulebook, situation: Situation, draw: Draw) -> tuple[Moment, ...]:
        """A refused act changes nothing; a void spin is thrown again; chips knocked over are paid as ruled."""
        c = Spin(state, book, draw)
        kind, ruling = kind_of(situation.incident), book.rule(situation)
        c.bets = situation.bets
        c.moment(duties=owed(ruling, "announcement"))
        done = state.moments[: state.at + 1]
        if reached(done, "ready"):
            c.table["direction"] = OPPOSITE[c.table["direction"]]
        if kind == "fell_in":
            done = ()
        else:
            c.number = _planned(state)
        for mark, run in (("ready", spin.throwing), ("close_order", spin.closing), ("lies", spin.number_out)):
            if not reached(done, mark):
                run(c)
        if kind == "chips_knocked":
            put = incidents.put_back(situation, ruling)
            c.moment(*map(live.chips_down, put))
            c.bets = joined((*c.bets, *put))
        spin.settling(c)
        spin.ended(c)
        return tuple(c.moments)


def _number(c: Spin, s: Situation | None) -> int:
    """The number of this spin: the one an incident speaks of, or any."""
    over = getattr(s.incident, "over", None) if s else None
    number = s.number if s else None
    return next((one for one in (number, over) if one is not None), c.number)


def _planned(state: State) -> int:
    """The number that comes out in this spin anyway."""
    return next(event.amount or 0 for moment in state.moments for event in moment.events if event.what == "number")


def _incident(c: Spin, s: Situation, *, wrong: bool) -> None:
    """The moment at which the incident is seen."""
    knocked = [bet for bet in c.bets if bet not in s.bets]
    c.bets = s.bets
    c.incident(s, *map(live.knocked_off, knocked), wrong=wrong)
    if wrong or kind_of(s.incident) in live.PUT_DOWN:
        c.bets = live.lies(c, s, bets_unnoticed(s, s.bets, Bet, wrong=wrong), _payable)


def _payable(c: Spin, bets: tuple[Bet, ...]) -> bool:
    try:
        c.book.rule(Situation(**c.facts(out=True) | {"bets": bets}, incident=NumberOut()))
    except EngineError:
        return False
    return True


FLOW = RouletteFlow()
