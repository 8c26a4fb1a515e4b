"""The warning card comes out: the announcement, the end of the coup, what may follow it. 1995: 6 s1, 6 s2."""

from typing import ClassVar

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence, Utterance
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.ponto_banca.books import TEXTS_1995, articles
from rules_engine.games.ponto_banca.calls import Call
from rules_engine.games.ponto_banca.game import case, domain, rule
from rules_engine.games.ponto_banca.outcome import Played, due, explain_draws, finish, play_out
from rules_engine.games.ponto_banca.setting import cards, closed, ending, in_order, table
from rules_engine.games.ponto_banca.table import Incident, Situation

domain("then", "another_coup", "new_shuffle")
FIRST_FOUR = 4


class WarningCardOut(Incident, frozen=True, tag="warning_card_out"):
    """During a coup the shoe gives the warning card; the cards so far lie where they belong.

    `at_mouth`: it has not come out, but is visible at the mouth of the shoe as the next card.
    """

    at_mouth: bool = False

    def narration(self) -> list[Sentence]:
        return [(f"incident.warning_card_{'at_mouth' if self.at_mouth else 'out'}", {})]

    def asked(self, name: str, situation: Situation) -> Sentence | None:
        if name != "announcement":
            return None
        return f"question.announcement_{'when_out' if self.at_mouth else 'warning'}", {}

    def sorts(self, situation: Situation) -> set[str]:
        out = len(situation.ponto) + len(situation.banker_cards)
        return {"at the mouth" if self.at_mouth else "out", "first cards" if out < FIRST_FOUR else "third cards"}

    def check(self, situation: Situation) -> None:
        ponto, banker = len(situation.ponto), len(situation.banker_cards)
        if (
            (banker > 2 and not self.at_mouth)
            or banker > 3
            or ponto > 3
            or (banker < 2 and ponto - banker not in (0, 1))
        ):
            raise ImpossibleFacts(
                "ponto", "{ponto} and {banker} cards are not a coup under way", ponto=ponto, banker=banker
            )

    def marks(self) -> tuple[str, ...]:
        return () if self.at_mouth else ("warning_card",)


class AnotherCoup(Incident, frozen=True, tag="another_coup"):
    """A coup has just ended and the players ask for one more from this shoe; the calls say what was announced."""

    own: ClassVar = ("allowed",)

    left: int

    def check(self, situation: Situation) -> None:
        if self.left < 0:
            raise ImpossibleFacts("incident.left", "a number of cards cannot be negative")


@rule(WarningCardOut, *TEXTS_1995)
def warning_card_out(s: Situation, incident: WarningCardOut, r: Reasoning) -> None:
    over = due(r.book, s.ponto, s.banker_cards) is None
    if over and incident.at_mouth:
        _not_out(s, r)
        return
    if over:
        raise ImpossibleFacts("ponto", "the coup is over: the shoe gives nothing more")
    played = play_out(r.book, s.next, ponto=s.ponto, banker=s.banker_cards)
    r.pivot("6 s1", "comes_out_now" if incident.at_mouth else "last_coup")
    r.pivot("6 s2", "then_shuffle")
    r.words("last_coup", tempting=[Utterance("bets_closed")])
    r.choice("coup", "stands", critical=True)
    r.choice("then", "new_shuffle", tempting=["another_coup"])  # other texts allow one more coup after the warning card
    explain_draws(r, played, pivot=incident.at_mouth)
    # A dealer who thinks that the warning card ends the coup counts the cards as they lie.
    dealt = len(s.ponto) + len(s.banker_cards) >= FIRST_FOUR
    finish(s, r, played, tempting=(Played(s.ponto, s.banker_cards, ()).winner,) if dealt else ())


def _not_out(s: Situation, r: Reasoning) -> None:
    """The coup takes no further card: the warning card will come out in the next one, which will be the last."""
    played = Played(s.ponto, s.banker_cards, s.next)
    explain_draws(r, played)
    r.pivot("6 s1", "not_out_yet")
    r.step("6 s2", "shoe_goes_on")
    r.choice("coup", "stands", critical=True)
    r.choice("then", "another_coup", tempting=["new_shuffle"])
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
        **facts, ponto=tuple(given[0::2]), banker_cards=tuple(given[1:4:2]), next=tuple(rest), incident=WarningCardOut()
    )


@case("shoe", articles("6 s1"))
def warning_card_at_the_mouth(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The coup is over and needs no card; the harder, the more third cards there are."""
    facts = closed(draw, book, difficulty)
    extra = {1: (0,), 2: (0, 1)}.get(difficulty, (0, 1, 2))
    rest = (draw.card(), draw.card(), draw.card())
    hands = cards(draw, ending(draw, book, extra=extra))
    return Situation(**facts, **hands, next=rest, incident=WarningCardOut(at_mouth=True))


@case("shoe", articles("6 s1", "6 s2"))
def warning_card_is_due(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """It is visible at the mouth and the coup still needs a card, so it comes out in this coup after all."""
    facts = closed(draw, book, difficulty)
    hands = cards(draw, ending(draw, book, extra=(1,) if difficulty <= 2 else (1, 2)))
    short = "banker_cards" if len(hands["banker_cards"]) == 3 else "ponto"
    rest = (hands[short][2], draw.card(), draw.card())
    hands[short] = hands[short][:2]
    return Situation(**facts, **hands, next=rest, incident=WarningCardOut(at_mouth=True))


@case("shoe", articles("6 s2"))
def one_more_coup(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty)
    out = draw.chance(0.5)
    calls = (Call("croupier", "closed"), *((Call("croupier", "last_coup"),) if out else ()))
    left = draw.number(8, 12) if out else draw.number(14, 20)
    return Situation(**facts, calls=calls, incident=AnotherCoup(left=left))
