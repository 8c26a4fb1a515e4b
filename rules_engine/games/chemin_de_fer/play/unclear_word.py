"""The ponto makes a sign with his cards, or mumbles, instead of saying card or no.

Sanremo 13 s3 (a sign is no declaration), 13 s4 (unclear and not put right in time: the croupier's words count) and,
where he plays by the rule, 111 s1.
"""

from typing import Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, one_of, variant
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.game import case_table, rule
from rules_engine.games.chemin_de_fer.play.changed_word import play_by_rule_sanremo
from rules_engine.games.chemin_de_fer.ponto_third import decide_third
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Call, Incident, Says, Side, Situation, alone, is_natural
from rules_engine.games.chemin_de_fer.third_card import Wish, duty_sanremo, fair_thirds, finish

WORDS: tuple[Says, ...] = ("card", "no")
SIGNS = ("parts_cards", "crosses_cards")


class UnclearWord(Incident, frozen=True, tag="unclear_word"):
    """A sign or unclear words, which the croupier announces as he understood them; the ponto may then correct it in
    time by saying the other word, which follows the croupier's in the calls."""

    manner: Literal["parts_cards", "crosses_cards", "mumbles"]
    wish: Wish

    def check(self, situation: Situation) -> None:
        announced, corrected = heard(situation)
        if announced not in WORDS:
            raise ImpossibleFacts("calls", "the croupier must have announced card or no")
        if corrected and (corrected not in WORDS or corrected == announced):
            raise ImpossibleFacts("calls", "the ponto puts it right by saying the other word")
        for fact, cards in (("ponto", situation.ponto), ("banker_cards", situation.banker_cards)):
            if len(cards) != 2 or is_natural(cards):
                raise ImpossibleFacts(fact, "there must be two cards that are not a natural")
        if len(situation.next) < 2:
            raise ImpossibleFacts("next", "the shoe has no cards for both sides")

    def narration(self) -> list[Sentence]:
        return [(f"incident.unclear_word_{self.manner}", {}), ("incident.unclear_word_now", {"wish": self.wish})]

    def narrated(self, situation: Situation) -> list[Sentence]:
        sign, now = super().narrated(situation)
        after = "corrected" if heard(situation)[1] else "left"
        return [sign, (f"incident.unclear_word_{after}", {}), now]


def heard(s: Situation) -> tuple[str, str]:
    """What the croupier announced of the ponto's play, and the word the ponto said afterwards, empty if none."""
    said = [(call.by, call.says) for call in s.calls if call.says in WORDS]
    announced = next((word for by, word in said if by == "croupier"), "")
    return announced, next((word for by, word in said if by == "ponto"), "")


@rule(UnclearWord, SANREMO)
def unclear_word_sanremo(s: Situation, incident: UnclearWord, r: Reasoning) -> None:
    if "ponto" in s.by_table:
        _by_rule(s, incident, r)
        return
    if not alone(s):
        raise NotRegulated("art. 126: with third parties a wrong draw is restored, whatever was announced")
    announced, corrected = heard(s)
    word = corrected or announced
    if score(s.ponto) == 0 and word == "no":
        raise NotRegulated("arts. 48 and 113 let no ponto stand on baccara: that is another fault")
    if incident.manner in SIGNS:
        r.pivot("13 s3", "unclear.sign_is_no_word", manner=incident.manner)
    if corrected:
        r.pivot("13 s4", "unclear.put_right", announced=announced, word=word)
    else:
        r.pivot("13 s4", "unclear.as_announced", announced=announced)
    r.choice("word_counts", "last" if corrected else "croupier", critical=True)
    asks = word == "card"
    decide_third(r, "ponto_third", takes=asks)
    ponto = (*s.ponto, s.next[0]) if asks else s.ponto
    duty = duty_sanremo(s, r, s.next[0] if asks else None)
    finish(s, r, duty, incident.wish, ponto=ponto, shoe=s.next[1:] if asks else s.next)


def _by_rule(s: Situation, incident: UnclearWord, r: Reasoning) -> None:
    """An unclear word is an error like any other of a player by the rule: what was announced is not played."""
    if incident.manner in SIGNS:
        r.step("13 s3", "unclear.sign_is_no_word", manner=incident.manner)
    r.pivot("111 s1", "draw_faults.by_rule_corrected", side="ponto")
    r.choice("word_counts", "rule", critical=True)
    play_by_rule_sanremo(s, r, wish=incident.wish, key="ponto_third")


@case_table(
    "ponto_faults",
    variant("sign_instead_of_word", {SANREMO: ("13 s3", "13 s4")}, manner=one_of(*SIGNS)),
    variant("mumbled_word", {SANREMO: "13 s4"}, manner="mumbles"),
    variant("unclear_by_rule", {SANREMO: "111 s1"}, manner=one_of(*SIGNS, "mumbles"), by_table=("ponto",)),
)
def _unclear(draw: Draw, book: Rulebook, difficulty: int, manner: str, *, by_table: tuple[Side, ...] = ()) -> Situation:
    """Harder: he corrects it, or what was announced is the opposite of what his score requires."""
    facts = coup(draw, book, difficulty, claim="banco") | {"by_table": by_table}
    ponto, banker = draw.number(1, 7), draw.number(0, 7)
    usual: Says = "card" if ponto < 5 else "no"
    announced = draw.pick(WORDS) if difficulty >= 2 else usual
    calls = [Call("croupier", announced)]
    if difficulty >= 3 and draw.chance(0.5):
        calls.append(Call("ponto", "no" if announced == "card" else "card"))
    return Situation(
        **facts | {"calls": (*facts["calls"], *calls)},
        ponto=draw.hand(ponto),
        banker_cards=draw.hand(banker),
        next=(draw.card(*fair_thirds(book, banker)), draw.card()),
        incident=UnclearWord(manner=manner, wish=draw.pick(("draw", "stand"))),  # type: ignore[arg-type]
    )
