"""What the players may do with their stakes after a fault in the deal, and whether enough stays for the coup.

Sanremo applies one formula, «chi punta accetta» (57 s3), wherever a fault lets the players think again, and annuls
the coup when what stays is less than the table's minimum (57 s4, 61 s6, 65 s3).
"""

from typing import Any

from rules_engine.authoring import After, ImpossibleFacts, Reasoning, Rulebook, Sentence, Utterance
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import PT, SPAIN
from rules_engine.games.chemin_de_fer.game import domain
from rules_engine.games.chemin_de_fer.order import from_right
from rules_engine.games.chemin_de_fer.setting import coup, seated_pontos
from rules_engine.games.chemin_de_fer.table import Call, Situation, Stake

domain(
    "stakes_may",
    "unchanged",
    "add_difference",
    "withdraw",
    "withdraw_or_reduce",
    "change",
    "stake_anew",
    "refuse_banco",
    # Only Sanremo lets stakes change like this after a fault in the deal.
    unknown={
        SPAIN: ("add_difference", "withdraw_or_reduce", "change", "stake_anew", "refuse_banco"),
        **dict.fromkeys(PT, ("add_difference", "withdraw_or_reduce", "stake_anew", "refuse_banco")),
    },
)
# At most this many other formulas are offered beside the right one.
TEMPTING_FORMULAS = 3

Kept = tuple[Stake, ...] | None


def check_kept(s: Situation, kept: Kept) -> None:
    """Check that what stays belongs to players at the table, and not to the banker."""
    if kept is not None and s.loose:
        raise ImpossibleFacts("loose", "no card lies loose when the players are asked")
    present = {str(seat) for seat in s.seats} | set(s.standing)
    for index, stake in enumerate(kept or ()):
        if stake.player not in present or stake.player == s.banker:
            raise ImpossibleFacts(f"incident.kept[{index}].player", "no ponto is at {place}", place=stake.player)


def who_stakes_accepts(r: Reasoning) -> None:
    """The announcement that gives the players the choice."""
    spoken = [formula for formula in r.book.formulas.values() if formula.by == "croupier"]
    others = [formula.name for formula in spoken if "{" not in formula.text[r.book.language]]
    wrong = [Utterance(name) for name in others if name != "who_stakes_accepts"]
    r.words("who_stakes_accepts", tempting=wrong[:TEMPTING_FORMULAS])


def enough_left(
    s: Situation,
    r: Reasoning,
    kept: tuple[Stake, ...],
    cite: str,
    *,
    stands: str = "stands",
    after: After | None = None,
) -> None:
    """Whether the coup goes on, as it `stands`, with what the players left on the table."""
    total = sum(stake.amount for stake in kept)
    goes_on = total >= s.minimum
    text = "deal.enough_left" if goes_on else "deal.too_little_left"
    r.pivot(cite, text, total=total, minimum=s.minimum)
    r.choice("coup", stands if goes_on else "annulled", critical=True)
    dealt = after or lying(ponto=s.ponto, banker=s.banker_cards, shoe=s.next)
    r.after(dealt if goes_on else lying(burned=(*s.ponto, *s.banker_cards), shoe=s.next))


def kept_sentence(kept: Kept) -> list[Sentence]:
    """Tells what stays on the table after the players have used their right."""
    if kept is None:
        return []
    if not kept:
        return [("incident.deal_nothing_kept", {})]
    return [("incident.deal_kept", {"total": sum(stake.amount for stake in kept), "players": _players(kept)})]


def wish_sentence(wish: str) -> Sentence:
    """What the banker would do about a further card, if free."""
    return f"incident.deal_would_{wish}", {}


def _players(kept: tuple[Stake, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(stake.player for stake in kept))


def near_minimum(draw: Draw, book: Rulebook, difficulty: int) -> tuple[dict[str, Any], tuple[Stake, ...]]:
    """A closed table where three pontos staked, and those of them who stay: just below, at or above the minimum."""
    facts = coup(draw, book, difficulty)
    unit, minimum = facts["unit"], facts["minimum"]
    holder, second, third = draw.sample(seated_pontos(facts), 3)
    large, small, middle = Stake(holder, max(minimum - unit, unit)), Stake(second, unit), Stake(third, 2 * unit)
    facts |= {"holder": holder, "claim": "stake", "stakes": (large, small, middle)}
    easy = [(large, small, middle), (small,), ()]
    hard = [(large,), (large, small), (large, middle), (small, middle)]
    return facts, draw.pick(hard if difficulty >= 2 else easy)


def still_open(facts: dict[str, Any]) -> dict[str, Any]:
    """The same table before the betting was closed: nobody has the cards yet."""
    calls = tuple(call for call in facts["calls"] if call != Call("croupier", "closed"))
    return facts | {"calls": calls, "holder": None, "claim": None}


def is_closed(s: Situation) -> bool:
    return any(call.says == "closed" for call in s.calls)


def by_the_hand(s: Situation, players: tuple[str, ...]) -> str:
    """In order from the banker's right."""
    return from_right(s.banker, players)[0]
