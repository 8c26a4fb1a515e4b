"""Black jack at the live table: who plays, how a coup runs, and how faults come into it."""

from importlib.resources import files

from msgspec import structs

from rules_engine import draw as any_draw
from rules_engine.authoring import Payment, Rulebook
from rules_engine.games.black_jack.draw import Draw
from rules_engine.games.black_jack.flow import fitting, round, scene
from rules_engine.games.black_jack.flow.round import Round
from rules_engine.games.black_jack.setting import SEATED
from rules_engine.games.black_jack.table import BANK, Bet, Situation
from rules_engine.live import flow
from rules_engine.live.duties import owed
from rules_engine.live.flow import CHATTER, plain, read_incidents
from rules_engine.live.ledger import stacked
from rules_engine.live.model import Event, Moment, Setup, State
from rules_engine.ruling import Ruling
from rules_engine.situation import kind_of

# So many times the least bet each player brings, from and to.
BRINGS = (20, 100)
LEAST_PLAYERS = 3
MOST_BET = 8
# A coup is never begun with fewer cards; nor is a fault that needs certain ones.
LEAST_CARDS, FULL_SHOE = 60, 90
PLAYS, BESIDE = 0.85, 0.15


class BlackJackFlow:
    """The coups of black jack."""

    incidents = read_incidents((files(__package__) / "flow.toml").read_bytes())
    acts, seen, cards_a_coup = scene.ACTS, scene.SEEN, 16
    scene = staticmethod(scene.scene)

    def opening(self, setup: Setup, book: Rulebook, draw: any_draw.Draw) -> flow.Opening:
        places = book.table.seats
        count = max(LEAST_PLAYERS, draw.number(*SEATED[setup.habits.busy]))
        seats = sorted(draw.sample(range(1, places + 1), min(count, places - 1)))
        table = {"seats": seats, "places": places, "packs": book.table.packs, "warned": True}
        minimum = book.table.minimum
        moves = tuple(Payment("outside", str(seat), minimum * draw.number(*BRINGS)) for seat in seats)
        return flow.Opening(table=plain(table), moves=moves)

    def coup(self, state: State, book: Rulebook, draw: any_draw.Draw, wish: str) -> flow.Coup:
        c = Round(state, book, Draw(after=draw))
        if c.table["warned"] or len(c.shoe) < LEAST_CARDS:
            round.new_shoe(c)
        c.base = tuple(c.shoe)
        wrong = wish != CHATTER
        kinds = self.incidents.wished(book, wish) if len(c.shoe) >= FULL_SHOE else []
        found = fitting.find(c, kinds, self.incidents, wrong=wrong) if kinds else None
        if found is None:
            c.bets = _bets(c)
            round.placing(c)
            round.dealing(c)
            round.naturals(c)
            round.insuring(c)
        else:
            _lead_up(c, found[0])
            _incident(c, found[0], wrong=wrong)
            if not wrong:
                _granted(c, *found)
        _finish(c, fitting.done_unnoticed(found[0]) if found else ())
        return c.plan()

    def ruled(self, state: State, book: Rulebook, situation: Situation, draw: any_draw.Draw) -> tuple[Moment, ...]:
        """The rest of a coup after a ruling. What happened since is undone; cards drawn since are out of play."""
        c = Round(state, book, Draw(after=draw))
        ruling = book.rule(situation)
        c.table["warned"] &= not any(moment.shuffled for moment in state.moments)
        _take_over(c, situation)
        c.apply(situation, ruling)
        c.moment(duties=owed(ruling, "announcement", "goes_to", payments=True))
        _finish(c, fitting.done_ruled(situation))
        return tuple(c.moments)


def _finish(c: Round, made: tuple[int, ...]) -> None:
    """The coup from where it stands to its end."""
    if not c.hands and not c.bank_cards:
        round.dealing(c)
        round.naturals(c)
        round.insuring(c)
    if len(c.bank_cards) == 2 and "bank.2" in c.hidden:
        round.asking(c, made)
    round.bank_plays(c)
    round.settling(c)
    round.ended(c)


