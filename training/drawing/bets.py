"""What the bets on a layout earned or lost."""

from training.drawing.scene import Scene

HOUSE = "house"


def bet_results(scene: Scene) -> dict[int, int]:
    """What each bet earned or lost, by its place in the list; several of one player on a spot in their order."""
    results: dict[int, int] = {}
    for payment in scene.after.payments if scene.after else ():
        won = payment.payer == HOUSE
        player = payment.payee if won else payment.payer
        for index, bet in enumerate(scene.situation.bets):
            if index not in results and (bet.player, bet.spot) == (player, payment.spot):
                results[index] = payment.amount if won else -payment.amount
                break
    return results
