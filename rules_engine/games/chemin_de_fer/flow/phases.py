"""The ordinary phases of a chemin de fer coup, each ruled on as its kind of incident."""

from collections.abc import Sequence
from typing import Any

from rules_engine.authoring import PACK, Payment
from rules_engine.games.baccarat.cards import PIPS, score
from rules_engine.games.chemin_de_fer.books import DECKS
from rules_engine.games.chemin_de_fer.claims.facts import ClaimsOpen
from rules_engine.games.chemin_de_fer.flow.coup import Coup, transfer
from rules_engine.games.chemin_de_fer.outcome import payments, winner_of
from rules_engine.games.chemin_de_fer.play.ponto_word import PontoToSpeak
from rules_engine.games.chemin_de_fer.play.turns import CoupGoesOn
from rules_engine.games.chemin_de_fer.settlement.betting_calls import BettingGoesOn
from rules_engine.games.chemin_de_fer.settlement.hand_calls import HandMoment
from rules_engine.games.chemin_de_fer.settlement.paying import StakesToSettle
from rules_engine.games.chemin_de_fer.settlement.result import CoupFinished
from rules_engine.games.chemin_de_fer.settlement.word_calls import WordSpoken
from rules_engine.games.chemin_de_fer.shoe.loading import ShoeLoaded
from rules_engine.games.chemin_de_fer.table import Call, Situation, Stake, is_natural
from rules_engine.games.chemin_de_fer.third_card import BankerToDecide
from rules_engine.live.duties import owed
from rules_engine.live.flow import article
from rules_engine.live.model import Duty, Event
from rules_engine.ruling import Ruling, Utterance

NATURAL: dict[int, Any] = {8: "eight", 9: "nine"}
WORDS = ("card", "no", "eight", "nine")
# A ponto or banker who is bound by nothing asks for a card below this score.
STANDS_FROM = 5


def called(ruling: Ruling | None, *keys: str) -> tuple[Duty, ...]:
    return owed(ruling, *(keys or ("announcement",))) if ruling else ()


def new_shoe(c: Coup) -> None:
    """The cards are shuffled and loaded; some texts burn as many as the first one shows."""
    cards = c.draw.shuffled(PACK * DECKS)
    while not PIPS[cards[0][0]]:  # art. 13 does not settle how many cards a court card burns
        cards = c.draw.shuffled(cards)
    c.shoe = list(cards)
    ruling = c.rule(ShoeLoaded(), bank=0, next=tuple(cards[:11]))
    count = int(str(ruling.get("burn_count"))) if ruling else 0
    burned = c.drawn(count)
    shown = [Event("card", to="burned", card=burned[0])] if burned else []
    duties = called(ruling, "burn_count")
    c.moment(Event("shoe", says="shoe_begins"), *shown, duties=duties, shuffled=tuple(cards), draws=burned)
    call = called(c.rule(HandMoment(event="shoe_begins")))
    if call:
        c.moment(duties=call)
    c.table["warned"] = False


def by_table(c: Coup, sides: tuple[Any, ...]) -> None:
    """It is known at the table that somebody plays by the drawing table."""
    c.by_table = sides
    c.moment(*(Event("note", says=f"table.by_table_{side}") for side in sides))


def bank_stated(c: Coup) -> None:
    """The banker states his bank, puts it up if the hand is new, and the croupier repeats it."""
    if c.table["new_hand"]:
        moves = transfer(c.banker, "bank", c.bank)
        event = Event("chips", by=c.banker, to="bank", amount=c.put_up or c.bank)
        c.table["new_hand"] = False
    else:
        moves, event = (), Event("chips", by="bank", to="bank", amount=c.put_up or c.bank)
    c.calls.clear()
    spoken = c.said(c.banker, "states_bank", c.bank)
    duties = called(c.rule(BettingGoesOn()))
    c.moment(event, spoken, duties=duties, moves=moves)
    c.repeated(duties)
    if not duties:
        # The bank is known to all, although the text fixes no words for it.
        c.calls.append(Call("croupier", "bank_of", c.bank))
    asked = called(c.rule(BettingGoesOn()))
    if asked:
        c.moment(duties=asked)
        c.repeated(asked)


