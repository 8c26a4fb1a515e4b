"""The ponto tells or shows his score too early.

Sanremo 127 s1-s2 (before the draws), 128 (misread, uncovered and lifted again) and 130 s1-s2 (after his word, before
the banker has spoken); one who plays by the rule frees nobody by it (111 s1). 127 and 130 are told apart by whether
the ponto has already taken or refused a card.
"""

from typing import Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.draw_faults.hands import played
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.outcome import settle
from rules_engine.games.chemin_de_fer.play.changed_word import play_by_rule_sanremo
from rules_engine.games.chemin_de_fer.play.ponto_word import duty_of_ponto_sanremo, ponto_cell
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Call, Claim, Incident, Says, Side, Situation, alone, is_natural
from rules_engine.games.chemin_de_fer.third_card import (
    Wish,
    bound_in_optional_cells,
    duty_sanremo,
    fair_thirds,
    finish,
    table_duty,
)

domain("lifted_cards", "uncovered_again", "left_covered")
domain("later_cards", "keeps_right", "not_with_others", "never_again", unknown={SANREMO: ("never_again",)})
domain("liable", "owes_nothing", "owes_the_loss")


class EarlyShowing(Incident, frozen=True, tag="early_showing"):
    """What the ponto does too early: he tells his score, shows his cards, or shows them by mistake and lifts them
    again; or only lifts them to look once more, which nobody sees. If he has already asked for or refused a card, that
    is in the calls, and a card given is among his own. The wishes are what each would do about a third card if free.
    `banker_done`: the banker had drawn or stood."""

    does: Literal["tells", "shows", "shows_and_lifts", "lifts"]
    ponto_wish: Wish
    banker_wish: Wish
    banker_done: bool = False

    def check(self, situation: Situation) -> None:
        word = spoken(situation)
        if self.banker_done and not word:
            raise ImpossibleFacts("incident.banker_done", "the banker does not decide before the ponto has spoken")
        if not 2 <= len(situation.banker_cards) <= 2 + self.banker_done or is_natural(situation.banker_cards[:2]):
            raise ImpossibleFacts("banker_cards", "there must be two cards that are not a natural")
        if len(situation.ponto) != (3 if word == "card" else 2) or is_natural(situation.ponto):
            raise ImpossibleFacts("ponto", "the cards do not fit the word, or are a natural that may be shown")
        if len(situation.next) < 2:
            raise ImpossibleFacts("next", "the shoe has no cards for both sides")

    def narration(self) -> list[Sentence]:
        if self.banker_done:
            return [(f"incident.early_showing_{self.does}_after", {})]
        wishes = {"ponto_wish": self.ponto_wish, "banker_wish": self.banker_wish}
        return [(f"incident.early_showing_{self.does}", {}), ("incident.early_showing_wishes", wishes)]


def spoken(s: Situation) -> str:
    """The ponto's word; empty if he has said neither card nor no."""
    return next((call.says for call in s.calls if call.by == "ponto" and call.says in ("card", "no")), "")


@rule(EarlyShowing, SANREMO)
def early_showing_sanremo(s: Situation, incident: EarlyShowing, r: Reasoning) -> None:
    if incident.does == "lifts":
        _never_shown(s, incident, r)
    elif incident.banker_done:
        r.pivot("130 s1", "early.in_time", does=incident.does)
        r.choice("later_cards", "keeps_right")
        settle(s, r, ponto=s.ponto, banker=s.banker_cards, shoe=s.next)
    elif spoken(s):
        _after_his_word(s, incident, r)
    elif alone(s):
        raise NotRegulated("art. 122 forbids a sole ponto to uncover his cards and does not say what follows")
    else:
        _before_the_draws(s, incident, r)


