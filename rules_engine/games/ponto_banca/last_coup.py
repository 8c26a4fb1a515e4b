"""The warning card comes out: the announcement, the end of the coup, what may follow it. 1995: 6 s1, 6 s2."""

from rules_engine.errors import ImpossibleFacts
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.ponto_banca.books import TEXTS_1995, articles
from rules_engine.games.ponto_banca.calls import Call
from rules_engine.games.ponto_banca.game import case, domain, rule
from rules_engine.games.ponto_banca.outcome import due, explain_draws, finish, play_out
from rules_engine.games.ponto_banca.setting import closed, in_order, table
from rules_engine.games.ponto_banca.table import Incident, Situation
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Reasoning, Utterance

domain("then", "another_coup", "new_shuffle")


class WarningCardOut(Incident, frozen=True, tag="warning_card_out"):
    """In the course of a coup the shoe gives the warning card; the cards so far lie where they belong."""

    def check(self, situation: Situation) -> None:
        ponto, banker = len(situation.ponto), len(situation.banker_cards)
        if banker > 2 or ponto > 3 or (banker < 2 and ponto - banker not in (0, 1)):
            raise ImpossibleFacts("ponto", f"{ponto} and {banker} cards are not a coup under way")

    def marks(self) -> tuple[str, ...]:
        return ("warning_card",)


class AnotherCoup(Incident, frozen=True, tag="another_coup"):
    """A coup has just ended and the players ask for one more from this shoe; the calls say what was announced."""

    left: int

    def check(self, situation: Situation) -> None:
        if self.left < 0:
            raise ImpossibleFacts("incident.left", "fewer cards than none")


@rule(WarningCardOut, *TEXTS_1995)
def warning_card_out(s: Situation, incident: WarningCardOut, r: Reasoning) -> None:
    if due(r.book, s.ponto, s.banker_cards) is None:
        raise ImpossibleFacts("ponto", "the coup is over: the shoe gives nothing more")
    played = play_out(r.book, s.next, ponto=s.ponto, banker=s.banker_cards)
    r.pivot("6 s1", "last_coup")
    r.pivot("6 s2", "then_shuffle")
    r.words("last_coup", tempting=[Utterance("bets_closed")])
    r.choice("coup", "stands", critical=True)
    r.choice("then", "new_shuffle")
    explain_draws(r, played, pivot=False)
    finish(s, r, played)


@rule(AnotherCoup, *TEXTS_1995)
def another_coup(s: Situation, incident: AnotherCoup, r: Reasoning) -> None:
    out = any(call.says == "last_coup" for call in s.calls)
    r.pivot("6 s2", "then_shuffle" if out else "shoe_goes_on", left=incident.left)
    r.choice("allowed", "refused" if out else "allowed", critical=True)


@case("shoe", articles("6 s1", "6 s2"))
def warning_card_in_coup(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: before the first card. Harder: among the first four, then before a third card."""
    facts = closed(draw, book, difficulty)
    ponto, banker = draw.hand(draw.number(0, 5)), draw.hand(draw.number(0, 2 if difficulty == 5 else 6))
    row = in_order(ponto, banker)
    out = {1: 0, 2: 0, 3: draw.number(1, 3), 4: 4, 5: draw.pick((4, 5))}[difficulty]
    rest = [*row[out:], draw.card(), draw.card()]
    given = list(row[:out])
    if out == 5:
        given.append(rest.pop(0))
    # Out of the shoe in turn: the ponto has the first, the third and the fifth card.
    return Situation(
        **facts,
        ponto=tuple(given[0::2]),
        banker_cards=tuple(given[1:4:2]),
        next=tuple(rest),
        incident=WarningCardOut(),
    )


@case("shoe", articles("6 s2"))
def one_more_coup(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty)
    out = draw.chance(0.5)
    calls = (Call("croupier", "closed"), *((Call("croupier", "last_coup"),) if out else ()))
    left = draw.number(8, 12) if out else draw.number(14, 20)
    return Situation(**facts, calls=calls, incident=AnotherCoup(left=left))