def _bets(c: Round) -> tuple[Bet, ...]:
    """Most players bet on their own seats; now and then one bets beside another."""
    seats = [seat for seat in c.seats if c.draw.chance(PLAYS)] or [c.seats[0]]
    bets = [Bet(player=str(seat), seat=seat, amount=c.minimum * c.draw.number(1, MOST_BET)) for seat in seats]
    others = [seat for seat in c.seats if seat != seats[0]]
    if others and c.draw.chance(BESIDE):
        bets.insert(1, Bet(player=str(c.draw.pick(others)), seat=seats[0], amount=c.minimum * c.draw.number(1, 4)))
    return tuple(bets)


def _lead_up(c: Round, s: Situation) -> None:
    """The coup up to the incident: its bets, its cards and what the players asked for."""
    top = stacked(tuple(c.shoe), fitting.out_of_shoe(s))
    if top is None:
        raise RuntimeError("the shoe does not have the cards of the incident")
    c.shoe, c.base = list(top), top
    c.bets = tuple(structs.replace(bet, insurance=0) for bet in s.bets)
    round.placing(c)
    if not fitting.all_dealt(s):
        _dealt_so_far(c, s)
        return
    round.dealing(c)
    if getattr(s.incident, "when", "") != "uninvited":
        round.inviting(c)
        round.insuring_as(c, s.bets)
    _asked(c, s)
    if "bank.2" in c.hidden and "bank.2" not in s.hidden:
        c.moment(Event("card", to="bank.2", card=s.bank_cards[1]))


def _dealt_so_far(c: Round, s: Situation) -> None:
    """The first cards, as many as there are; the incident comes in the middle of the deal."""
    heaps = [(f"seat{hand.seat}", hand.cards) for hand in s.hands] + [(BANK, s.bank_cards)]
    given = [(name, cards[n]) for n in (0, 1) for name, cards in heaps if n < len(cards)]
    c.moment(*(Event("card", to=name, card=card) for name, card in given), draws=c.drawn(len(given)))


def _asked(c: Round, s: Situation) -> None:
    """The seats that had their turn before the incident: they took cards, and stood."""
    made: tuple[int, ...] = ()
    for hand in s.hands:
        if hand.seat not in fitting.had_turn(s):
            continue
        round.turn(c, hand.seat, made)
        for card in hand.cards[2:]:
            c.moment(Event("call", by=str(hand.seat), says="card"))
            c.moment(Event("card", to=f"seat{hand.seat}", card=card), draws=c.drawn(1))
        if hand.seat != fitting.turn_of(s) or kind_of(s.incident) == "card_unwanted":
            c.moment(Event("call", by=str(hand.seat), says="stand"))
        made = (*made, hand.seat)


def _take_over(c: Round, s: Situation) -> None:
    c.bets, c.hands, c.bank_cards, c.loose, c.hidden = s.bets, s.hands, s.bank_cards, s.loose, s.hidden


def _incident(c: Round, s: Situation, *, wrong: bool) -> None:
    """The moment at which the incident is seen."""
    _take_over(c, s)
    more = (*s.bank_cards[2:], *s.loose)
    draws = c.drawn(len(more))
    events = [Event("card", to=BANK, card=card) for card in s.bank_cards[2:]]
    events += [Event("card", to="loose.1", card="" if "loose.1" in s.hidden else card) for card in s.loose]
    events += fitting.shown(s)
    c.moment(*events, draws=draws, facts=plain(s), kind=kind_of(s.incident), wrong=wrong)
    if wrong or kind_of(s.incident) in ("bet_placed", "player_wishes"):
        fitting.unnoticed(c, s)


def _granted(c: Round, s: Situation, ruling: Ruling) -> None:
    """A request that is allowed: chips change hands and hands are collected as the ruling has it."""
    if kind_of(s.incident) in ("even_money_asked", "surrender_wanted"):
        c.moment(duties=owed(ruling, payments=True))
        c.apply(s, ruling)
    elif kind_of(s.incident) == "insurance_placed":
        c.bets = fitting.insured(s)


FLOW = BlackJackFlow()
