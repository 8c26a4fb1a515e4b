"""Tables for generators of claims: players, and a log of calls with the sums that go with them."""

from typing import Any

from rules_engine.authoring import Rulebook
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.association import least_seated
from rules_engine.games.chemin_de_fer.claims.facts import SOLO, ClaimsOpen
from rules_engine.games.chemin_de_fer.order import from_right
from rules_engine.games.chemin_de_fer.setting import STANDING, foreigners, money, places, pontos, seated_pontos
from rules_engine.games.chemin_de_fer.table import Call, Situation, Stake

Facts = dict[str, Any]
FACE_DOWN = ("ponto.1", "ponto.2", "banker.1", "banker.2")


def company(
    draw: Draw, book: Rulebook, difficulty: int, *, seated: int = 3, standing: int = 0, partners: bool = False
) -> Facts:
    """Players, a banker and a bank. `standing` is the least number of standing players, `seated` of seated pontos.

    `partners`: enough are seated for a partnership.
    """
    count = max(standing, draw.number(*STANDING[difficulty]))
    level = difficulty if seated <= 3 else max(difficulty, 2)
    least = least_seated(book) if partners else 0
    table = places(draw, level, standing=count, seated=least)
    return table | money(draw, book) | foreigners(draw, book, difficulty)


def seat_pontos(facts: Facts) -> list[str]:
    """The seated pontos from the banker's right."""
    return list(seated_pontos(facts))


def standers(facts: Facts) -> list[str]:
    """The standing players from the banker's right."""
    return list(from_right(facts["banker"], facts["standing"]))


def callers(facts: Facts) -> list[str]:
    """Everybody who could call, in order of priority."""
    return list(pontos(facts))


def rivals(draw: Draw, facts: Facts, difficulty: int, *, beside: str) -> list[str]:
    """Others who also call, in no particular order. The nearest to the banker's right is among them, so that order
    alone would give the bank to somebody else."""
    others = [place for place in callers(facts) if place != beside]
    more = draw.sample(others[1:], min(difficulty // 2, len(others) - 1))
    return draw.shuffled([others[0], *more])


def close() -> Call:
    return Call("croupier", "closed")


def side_stakes(draw: Draw, facts: Facts, *, among: list[str] | None = None, top: str | None = None) -> list[Stake]:
    """Different stakes, the largest first and seated, together within the bank and each below half of it."""
    players = among or draw.sample(callers(facts), 3)
    first = top or draw.pick([place for place in players if place.isdigit()] or seat_pontos(facts))
    rest = [place for place in players if place != first][:3]
    share = facts["bank"] // 5 // facts["unit"]
    amounts = sorted(draw.sample(range(max(1, share // 2), share + 1), len(rest)), reverse=True)
    stakes = [Stake(place, amount * facts["unit"]) for place, amount in zip(rest, amounts, strict=False)]
    return [Stake(first, (share + draw.number(1, share // 2)) * facts["unit"]), *stakes]


def talk(
    facts: Facts,
    calls: list[Call],
    incident: ClaimsOpen,
    *,
    stakes: list[Stake] | None = None,
    draw: Draw | None = None,
) -> Situation:
    """The situation after these calls. Whoever asks for the bank puts the sum down, unless `stakes` says otherwise.

    With `draw`, the cards have been dealt and are face down.
    """
    if stakes is None:
        asking = dict.fromkeys(call.by for call in calls if call.says in (*SOLO, "suivi", "banco_partners"))
        stakes = [Stake(place, facts["bank"]) for place in asking]
    dealt: Facts = {}
    if draw:
        dealt = {"ponto": (draw.card(), draw.card()), "banker_cards": (draw.card(), draw.card()), "hidden": FACE_DOWN}
    opening = Call("croupier", "bank_of", facts["bank"])
    return Situation(**facts, **dealt, stakes=tuple(stakes), calls=(opening, *calls), incident=incident)
