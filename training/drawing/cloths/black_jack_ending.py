"""How the bets of a black jack table end: which bet each payment of the ruling is about."""

from fractions import Fraction

from rules_engine.games.black_jack.table import Bet
from training.drawing.scene import Scene

HOUSE = "house"
INSURED = 0  # stands for the hand where chips lie on the line
Key = tuple[str, int, int]  # player, seat, hand
# What of a bet may be collected or paid: all, half of it; the same, three to two, double.
LOST, WON = (Fraction(1), Fraction(1, 2)), (Fraction(1), Fraction(3, 2), Fraction(2))


def results(scene: Scene) -> dict[Key, int]:
    """What each bet earned or lost. Payments come in the order of the bets; those that stay have none."""
    found: dict[Key, int] = {}
    sums = {key: amount for bet in scene.situation.bets for key, amount in _sums(bet)}
    for payment in scene.after.payments if scene.after else ():
        lost = payment.payee == HOUSE
        player = payment.payer if lost else payment.payee
        own = [key for key in sums if key[0] == player and key not in found]
        fits = [key for key in own if Fraction(payment.amount, sums[key]) in (LOST if lost else WON)]
        for key in (fits or own)[:1]:
            found[key] = -payment.amount if lost else payment.amount
    return found


def _sums(bet: Bet) -> list[tuple[Key, int]]:
    lying = [((bet.player, bet.seat, bet.hand), bet.amount), ((bet.player, bet.seat, INSURED), bet.insurance)]
    return [(key, amount) for key, amount in lying if amount]
