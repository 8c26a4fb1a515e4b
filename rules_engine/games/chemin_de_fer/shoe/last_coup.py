"""The end of the shoe: the warning card, the last coup, and the cards it needs to count.

Portugal 14 (s1, s2, s3) and 106 d; Sanremo 35 (s1, s2).
"""

from typing import Annotated, Any, Literal

from msgspec import Meta

from rules_engine.authoring import (
    ImpossibleFacts,
    NotRegulated,
    Reasoning,
    Rulebook,
    Sentence,
    Utterance,
    one_of,
    variant,
)
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.outcome import annul, settle
from rules_engine.games.chemin_de_fer.setting import coup, pontos
from rules_engine.games.chemin_de_fer.table import Call, Incident, Situation
from rules_engine.games.chemin_de_fer.third_card import words_of

domain("shoe_next", "coup_then_shuffle", "shuffle_first", "goes_on")

Count = Annotated[int, Meta(ge=0, le=312)]
WarningCard = Literal["inside", "next", "out"]


class WarningCardOut(Incident, frozen=True, tag="warning_card_out"):
    """The shoe gives the warning card; the cards of this coup that came before it are face down.

    `by` wants something: to finish this coup and then have the cards shuffled, to have them shuffled now, or to play
    one more coup.
    """

    phrased = {"announcement": "question.announced_warning_card"}

    wants: Literal["finish", "shuffle_now", "one_more", ""] = ""
    by: Annotated[str, Meta(pattern="^([1-9][a-i]?)?$")] = ""

    def check(self, situation: Situation) -> None:
        if bool(self.wants) != bool(self.by):
            raise ImpossibleFacts("incident.by", "name whoever wants something, and nobody where nothing is wanted")
        if self.by and self.by not in situation.people():
            raise ImpossibleFacts("incident.by", "nobody is at {place}", place=self.by)
        ponto, banker = len(situation.ponto), len(situation.banker_cards)
        if banker > 2 or ponto - banker not in (0, 1):
            raise ImpossibleFacts(
                "ponto", "{ponto} and {banker} cards are not a deal under way", ponto=ponto, banker=banker
            )

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [("incident.warning_card_out", {})]
        return [*told, (f"incident.warning_card_{self.wants}", {"by": self.by})] if self.wants else told

    def narrated(self, situation: Situation) -> list[Sentence]:
        """What of this coup came out before it."""
        before = len(situation.ponto) + len(situation.banker_cards)
        first, *rest = super().narrated(situation)
        return [first, ("incident.warning_card_before", {"before": before}), *rest]

    def marks(self) -> tuple[str, ...]:
        return ("warning_card",)


class AnotherCoup(Incident, frozen=True, tag="another_coup"):
    """A coup has just ended and the players want to go on. The warning card is still inside, the next card to come out,
    or came out in the coup that ended."""

    warning_card: WarningCard

    def narration(self) -> list[Sentence]:
        return [(f"incident.another_coup.{self.warning_card}", {})]

    def marks(self) -> tuple[str, ...]:
        return () if self.warning_card == "inside" else ("warning_card",)


class LastCoupOver(Incident, frozen=True, tag="last_coup_over"):
    """The last coup is played and not yet settled. `before` of its cards left the shoe before the warning card;
    `behind` were behind it, `turned` of them face up."""

    phrased = {"announcement": "question.announced_result"}

    before: Count
    behind: Count
    turned: Count = 0

    def check(self, situation: Situation) -> None:
        played = len(situation.ponto) + len(situation.banker_cards)
        if self.turned > self.behind:
            raise ImpossibleFacts("incident.turned", "more cards face up than lay behind the warning card")
        if self.before > played:
            raise ImpossibleFacts("incident.before", "more cards before the warning card than the coup has")
        if played - self.before > self.behind - self.turned:
            raise ImpossibleFacts("incident.behind", "the coup has more cards than the shoe could give")

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [
            ("incident.last_coup_over.before", {"before": self.before}),
            ("incident.last_coup_over.behind", {"behind": self.behind}),
        ]
        if self.turned:
            told.append(("incident.last_coup_over.turned", {"turned": self.turned}))
        return [*told, ("incident.last_coup_over.settle", {})]

    def marks(self) -> tuple[str, ...]:
        return ("warning_card",)


@rule(WarningCardOut, *PT)
def warning_card_out_pt(s: Situation, incident: WarningCardOut, r: Reasoning) -> None:
    r.pivot("14 s3", "shoe.last_coup_announced")
    if s.ponto:
        r.pivot("14 s1", "shoe.coup_under_way_is_last")
    else:
        r.pivot("14 s2", "shoe.coup_beginning_is_last")
    formula = r.book.formula("last_coup_shoe")
    r.step(formula.cite, "bank.announced_as", words=r.book.say(Utterance(formula.name)))
    _what_next(r, incident)
    r.words("last_coup_shoe", tempting=[Utterance("last_coup"), Utterance("first_coup"), Utterance("hand_stays")])


