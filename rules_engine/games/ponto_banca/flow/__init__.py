"""Ponto e banca at the live table: who plays, how a coup runs, and how faults come into it."""

from importlib.resources import files

from rules_engine import draw as any_draw
from rules_engine.authoring import Payment, Rulebook
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.ponto_banca.flow import coup, fitting, scene
from rules_engine.games.ponto_banca.flow.coup import Coup
from rules_engine.games.ponto_banca.last_coup import FIRST_FOUR
from rules_engine.games.ponto_banca.setting import by_place, side_bets, stand, table
from rules_engine.games.ponto_banca.table import SIDES, Bet, Chance, Situation
from rules_engine.live import flow
from rules_engine.live.flow import CHATTER, plain, read_incidents
from rules_engine.live.ledger import stacked
from rules_engine.live.model import Event, Moment, Setup, State
from rules_engine.ruling import Ruling
from rules_engine.situation import kind_of

# So many times the least bet each player brings, from and to.
BRINGS = (20, 200)
LEAST_PLAYERS = 4
# A coup is never begun with fewer cards; nor is a fault.
LEAST_CARDS, FULL_SHOE = 10, 60
# How often a player also bets on another chance, and somebody standing bets with the seat beside him.
ALSO, BESIDE = 0.25, 0.5


class PontoBancaFlow:
    """The coups of ponto e banca."""

    incidents = read_incidents((files(__package__) / "flow.toml").read_bytes())
    acts, seen, cards_a_coup = scene.ACTS, scene.SEEN, 5
    scene = staticmethod(scene.scene)

    def opening(self, setup: Setup, book: Rulebook, draw: any_draw.Draw) -> flow.Opening:
        draw = Draw(after=draw)
        facts = table(draw, book, setup.habits.busy, least=LEAST_PLAYERS)
        standing = stand(draw, book, facts, 1 + setup.habits.busy // 4)
        found = {"seats": facts["seats"], "standing": standing, "first": True, "last": True, "lying": ()}
        people = (*map(str, facts["seats"]), *standing)
        moves = tuple(Payment("outside", who, facts["minimum"] * draw.number(*BRINGS)) for who in people)
        return flow.Opening(table=plain(found), moves=moves)

    def coup(self, state: State, book: Rulebook, draw: any_draw.Draw, wish: str) -> flow.Coup:
        c = Coup(state, book, Draw(after=draw))
        if c.table["last"] or len(c.shoe) < LEAST_CARDS:
            coup.new_shoe(c)
        c.base = tuple(c.shoe)
        c.bets = _bets(c)
        wrong = wish != CHATTER
        kinds = self.incidents.wished(book, wish) if len(c.shoe) >= FULL_SHOE else []
        found = fitting.find(c, kinds, self.incidents, wrong=wrong) if kinds else None
        if found:
            _with_incident(c, found[0], wrong=wrong)
        else:
            coup.placing(c)
        coup.finish(c)
        return c.plan()

    def ruled(self, state: State, book: Rulebook, situation: Situation, draw: any_draw.Draw) -> tuple[Moment, ...]:
        """The rest of a coup after a ruling. Cards are given to whom they belong; what a refused act did is undone."""
        c = Coup(state, book, Draw(after=draw))
        ruling = book.rule(situation)
        coup.restored(c, state.moments[: state.at + 1])
        c.bets = situation.bets
        if kind_of(situation.incident) in ("misdealt", "third_card_slip"):
            c.hidden, c.handled, c.closed = (), True, True
            c.void = ruling["coup"] == "annulled"
            if not c.void:
                _put_right(c, situation, ruling)
        coup.finish(c)
        return tuple(c.moments)


def _put_right(c: Coup, s: Situation, ruling: Ruling) -> None:
    """The cards that are out belong to the sides that the ruling gives them to."""
    refs = [f"loose.{n + 1}" for n in range(len(s.loose))]
    refs = refs or [f"{side}.{n + 1}" for side in SIDES for n in range(len(s.heap(side)))]
    goes = {ref: ruling.get(f"fate.{ref}") or ref.partition(".")[0] for ref in refs}
    # A third card that lay with the other side comes behind the two that are there.
    refs.sort(key=lambda ref: goes[ref] in SIDES and not ref.startswith((str(goes[ref]), "loose")))
    c.hands = {"ponto": (), "banker": ()}
    for ref in refs:
        for side in SIDES:
            if goes[ref] == side:
                c.hands[side] = (*c.hands[side], s.card(ref))
    hands = [(f"{side}.{n + 1}", card) for side in SIDES for n, card in enumerate(c.hands[side])]
    c.moment(*(Event("card", to=ref, card=card) for ref, card in hands))


def _bets(c: Coup) -> tuple[Bet, ...]:
    """A bet of every seated player on a side, unless one lies there already; some also bet on another chance, and some
    who stand bet too."""
    facts = c.facts()
    people = (*c.table["seats"], *c.table["standing"])
    made = side_bets(c.draw, facts | {"max_gap": facts.get("max_gap", 0) * len(c.table["seats"]) // len(people)})
    c.bets = c.lying()
    for bet in made:
        if not any(one.player == bet.player and one.on in SIDES for one in c.bets):
            c.bets = (*c.bets, bet) if c.may_bet(bet) else c.bets
    sides = tuple(bet for bet in c.bets if bet.on in SIDES)
    others: list[Chance] = [chance for chance in c.book.param("chances") if chance not in SIDES]
    for place in c.table["standing"]:
        if c.draw.chance(BESIDE):
            _also(c, place, next((bet.on for bet in sides if bet.player == place[0]), c.draw.pick(SIDES)))
    for seat in c.table["seats"]:
        if c.draw.chance(ALSO):
            _also(c, str(seat), c.draw.pick(others))
    return by_place(c.bets)


def _also(c: Coup, player: str, on: Chance) -> None:
    """One more bet, if the text allows it."""
    bet = Bet(player, on, c.minimum * c.draw.number(1, 3))
    there = any((one.player, one.on) == (player, on) for one in c.bets)
    if not there and c.may_bet(bet):
        c.bets = (*c.bets, bet)


def _with_incident(c: Coup, s: Situation, *, wrong: bool) -> None:
    """The coup up to the incident, and the moment at which it is seen."""
    c.bets = s.bets
    burned = coup.burns(c)
    top = stacked(tuple(c.shoe[burned:]), fitting.out_of_shoe(s))
    if top is None:
        raise RuntimeError("the shoe does not have the cards of the incident")
    c.base = (*c.shoe[:burned], *top)
    c.shoe = list(c.base)
    phase = fitting.phase_of(s)
    coup.placing(c)
    if phase != "open":
        coup.closing(c)
    if phase in ("cards", "over"):
        _lead_up(c, s)
    before = len(c.shoe)
    events = [*_cards(c, s), *fitting.shown(s, c)]
    draws = c.base[len(c.base) - before : len(c.base) - len(c.shoe)]
    c.moment(*events, draws=draws, facts=plain(s), kind=kind_of(s.incident), wrong=wrong)
    if wrong or kind_of(s.incident) in ("bet_placed", "late_bet"):
        fitting.unnoticed(c, s)


def _lead_up(c: Coup, s: Situation) -> None:
    """The cards that are dealt before the incident, and what is due then."""
    most = len(s.ponto) + len(s.banker_cards)
    if s.loose:
        most = fitting.rightly_given(c, s)
        if most < FIRST_FOUR:
            coup.deal_due(c)
            return
    elif len(s.banker_cards) < coup.FIRST_TWO:
        coup.part_of_deal(c, s)
        return
    coup.dealing(c)
    coup.handling(c, may_decline=False)
    coup.showing(c, keep=tuple(ref for ref in s.hidden if ref in c.hidden))
    if kind_of(s.incident) in ("bet_touched", "face_up_in_shoe", "misdealt"):
        coup.drawing(c, most=most)


def _cards(c: Coup, s: Situation) -> list[Event]:
    """The cards that come with the incident: wrongly given, mixed on the table, or a third card nobody has seen."""
    if s.loose:
        out = sum(map(len, c.hands.values()))
        given = getattr(s.incident, "given", ())
        face_down = not out and coup.handled(c)
        cards = c.drawn(len(s.loose) - out)
        if not given:
            return [Event("card", to=f"loose.{n + 1}", card=card) for n, card in enumerate(cards)]
        return [c.give(side, card, hidden=face_down) for side, card in zip(given[out:], cards, strict=True)]
    if len(s.banker_cards) < coup.FIRST_TWO:
        return []
    sides = [side for side in SIDES for _ in s.heap(side)[len(c.hands[side]) :]]
    cards = c.drawn(len(sides))
    given = [c.give(side, card, hidden=f"{side}.3" in s.hidden) for side, card in zip(sides, cards, strict=True)]
    return [event for side, card in zip(sides, given, strict=True) for event in (coup.third_card(side), card)]


FLOW = PontoBancaFlow()
