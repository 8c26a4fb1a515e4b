"""Dealers that play by themselves: for the command line, for tests, and to show how the acts follow from the duties."""

from collections import Counter

from rules_engine.live.model import Act, CarryOn, Do, Duty, Give, Pay, Resume, Say, State
from rules_engine.ruling import Payment


def dutiful(state: State) -> Act:
    """The next act of a dealer who does everything that is due and never stops the game."""
    if state.stopped:
        return Resume()
    paid = Counter(state.paid)
    for number, duty in enumerate(state.moment.duties):
        if duty.payment is None:
            if number not in state.kept:
                return _done(duty)
        elif paid[duty.payment]:
            paid[duty.payment] -= 1
        else:
            return _paid(duty.payment)
    return CarryOn()


def _done(duty: Duty) -> Act:
    if duty.words:
        return Say(duty.words.formula, duty.words.slots)
    return Give(duty.key, str(duty.value)) if duty.act == "give" else Do(duty.key, duty.value)


def _paid(payment: Payment) -> Act:
    return Pay(payment.payer, payment.payee, payment.amount, payment.spot)