def betting(c: Coup, stakes: tuple[Stake, ...]) -> None:
    """The claims and stakes of the pontos, and the words of the croupier until the betting is closed."""
    if c.claim == "banco" and c.holder:
        suivi = c.table["history"].get("lost") == c.holder and c.draw.chance(0.5)
        spoken = c.said(c.holder, "suivi" if suivi else "banco")
        duties = claim_repeated(c, stakes) if suivi else called(c.rule(BettingGoesOn()))
        c.stakes = stakes
        c.moment(spoken, *chips(stakes), duties=duties)
        c.repeated(duties)
    else:
        if c.claim == "banco_table" and c.holder:
            spoken = c.said(c.holder, "banco_table")
            c.moment(spoken, duties=claim_repeated(c, stakes))
        invited(c)
        c.stakes = stakes
        c.moment(*chips(stakes))
    close(c)


def claim_repeated(c: Coup, stakes: tuple[Stake, ...]) -> tuple[Duty, ...]:
    """The croupier repeats what a player has just called, if the text has him do so and the player has the right."""
    calls = tuple(call for call in c.calls if call.by != c.banker)
    ruling = c.rule(ClaimsOpen(**c.table["history"]), calls=calls, stakes=stakes)
    return called(ruling) if ruling and ruling.get("cards_to") == c.holder else ()


def invited(c: Coup) -> None:
    """The croupier invites the pontos to stake, if the text has words for it."""
    # What a player said since does not change the words that are due.
    calls = [call for call in c.calls if call.says != "banco_table"]
    duties = called(c.rule(BettingGoesOn(waited=True), calls=tuple(calls)))
    if any(duty.words and duty.words.formula == "place_bets" for duty in duties):
        c.moment(duties=duties)
        c.repeated(duties)


def chips(stakes: tuple[Stake, ...]) -> list[Event]:
    return [Event("chips", by=one.player, to="line" if one.line else one.player, amount=one.amount) for one in stakes]


def close(c: Coup) -> None:
    """The last words of the betting. Where a text fixes none, the croupier still closes it."""
    for _ in range(2):
        duties = called(c.rule(BettingGoesOn(waited=True)))
        if duties:
            c.moment(duties=duties)
            c.repeated(duties)
        if c.closed:
            return
    c.moment(c.said("croupier", "closed"))


def cards_to(c: Coup) -> Ruling | None:
    """Who has a right to the cards."""
    # The banker's own words are no claim.
    calls = tuple(call for call in c.calls if call.by != c.banker)
    ruling = c.rule(ClaimsOpen(**c.table["history"]), calls=calls)
    if ruling is None:
        return None
    holder, right = ruling.get("cards_to"), ruling.get("right")
    if isinstance(holder, str) and holder in c.pontos():
        c.holder = holder
        c.claim = "banco" if right == "suivi" else right
    return ruling


def deal(c: Coup, count: int = 4) -> None:
    """Two cards each, one by one, face down. The warning card may come out before or between them."""
    behind = c.book.number("warning_card_behind") if "warning_card_behind" in c.book.law.numbers else 7
    kept = tuple(c.table.pop("kept", ()))
    need = count - len(c.ponto) - len(c.banker_cards) - len(kept)
    if len(c.shoe) - need <= behind + 2 and not c.last_of_shoe:
        c.last_of_shoe = True
        c.moment(Event("shoe", says="warning_card"), duties=called(c.rule(HandMoment(event="warning_card"))))
    draws = c.drawn(max(0, need))
    cards, events = list(kept + draws), []
    while cards:
        heap = "ponto" if len(c.ponto) <= len(c.banker_cards) else "banker"
        hand = (*(c.ponto if heap == "ponto" else c.banker_cards), cards.pop(0))
        ref = f"{heap}.{len(hand)}"
        if heap == "ponto":
            c.ponto = hand
        else:
            c.banker_cards = hand
        c.hidden = (*c.hidden, ref)
        events.append(Event("card", to=ref))
    c.moment(*events, draws=draws)


def passing(c: Coup, right: Ruling | None) -> None:
    """The croupier passes the ponto's cards to whoever has a right to them."""
    c.passed = True
    c.moment(duties=called(right, "cards_to"))