def _never_shown(s: Situation, incident: EarlyShowing, r: Reasoning) -> None:
    """Nobody has seen a card: each side goes on as it may."""
    if spoken(s):
        raise NotRegulated("art. 128 speaks of cards lifted again only before the draws")
    r.pivot("128", "early.never_shown")
    r.choice("lifted_cards", "left_covered")
    duty = duty_of_ponto_sanremo(s, r)
    r.choice("ponto_draw", duty, critical=True)
    asks = duty == "must_draw" or (duty == "may_choose" and incident.ponto_wish == "draw")
    cards, shoe = ((*s.ponto, s.next[0]), s.next[1:]) if asks else (s.ponto, s.next)
    finish(s, r, duty_sanremo(s, r, s.next[0] if asks else None), incident.banker_wish, ponto=cards, shoe=shoe)


def _after_his_word(s: Situation, incident: EarlyShowing, r: Reasoning) -> None:
    if incident.does == "shows_and_lifts":
        raise NotRegulated("art. 128 speaks of cards lifted again only before the draws")
    duty = _by_rule(s, r) if "ponto" in s.by_table else _freed(s, incident, r)
    r.pivot("130 s2", "early.not_liable")
    r.choice("liable", "owes_nothing")
    r.choice("later_cards", "not_with_others")
    finish(s, r, duty, incident.banker_wish, ponto=s.ponto, shoe=s.next)


def _freed(s: Situation, incident: EarlyShowing, r: Reasoning) -> str:
    if "banker" in s.by_table:
        raise NotRegulated(
            "art. 130 frees the banker and art. 113 binds one who plays by the rule: neither says which goes first"
        )
    if score(s.banker_cards) == 0:
        raise NotRegulated(
            "art. 130 lets the banker do as he likes, art. 113 lets nobody stand on baccara: which goes first?"
        )
    r.pivot("130 s1", "early.banker_free", does=incident.does)
    return "may_choose"


def _by_rule(s: Situation, r: Reasoning) -> str:
    """The error of a ponto who plays by the rule frees nobody: the banker goes by the table."""
    due = ponto_cell(r, "ponto_table_by_rule", score(s.ponto[:2]))
    if due != ("must_draw" if spoken(s) == "card" else "must_stand"):
        raise NotRegulated("art. 111: the ponto's word was against the rule as well, and that fault is restored first")
    r.pivot("111 s1", "draw_faults.by_rule_corrected", side="ponto")
    return table_duty(r, score(s.banker_cards), s.ponto[2] if len(s.ponto) == 3 else None)


def _before_the_draws(s: Situation, incident: EarlyShowing, r: Reasoning) -> None:
    """The cards are open, or the score is known: the banker must play by the rule."""
    if incident.does == "shows_and_lifts":
        r.pivot("128", "early.lifted_again")
        r.choice("lifted_cards", "uncovered_again")
        play_by_rule_sanremo(s, r)
    elif incident.does == "shows":
        r.pivot("127 s1", "early.banker_by_rule", does=incident.does)
        r.pivot("127 s2", "early.five_stands", ponto=score(s.ponto))
        play_by_rule_sanremo(s, r)
    else:
        r.pivot("127 s1", "early.banker_by_rule", does=incident.does)
        _told_only(s, incident, r)


def _told_only(s: Situation, incident: EarlyShowing, r: Reasoning) -> None:
    """Only the banker loses his choice: a ponto who told five may still draw or stand."""
    ponto = score(s.ponto)
    duty = ponto_cell(r, "ponto_table_with_third_parties", ponto)
    r.step("126 s1", f"ponto.{duty}", ponto=ponto)
    r.choice("ponto_draw", duty, critical=True)
    asks = duty == "must_draw" or (duty == "may_choose" and incident.ponto_wish == "draw")
    banker_duty = table_duty(r, score(s.banker_cards), s.next[0] if asks else None)
    if banker_duty == "may_choose":
        banker_duty = bound_in_optional_cells(r.book)
    cards, shoe = ((*s.ponto, s.next[0]), s.next[1:]) if asks else (s.ponto, s.next)
    finish(s, r, banker_duty, incident.banker_wish, ponto=cards, shoe=shoe)