@rule(WarningCardOut, SANREMO)
def warning_card_out_sanremo(s: Situation, incident: WarningCardOut, r: Reasoning) -> None:
    least = r.book.number("last_coup_min_cards")
    r.pivot("35 s1", "shoe.mask_out", least=least)
    _what_next(r, incident)
    wrong = [Utterance("last_coup_shoe", {"cards": cards}) for cards in (least - 1, least + 1)]
    r.words("last_coup_shoe", cards=least, tempting=[*wrong, Utterance("closed")])


def _what_next(r: Reasoning, incident: WarningCardOut) -> None:
    """This coup, and no other before a new shuffle: as a question, or as the answer to what somebody wants instead."""
    if incident.wants:
        r.choice("allowed", "allowed" if incident.wants == "finish" else "refused", critical=True)
    else:
        r.choice("shoe_next", "coup_then_shuffle", critical=True)


@rule(AnotherCoup, SANREMO)
def another_coup_sanremo(s: Situation, incident: AnotherCoup, r: Reasoning) -> None:
    """The coup in which the mask comes out is the last of the shoe, by the words of the text."""
    texts = {"inside": "warning_card_inside", "next": "coup_beginning_is_last", "out": "shuffle_before_another"}
    after = {"inside": "goes_on", "next": "coup_then_shuffle", "out": "shuffle_first"}
    r.pivot("35 s1", f"shoe.{texts[incident.warning_card]}")
    r.choice("shoe_next", after[incident.warning_card], critical=True)


@rule(AnotherCoup, *PT)
def another_coup_pt(s: Situation, incident: AnotherCoup, r: Reasoning) -> None:
    if incident.warning_card == "next":
        r.pivot("14 s2", "shoe.coup_beginning_is_last")
    else:
        out = incident.warning_card == "out"
        r.pivot("14 s1", "shoe.shuffle_before_another" if out else "shoe.warning_card_inside")
    after = {"inside": "goes_on", "next": "coup_then_shuffle", "out": "shuffle_first"}
    r.choice("shoe_next", after[incident.warning_card], critical=True)


@rule(LastCoupOver, *PT)
def last_coup_over_pt(s: Situation, incident: LastCoupOver, r: Reasoning) -> None:
    """The cards in the shoe when the coup began are counted (Q15)."""
    least, left = r.book.number("last_coup_min_cards"), incident.before + incident.behind
    if incident.before:
        behind = r.book.reads("Q15", "behind")
        text = "shoe.only_behind_count" if behind else "shoe.before_count_too"
        r.pivot("106 d-2", text, before=incident.before, behind=incident.behind)
        left = incident.behind if behind else left
    if left - incident.turned < least <= left:
        raise NotRegulated("art. 106 d) does not say whether cards found face up count towards the last coup")
    _judge(s, r, "106 d", left, least, tempting=[incident.behind, incident.before + incident.behind, left + 1])


@rule(LastCoupOver, SANREMO)
def last_coup_over_sanremo(s: Situation, incident: LastCoupOver, r: Reasoning) -> None:
    """The good cards behind the mask are counted, dealt or not (Q18)."""
    least, good = r.book.number("last_coup_min_cards"), incident.behind - incident.turned
    if incident.turned:
        r.pivot("31", "shoe.turned_do_not_count", turned=incident.turned)
    _judge(s, r, "35 s2", good, least, tempting=[incident.behind, incident.before + incident.behind])


def _judge(s: Situation, r: Reasoning, cite: str, count: int, least: int, tempting: list[int]) -> None:
    enough = count >= least
    side = "pt" if r.book.coded_as != SANREMO else "sanremo"
    r.pivot(cite, f"shoe.last_coup_{'good' if enough else 'void'}_{side}", count=count, least=least)
    r.number("cards_counted", count, tempting=[*tempting, len(s.ponto) + len(s.banker_cards), least])
    if enough:
        r.choice("coup", "stands", critical=True)
        settle(s, r, ponto=s.ponto, banker=s.banker_cards)
    else:
        annul(s, r)


