"""A player's word and gesture do not agree, or one of them is missing. V 18 s3 only wants clear answers."""

from typing import Any, Literal

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Seat, Sentence, variant
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.black_jack.draw import Draw
from rules_engine.games.black_jack.game import case_table, domain, rule
from rules_engine.games.black_jack.setting import one_hand
from rules_engine.games.black_jack.table import Incident, Meant, Situation, check_bank, check_seat, lying
from rules_engine.games.black_jack.turns import Wish, may

KIND = "signal_unclear"
Sign = Literal["card", "stand", "none"]
domain("meant", "card", "stand", "again")


class SignalUnclear(Incident, frozen=True, tag="signal_unclear"):
    """The dealer asks whoever decides for a hand: what is said, and what the hand shows."""

    seat: Seat
    word: Sign
    gesture: Sign
    hand: Meant = 0

    def check(self, situation: Situation) -> None:
        check_seat(situation, self.seat, self.hand)
        check_bank(situation)
        if self.word == self.gesture == "none":
            raise ImpossibleFacts("incident.word", "a word, a gesture or both must be given")

    def narration(self) -> list[Sentence]:
        values: dict[str, Any] = {"seat": self.seat, "hand": self.hand, "word": self.word, "gesture": self.gesture}
        return [("incident.signal_unclear", values)]


@rule(SignalUnclear, BJ)
def signal_unclear(s: Situation, incident: SignalUnclear, r: Reasoning) -> None:
    wish = _meant(r.procedure, incident)
    name = check_seat(s, incident.seat, incident.hand)
    r.pivot(KIND, f"signal_{r.procedure}_{wish or 'again'}", **s.named(name))
    r.choice("meant", wish or "again", critical=True)
    if wish:
        r.choice("allowed", "allowed" if may(s, r, name, wish) else "refused", critical=True)
    r.after(lying(s))


def _meant(procedure: str, incident: SignalUnclear) -> Wish | None:
    """What counts as the wish of the player; None if he is asked again."""
    counted = {"word": {incident.word}, "gesture": {incident.gesture}, "both": {incident.word, incident.gesture}}
    wishes = sorted(counted[procedure] - {"none"})
    return wishes[0] if len(wishes) == 1 else None  # type: ignore[return-value]


SIGNS: tuple[Sign, ...] = ("card", "stand")


@case_table(
    "procedures",
    variant("word_against_gesture", {BJ: KIND}, how="apart"),
    variant("word_and_gesture", {BJ: KIND}, how="alike"),
    variant("word_or_gesture", {BJ: KIND}, how="one"),
)
def _signalled(draw: Draw, book: Rulebook, difficulty: int, *, how: str) -> Situation:
    """Easy: totals far from eleven and 21. Harder: close to them, and others have bet on the seat."""
    totals = (13, 14, 15, 16, 17) if difficulty == 1 else (8, 9, 14, 16) if difficulty == 2 else (10, 11, 12, 20, 21)
    cards = draw.hand(draw.pick(totals), (2,) if difficulty <= 2 else (2, 3))
    facts, seat = one_hand(draw, book, difficulty, cards, crowd=difficulty >= 3 and draw.chance(0.5))
    word = draw.pick(SIGNS)
    other: Sign = "stand" if word == "card" else "card"
    signs: tuple[Sign, Sign] = (word, other if how == "apart" else word)
    if how == "one":
        signs = draw.pick(((word, "none"), ("none", word)))
    return Situation(**facts, incident=SignalUnclear(seat=seat, word=signs[0], gesture=signs[1]))
