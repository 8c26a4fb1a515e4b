"""The bets at a ponto e banca table and how the ruling ends them."""

from collections import defaultdict

from rules_engine.games.ponto_banca.table import Situation
from training.drawing.scene import Scene

HOUSE = "house"
Bets = dict[tuple[str, str], int]  # by player and chance


def bets_of(situation: Situation) -> Bets:
    """What each player has bet on each chance, in the order of the seats."""
    found: Bets = defaultdict(int)
    for bet in sorted(situation.bets, key=lambda bet: bet.player):
        found[bet.player, bet.on] += bet.amount
    return found


def results(scene: Scene, bets: Bets) -> Bets:
    """What each bet earned or lost. In rulings that do not name the chance of a payment, a collected amount is matched
    with a whole bet, paid ones with the other bets."""
    found: Bets = {}
    payments = scene.after.payments if scene.after else ()
    for payment in (one for one in payments if one.spot):
        lost = payment.payee == HOUSE
        bet = (payment.payer if lost else payment.payee, payment.spot)
        found[bet] = found.get(bet, 0) + (-payment.amount if lost else payment.amount)
    payments = tuple(one for one in payments if not one.spot)
    for payment in sorted(payments, key=lambda payment: not payment.payer[:1].isdigit()):
        lost = payment.payer[:1].isdigit()
        player = payment.payer if lost else payment.payee
        open_bets = [bet for bet in bets if bet[0] == player and bet not in found]
        whole = [bet for bet in open_bets if lost and bets[bet] == payment.amount]
        for bet in (whole or open_bets)[:1]:
            found[bet] = -payment.amount if lost else payment.amount
    return found


def winning(scene: Scene, results: Bets) -> set[str]:
    """The chances that won, as the ruling says or as it pays."""
    if scene.after is None:
        return set()
    return {chance for (_player, chance), result in results.items() if result > 0} | {
        str(scene.decided.get("winner", ""))
    }