@case("last_coup", {PT[0]: ("14 s1", "14 s3"), SANREMO: "35 s1"})
def warning_card_in_mid_deal(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    out = draw.number(1, 4)
    cards = [draw.card() for _ in range(out)]
    hidden = (*(f"ponto.{n + 1}" for n in range((out + 1) // 2)), *(f"banker.{n + 1}" for n in range(out // 2)))
    facts = coup(draw, book, difficulty) | {"ponto": tuple(cards[0::2]), "banker_cards": tuple(cards[1::2])}
    return Situation(**facts, hidden=hidden, incident=_wanted(draw, facts))


@case("last_coup", {PT[0]: ("14 s2", "14 s3"), SANREMO: "35 s1"})
def warning_card_comes_first(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = coup(draw, book, difficulty)
    return Situation(**facts, incident=_wanted(draw, facts))


def _wanted(draw: Draw, facts: dict[str, Any]) -> WarningCardOut:
    wants: Literal["finish", "shuffle_now", "one_more"] = draw.pick(("finish", "finish", "shuffle_now", "one_more"))
    return WarningCardOut(wants=wants, by=draw.pick((facts["banker"], draw.pick(pontos(facts)))))


@case_table(
    "last_coup",
    variant(
        "one_more_coup_of_the_shoe", {PT[0]: "14 s1", SANREMO: "35 s1"}, warning_card=one_of("inside", "out", "out")
    ),
    variant("warning_card_shows_next", {PT[0]: "14 s2", SANREMO: "35 s1"}, warning_card="next"),
)
def _one_more(draw: Draw, book: Rulebook, difficulty: int, warning_card: WarningCard) -> Situation:
    calls = (Call("croupier", "last_of_shoe"),) if warning_card == "out" else ()
    facts = coup(draw, book, difficulty)
    played = {name: facts[name] for name in ("seats", "standing", "banker", "minimum", "unit", "bank")}
    return Situation(**played, calls=calls, incident=AnotherCoup(warning_card=warning_card))


def _finished(draw: Draw, most: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Two hands that are played to the end under any text, with four cards together or up to `most`."""
    count = draw.number(4, most)
    if count == 4:
        return draw.hand(draw.number(6, 9)), draw.hand(draw.number(6, 9))
    ponto = (*draw.hand(draw.number(0, 4)), draw.card())
    if count == 5:
        return ponto, draw.hand(7)
    return ponto, (*draw.hand(draw.number(0, 2)), draw.card())


def _told(facts: dict[str, Any], ponto: tuple[str, ...], banker: tuple[str, ...]) -> dict[str, Any]:
    """The coup with these final hands and the words that led to them."""
    drew = (Call("banker", "draws"),) if len(banker) == 3 else ()
    calls = (*facts["calls"], *words_of(ponto, banker), *drew)
    return facts | {"ponto": ponto, "banker_cards": banker, "calls": calls}


@case("last_coup", {PT[0]: ("106 d", "106 d-2")})
def last_coup_counted(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: one card around the limit."""
    least = book.number("last_coup_min_cards")
    enough = draw.chance(0.5)
    ponto, banker = _finished(draw, 6 if enough else 5)
    played = len(ponto) + len(banker)
    if enough:
        left = draw.number(least, least + 1) if difficulty >= 3 else draw.number(least + 1, least + 4)
    else:
        left = least - 1 if difficulty >= 3 else draw.number(played, least - 1)
    before = draw.number(0, min(4, played)) if difficulty >= 2 else 0
    facts = _told(coup(draw, book, difficulty), ponto, banker)
    return Situation(**facts, incident=LastCoupOver(before=before, behind=left - before))


@case("last_coup", {SANREMO: ("31", "35 s2")})
def cards_turned_behind_the_mask(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """With those found face up there would be enough."""
    least = book.number("last_coup_min_cards")
    turned = draw.number(1, 2)
    good = draw.pick((least - 1, least - 1, least))
    ponto, banker = _finished(draw, 6)
    before = draw.number(max(0, len(ponto) + len(banker) - good), 4)
    facts = _told(coup(draw, book, difficulty), ponto, banker)
    return Situation(**facts, incident=LastCoupOver(before=before, behind=good + turned, turned=turned))


@case("last_coup", {SANREMO: "35 s2"})
def cards_behind_the_mask(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: one card around the limit, and cards found face up."""
    least = book.number("last_coup_min_cards")
    near = (least - 1, least) if difficulty >= 3 else (least - 2, least - 1, least, least + 1)
    good = draw.pick(near)
    turned = draw.number(0, 2) if difficulty >= 2 else 0
    ponto, banker = _finished(draw, 6)
    played = len(ponto) + len(banker)
    before = draw.number(max(0, played - good), 4)
    facts = _told(coup(draw, book, difficulty), ponto, banker)
    return Situation(**facts, incident=LastCoupOver(before=before, behind=good + turned, turned=turned))
