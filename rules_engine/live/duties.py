"""The dealer's duties: which of them an act fulfils, and what happens to those left undone."""

from collections import Counter
from collections.abc import Iterable

from msgspec import structs

from rules_engine.announcements import heard_as
from rules_engine.live import ledger
from rules_engine.live.flow import article
from rules_engine.live.model import Act, Do, Duty, Event, Give, Pay, Say, State, What
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Payment, Ruling, Utterance

# Decisions of rulings by which somebody gets something: the cards, the bank, a card.
GIVEN = ("cards_to", "passes_cards", "bank_to", "goes_to", "handler", "shooter")
Key = tuple[str, str, str]


def owed(ruling: Ruling, *keys: str, payments: bool = False) -> tuple[Duty, ...]:
    """The duties that follow from these decisions of a ruling and, if wanted, from its payments."""
    found: list[Duty] = []
    for key in keys:
        value = ruling.get(key)
        if isinstance(value, Utterance):
            found.append(Duty("say", article(ruling, key), key, words=value, open=not ruling.exam_safe))
        elif isinstance(value, str | int):
            given = key.partition(".")[0] in GIVEN
            left = given and not ruling.exam_safe
            found.append(Duty("give" if given else "do", article(ruling, key), key, value=value, open=left))
    if payments and ruling.after is not None:
        found += [Duty("pay", article(ruling), payment=one) for one in ruling.after.payments]
    return tuple(found)


def belongs(state: State, done: Act, book: Rulebook) -> bool:
    """Whether something of this kind is due at this moment: for chips, a payment between the same two on this spot."""
    if isinstance(done, Pay):
        key = (done.payer, done.payee, done.spot)
        return any(duty.payment and _key(duty.payment) == key for duty in state.moment.duties)
    return any(_meets(done, duty, book) for duty in state.due)


def all_done(state: State) -> bool:
    """Whether everything that is due at this moment is done, and every payment made exactly."""
    kept, of = payments_kept(state)
    return kept == of and not any(duty.payment is None for duty in state.due)


def perform(state: State, done: Act, book: Rulebook) -> tuple[State, tuple[Event, ...]]:
    """An act is carried out, right or wrong, and looks the same either way."""
    if isinstance(done, Pay):
        return _pay(state, done)
    due = [(number, duty) for number, duty in enumerate(state.moment.duties) if number not in state.kept]
    number = next((number for number, duty in due if _meets(done, duty, book)), None)
    kept = state.kept if number is None else (*state.kept, number)
    totals = state.totals
    if number is None and not _left_open(done, due):
        totals = structs.replace(totals, needless=totals.needless + 1)
    elif number is not None:
        totals = structs.replace(totals, kept=totals.kept + 1)
    return structs.replace(state, kept=kept, totals=totals), (_seen(done),)


def _left_open(done: Act, due: Iterable[tuple[int, Duty]]) -> bool:
    """Whether these are words where the text leaves open which are due."""
    return isinstance(done, Say) and any(duty.words and duty.open for _number, duty in due)


def _meets(done: Act, duty: Duty, book: Rulebook) -> bool:
    if isinstance(done, Say):
        return duty.words is not None and _heard(done, duty.words, duty.key, book)
    if isinstance(done, Give):
        return duty.act == "give" and duty.key == done.key and duty.value == done.to
    return isinstance(done, Do) and duty.act == "do" and duty.key == done.key and duty.value == done.value


def _heard(done: Say, due: Utterance, key: str, book: Rulebook) -> bool:
    """Whether these are the words that are due. Slots that the standard wording leaves out need not be given."""
    formula, language = book.formula(due.formula), book.language_of(key)
    if done.text:
        return heard_as(formula, due, done.text, language)
    needed = {name for name in due.slots if f"{{{name}" in formula.text[language]}
    fits = all(due.slots.get(name) == value for name, value in done.slots.items())
    return done.formula == due.formula and fits and needed <= done.slots.keys()


def _seen(done: Act) -> Event:
    if isinstance(done, Say):
        text = {"text": done.text} if done.text else {}
        return Event("call", by="croupier", says=done.formula, values={**done.slots, **text})
    if isinstance(done, Give):
        return Event("call", by="croupier", says=done.key, to=done.to)
    assert isinstance(done, Do)  # noqa: S101 (the only act left)
    return Event("call", by="croupier", says=done.key, values={"value": done.value})


def _pay(state: State, done: Pay) -> tuple[State, tuple[Event, ...]]:
    payment = Payment(done.payer, done.payee, done.amount, done.spot)
    return structs.replace(state, paid=(*state.paid, payment)), (_moved(payment),)


def _moved(payment: Payment, *, by: str = "croupier") -> Event:
    what: What = "chips" if by == "croupier" else "put_right"
    values = {"spot": payment.spot} if payment.spot else {}
    return Event(what, by=payment.payer, to=payment.payee, amount=payment.amount, values=values)


def payments_kept(state: State) -> tuple[int, int]:
    """How many of the payments due at this moment were made exactly, and how many are due."""
    owing = [duty.payment for duty in state.moment.duties if duty.payment]
    due, paid = _sums(owing), _sums(state.paid)
    return sum(paid[_key(payment)] == due[_key(payment)] for payment in owing), len(owing)


def closed(state: State) -> tuple[State, tuple[Event, ...]]:
    """The moment ends. What was paid stays paid, and the inspector puts the difference right."""
    owing = [duty.payment for duty in state.moment.duties if duty.payment]
    due, paid = _sums(owing), _sums(state.paid)
    put_right = [Payment(*key[:2], amount, key[2]) for key, amount in (due - paid).items()]
    put_right += [Payment(key[1], key[0], amount, key[2]) for key, amount in (paid - due).items()]
    kept, _of = payments_kept(state)
    undone = sum(not duty.payment and number not in state.kept for number, duty in enumerate(state.moment.duties))
    totals = structs.replace(
        state.totals,
        kept=state.totals.kept + kept,
        missed=state.totals.missed + undone + len(owing) - kept,
        overpaid=state.totals.overpaid + (paid - due).total(),
        underpaid=state.totals.underpaid + (due - paid).total(),
    )
    state = ledger.move(state, (*state.paid, *put_right))
    events = tuple(_moved(one, by="inspector") for one in put_right)
    return structs.replace(state, totals=totals, paid=()), events


def _key(payment: Payment) -> Key:
    return payment.payer, payment.payee, payment.spot


def _sums(payments: Iterable[Payment]) -> Counter[Key]:
    found: Counter[Key] = Counter()
    for one in payments:
        found[_key(one)] += one.amount
    return found
