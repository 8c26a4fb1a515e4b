"""The end of a coup: scores compared, the winner, the words, and who is paid."""

from collections.abc import Iterable

from rules_engine.authoring import NotRegulated, Payment, Reasoning, Rulebook, Utterance
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import PT
from rules_engine.games.chemin_de_fer.order import RANKS, neighbours_first
from rules_engine.games.chemin_de_fer.table import Situation, Stake, another_score, result_words

# Where a rulebook says that the higher score wins and equal scores void the coup; the others take it for granted.
COMPARED = {PT[0]: ("2 s2", "2 s1"), "pt-chemin-de-fer-1995": ("2 s2", "2 s1")}


def worth(stake: Stake, book: Rulebook) -> int:
    """What a stake plays for: half, if it is on the line."""
    if not stake.line:
        return stake.amount
    if "line_stake_divisor" not in book.law.numbers:
        raise NotRegulated("arts. 1 to 4 do not speak of chips on the line")
    return stake.amount // book.number("line_stake_divisor")


def payments(s: Situation, book: Rulebook, winner: str, *, origin: str | None = None) -> tuple[Payment, ...]:
    """The stakes against the bank, paid or collected from the right of `origin`, by default the banker.

    Winning stakes stay with their owners.
    """
    if winner not in ("ponto", "banker"):
        return ()
    origin = origin or s.banker
    ranks = RANKS[origin[0]]
    served = sorted(s.stakes, key=lambda stake: ranks[stake.player])
    if book.readings:
        order = neighbours_first(book, origin, tuple(stake.player for stake in served))
        served.sort(key=lambda stake: order.index(stake.player))
    paid: list[Payment] = []
    for stake in served:
        player, amount = stake.player, worth(stake, book) if stake.line else stake.amount
        paid.append(Payment("bank", player, amount) if winner == "ponto" else Payment(player, "bank", amount))
    return tuple(paid)


def winner_of(ponto: int, banker: int) -> str:
    return "tie" if ponto == banker else "ponto" if ponto > banker else "banker"


def settle(
    s: Situation,
    r: Reasoning,
    *,
    ponto: tuple[str, ...],
    banker: tuple[str, ...],
    burned: tuple[str, ...] = (),
    next_coup: tuple[str, ...] = (),
    shoe: tuple[str, ...] = (),
    ponto_score: int | None = None,
    banker_score: int | None = None,
    no_tie: bool = False,
) -> None:
    """Decide the coup on these final cards: scores, winner, announcement, payments and where every card lies.

    `ponto_score` or `banker_score` is a score that a rule awards whatever the cards are. `no_tie`: equal scores are the
    ponto's.
    """
    ponto_score = score(ponto) if ponto_score is None else ponto_score
    banker_score = score(banker) if banker_score is None else banker_score
    winner = winner_of(ponto_score, banker_score)
    won_tie = no_tie and winner == "tie"
    winner = "ponto" if won_tie else winner
    r.outcome(ponto_score=ponto_score, banker_score=banker_score)
    if r.book.coded_as in COMPARED and not won_tie:
        higher, equal = COMPARED[r.book.coded_as]
        text = "scores_equal" if winner == "tie" else "higher_wins"
        r.step(equal if winner == "tie" else higher, text, ponto=ponto_score, banker=banker_score, winner=winner)
    r.choice("winner", winner, critical=True)
    if won_tie:
        wrong = result_words(ponto_score, another_score(s, ponto_score))
        wrong = (Utterance("tie", {"score": ponto_score}), *wrong[:2])
        r.words("result", tempting=wrong, ponto=ponto_score, banker=banker_score)
    else:
        announce_result(s, r, ponto_score, banker_score)
    paid = payments(s, r.book, winner)
    r.after(lying(ponto=ponto, banker=banker, burned=burned, next_coup=next_coup, shoe=shoe, payments=paid))


def annul(s: Situation, r: Reasoning, *, refs: Iterable[str] = ()) -> None:
    """The coup does not count: nobody wins, every card that left the shoe is burned, the stakes stay where they are.

    `refs` are the cards to ask about one by one, if the fault concerns them.
    """
    r.choice("coup", "annulled", tempting=("stands", "restored"), critical=True)
    for ref in refs:
        r.fate(ref, "burned")
    r.choice("winner", "nobody", critical=True)
    r.after(lying(burned=(*s.ponto, *s.banker_cards, *s.loose), shoe=s.next))


def announce_result(s: Situation, r: Reasoning, ponto: int, banker: int) -> None:
    """The result in the words of the rulebook, with tempting wrong versions."""
    if "result" not in r.book.formulas:
        return
    if ponto != banker:
        r.words("result", tempting=result_words(ponto, banker), ponto=ponto, banker=banker)
    else:
        r.words("tie", tempting=result_words(ponto, another_score(s, ponto)), score=ponto)