def ponto_speaks(c: Coup) -> None:
    """The ponto looks at his cards and speaks; the croupier repeats it."""
    wish: Any = c.draw.pick(("draw", "stand"))
    ruling = c.rule(PontoToSpeak(wish=wish))
    words = ruling.get("ponto_words") if ruling else None
    held = score(c.ponto)
    default = NATURAL.get(held, "card" if held < STANDS_FROM or (held == STANDS_FROM and wish == "draw") else "no")
    word = getattr(words, "formula", None) or default
    spoken = c.said("ponto", word)
    shown = c.turned("ponto") if word in NATURAL.values() else []
    duties = word_repeated(c)
    c.moment(spoken, *shown, duties=duties)
    c.repeated(duties)
    if not duties:
        c.calls.append(Call("croupier", word))


def word_repeated(c: Coup, **facts: Any) -> tuple[Duty, ...]:
    """The ponto's word again, in the words that the text fixes or, if it only has him repeat it, in the ponto's own."""
    fixed = called(c.rule(WordSpoken(), **facts))
    if fixed:
        return fixed
    ruling = c.rule(CoupGoesOn(), **facts)
    if ruling is None or ruling.get("next_act") != "croupier_repeats":
        return ()
    words = Utterance(_word(c, **facts))
    return called(ruling) or (Duty("say", article(ruling, "next_act"), "announcement", words=words),)


def repetition(c: Coup, s: Situation) -> tuple[Duty, ...]:
    """What the croupier owes if the ponto has just spoken: his word again."""
    words = [index for index, call in enumerate(s.calls) if call.by == "ponto" and call.says in WORDS]
    if not words:
        return ()
    return word_repeated(c, calls=s.calls[: words[0] + 1])


def banker_plays(c: Coup) -> None:
    """The banker turns up his cards, gives the ponto his third card and decides about his own."""
    shown, word = c.turned("banker"), _word(c)
    natural = is_natural(c.banker_cards)
    if natural and word not in NATURAL.values():
        spoken = c.said("banker", NATURAL[score(c.banker_cards)])
        duties = called(c.rule(WordSpoken()))
        c.moment(*shown, spoken, duties=duties)
        c.repeated(duties)
        return
    third_given(c, *shown)
    if word not in NATURAL.values() and not natural and len(c.banker_cards) == 2:
        _banker_draws(c)


def third_given(c: Coup, *shown: Event) -> None:
    """The ponto gets the third card, if he asked for one and has none."""
    draws = c.drawn(1) if _word(c) == "card" and len(c.ponto) == 2 else ()
    c.ponto += draws
    c.moment(*shown, *(Event("card", to="ponto.3", card=card) for card in draws), draws=draws)


def _banker_draws(c: Coup) -> None:
    wish: Any = c.draw.pick(("draw", "stand"))
    ruling = c.rule(BankerToDecide(wish=wish))
    if ruling and ruling.after:
        draws_card = len(ruling.after.heap("banker")) == 3
    else:
        draws_card = score(c.banker_cards) < STANDS_FROM
    if draws_card:
        draws = c.drawn(1)
        c.banker_cards += draws
        c.moment(Event("card", to="banker.3", card=draws[0]), draws=draws)


def _word(c: Coup, calls: Sequence[Call] = ()) -> str:
    return next((call.says for call in reversed(calls or c.calls) if call.by == "ponto"), "")


def result(c: Coup) -> None:
    """Both hands lie open, and the croupier announces the result."""
    shown = [*c.turned("ponto"), *c.turned("banker")]
    c.winner = winner_of(score(c.ponto), score(c.banker_cards))
    c.moment(*shown, duties=called(c.rule(CoupFinished())))


def settling(c: Coup, due: tuple[Duty, ...] = ()) -> None:
    """The stakes are paid or collected, then the cards are thrown away."""
    paid: tuple[Payment, ...] = tuple(duty.payment for duty in due if duty.payment)
    if c.winner in ("ponto", "banker") and not due and c.stakes:
        incident = StakesToSettle(winner=c.winner, initial=c.table["regular"])  # type: ignore[arg-type]
        ruling = c.rule(incident)
        if ruling and ruling.after:
            due, paid = owed(ruling, payments=True), ruling.after.payments
        else:
            paid = payments(Situation(**c.facts(), incident=HandMoment(event="shoe_begins")), c.book, c.winner)
            due = tuple(Duty("pay", "", payment=one) for one in paid)
    won = sum(one.amount for one in paid if one.payee == "bank")
    lost = sum(one.amount for one in paid if one.payer == "bank")
    c.table["won"], c.table["paid"] = won, lost
    c.moment(duties=due, settles=True)