def _early(
    draw: Draw,
    book: Rulebook,
    difficulty: int,
    *,
    does: str,
    ponto: int,
    banker: int,
    claim: Claim,
    word: Says | None = None,
    by_table: tuple[Side, ...] = (),
) -> Situation:
    facts = coup(draw, book, difficulty, claim=claim) | {"by_table": by_table}
    calls = (Call("ponto", word), Call("croupier", word)) if word else ()
    given = (draw.card(*fair_thirds(book, banker)),) if word == "card" else ()
    incident = EarlyShowing(
        does=does,  # type: ignore[arg-type]
        ponto_wish=draw.pick(("draw", "stand")),
        banker_wish=draw.pick(("draw", "stand")),
    )
    return Situation(
        **facts | {"calls": (*facts["calls"], *calls)},
        ponto=(*draw.hand(ponto), *given),
        banker_cards=draw.hand(banker),
        next=(draw.card(*fair_thirds(book, banker)), draw.card()),
        incident=incident,
    )


@case_table(
    "ponto_faults",
    variant("tells_before_the_draws", {SANREMO: "127 s1"}, does="tells"),
    variant("shows_before_the_draws", {SANREMO: ("127 s1", "127 s2")}, does="shows"),
    variant("shows_and_lifts_again", {SANREMO: "128"}, does="shows_and_lifts"),
)
def _before(draw: Draw, book: Rulebook, difficulty: int, does: str) -> Situation:
    """Harder: five on either side, and bankers on the edges of the table."""
    ponto = draw.pick((4, 5, 5, 6)) if difficulty >= 3 else draw.number(0, 7)
    banker = draw.number(4, 6) if difficulty >= 3 else draw.pick((0, 1, 2, 4, 5, 6, 7))
    claim: Claim = draw.pick(("stake", "banco_table"))
    return _early(draw, book, difficulty, does=does, ponto=ponto, banker=banker, claim=claim)


@case("ponto_faults", {SANREMO: ("130 s1", "130 s2")})
def shows_before_the_banker(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Alone or with third parties alike; harder, where the table would have bound the banker."""
    word: Says = draw.pick(("card", "no"))
    ponto = draw.number(0, 5) if word == "card" else draw.number(5, 7)
    banker = draw.pick((1, 2, 6, 7)) if difficulty >= 3 else draw.number(1, 7)
    claim: Claim = draw.pick(("stake", "banco_table", "banco"))
    does = draw.pick(("tells", "shows"))
    return _early(draw, book, difficulty, does=does, ponto=ponto, banker=banker, claim=claim, word=word)


@case("ponto_faults", {SANREMO: ("111 s1", "130 s2")})
def by_rule_shows_before_the_banker(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    word: Says = draw.pick(("card", "no"))
    ponto = draw.number(0, 4) if word == "card" else draw.number(5, 7)
    banker = draw.number(3, 6) if difficulty >= 3 else draw.number(0, 7)
    does = draw.pick(("tells", "shows"))
    claim: Claim = draw.pick(("stake", "banco"))
    return _early(
        draw, book, difficulty, does=does, ponto=ponto, banker=banker, claim=claim, word=word, by_table=("ponto",)
    )


@case("ponto_faults", {SANREMO: "128"})
def lifts_unseen_cards(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: he looks once more at cards that nobody else has seen."""
    ponto = draw.pick((4, 5, 5, 6)) if difficulty >= 3 else draw.number(0, 7)
    banker = draw.number(3, 6) if difficulty >= 3 else draw.number(0, 7)
    return _early(draw, book, difficulty, does="lifts", ponto=ponto, banker=banker, claim="stake")


@case("ponto_faults", {SANREMO: "130 s1"})
def shows_after_the_banker(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: the banker had drawn or stood, so there was nobody left to wait for."""
    facts = played(draw, book, difficulty, claim=draw.pick(("stake", "banco_table", "banco")))
    does: Literal["tells", "shows"] = draw.pick(("tells", "shows"))
    shoe = (*facts.pop("next"), draw.card())
    incident = EarlyShowing(does=does, ponto_wish="stand", banker_wish="stand", banker_done=True)
    return Situation(**facts, next=shoe, incident=incident)
