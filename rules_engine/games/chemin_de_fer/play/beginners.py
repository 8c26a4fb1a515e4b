"""Players who do not know the rules: what the croupier says, and who must play by the table.

Portugal 102 s1 and s2, with 67 d and 70 s2; Sanremo 107 and 108. (Whether such a ponto gets the cards at all is another
matter: Portugal 101, Sanremo 112.)
"""

from typing import Literal

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
from rules_engine.games.chemin_de_fer.deal_faults import exposed  # noqa: F401  (declares how the banker plays)
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Incident, Side, Situation
from rules_engine.games.chemin_de_fer.third_card import row_of

domain("tell_table", "tell", "say_nothing")


class NewToTheRules(Incident, frozen=True, tag="new_to_the_rules"):
    """Before the deal it turns out that the banker, or the player with the cards, does not know the rules.

    Invited to play by the rule, he accepts or declines; `stops` is a player by the rule who says he no longer is. If
    nobody is invited, he is `ignorant`, or `knows` the rules although a player wants him bound to the table.
    """

    phrased = {"announcement": "question.announced_before_deal"}

    who: Side
    answer: Literal["accepts", "declines", "stops", "ignorant", "knows"]

    def check(self, situation: Situation) -> None:
        if self.who == "ponto" and situation.holder is None:
            raise ImpossibleFacts("holder", "nobody has the ponto's cards")
        if (self.answer == "stops") != (self.who in situation.by_table):
            raise ImpossibleFacts(
                "by_table", "only a player who plays by the rule can stop, and he is not invited again"
            )
        if situation.ponto or situation.banker_cards:
            raise ImpossibleFacts("cards", "this is settled before the deal")

    def narration(self) -> list[Sentence]:
        return [(f"incident.new_to_the_rules_{self.answer}", {"who": self.who})]


@rule(NewToTheRules, *PT)
def beginner_pt(s: Situation, incident: NewToTheRules, r: Reasoning) -> None:
    if incident.who == "ponto":
        raise NotRegulated("arts. 101 and 102 let nobody play the ponto's cards by the table")
    if incident.answer == "stops":
        raise NotRegulated("art. 102 does not say when a banker stops playing by the table")
    if incident.answer == "knows":
        _as_usual_pt(s, r)
        return
    r.pivot("102 s1", "beginners.banker_by_table")
    r.pivot("102 s2", "beginners.draws_where_free")
    r.choice("banker_plays", "table_draws", critical=True)
    r.words("banker_by_table", tempting=[Utterance("card"), Utterance("no")])


def _as_usual_pt(s: Situation, r: Reasoning) -> None:
    """A banker who knows the rules is bound like any other: by the table and its optional cells, or by nothing under
    bancô."""
    r.pivot("102 s1", "beginners.knows_them")
    if s.claim == "banco":
        r.pivot("70 s2", "banco_frees_banker", holder=s.holder or "ponto")
    else:
        r.step(row_of(r.book, 3, "9h"), "beginners.table_with_choices")
    r.choice("banker_plays", "free" if s.claim == "banco" else "table", critical=True)


@rule(NewToTheRules, SANREMO)
def beginner_sanremo(s: Situation, incident: NewToTheRules, r: Reasoning) -> None:
    if incident.answer in ("ignorant", "knows"):
        raise NotRegulated("art. 107: a beginner is invited to play by the rule, and here nobody has been")
    accepts = incident.answer == "accepts"
    r.step("107", f"beginners.{incident.answer}", pivot=incident.answer != "stops")
    r.choice("must_play", "by_table" if accepts else "as_he_likes", critical=True)
    if incident.answer == "declines":
        r.choice("tell_table", "say_nothing")
    else:
        r.pivot("108", "beginners.told_when_stops" if incident.answer == "stops" else "beginners.told")
        r.choice("tell_table", "tell")


@case_table(
    "advice",
    variant("banker_knows_nothing", {PT[0]: ("102 s1", "102 s2")}, who="banker", answer="ignorant"),
    variant("banker_knows_the_rules", {PT[0]: "102 s1"}, who="banker", answer="knows"),
)
def _table(draw: Draw, book: Rulebook, difficulty: int, who: Side, answer: str) -> Situation:
    """The harder, the more often bancô, which frees a banker who knows the rules."""
    facts = coup(draw, book, difficulty, claim="banco" if draw.chance(0.2 * (difficulty - 1)) else "stake")
    if who == "ponto":
        # With other players' chips at stake a beginner would not get the cards at all.
        facts["stakes"] = facts["stakes"][:1]
    by_table: tuple[Side, ...] = (who,) if answer == "stops" else ()
    return Situation(**facts, by_table=by_table, incident=NewToTheRules(who=who, answer=answer))  # type: ignore[arg-type]


@case("advice", {SANREMO: "107"})
def beginner_invited(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Mostly he declines: beginner_accepts has the others."""
    who: Side = draw.pick(("ponto", "banker"))
    return _table(draw, book, difficulty, who, draw.pick(("accepts", "declines", "declines", "declines")))


case_table(
    "advice",
    variant("beginner_accepts", {SANREMO: ("107", "108")}, who=one_of("ponto", "banker"), answer="accepts"),
    variant("no_longer_by_rule", {SANREMO: "108"}, who=one_of("ponto", "banker"), answer="stops"),
)(_table)
