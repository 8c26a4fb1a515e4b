"""How the bets of a black jack table end: matches the payments of the ruling with bets."""

from collections import Counter

from training.drawing.scene import Scene

HOUSE = "house"
Key = tuple[str, str]  # player, and where the chips lie: `seat4b`, or `insurance.seat4` on the insurance line


def results(scene: Scene) -> Counter[Key]:
    """What each bet earned or lost. A payment without a spot counts if the player has only one bet."""
    found: Counter[Key] = Counter()
    bets = scene.situation.bets
    lying = [(bet.player, bet.spot) for bet in bets] + [(bet.player, bet.line) for bet in bets if bet.insurance]
    for payment in scene.after.payments if scene.after else ():
        lost = payment.payee == HOUSE
        player = payment.payer if lost else payment.payee
        meant = [key for key in lying if key[0] == player and payment.spot in ("", key[1])]
        if len(meant) == 1:
            found[meant[0]] += -payment.amount if lost else payment.amount
    return found
