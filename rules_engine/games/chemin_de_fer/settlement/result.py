"""The end of an ordinary coup: the announcement, the tie that voids it, and the order of the croupier's actions.

Portugal 73, 76 s1 and 96 b (b-2, b-3, b-4).
"""

from typing import Any, Literal

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.outcome import settle, winner_of
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Call, Incident, Says, Situation
from rules_engine.games.chemin_de_fer.third_card import refuse_false_hands

Act = Literal["check_scores", "announce_result", "gather_cards", "pay_or_collect", "bin_cards"]
ACTS: tuple[Act, ...] = ("check_scores", "announce_result", "gather_cards", "pay_or_collect", "bin_cards")

domain("settling_act", *ACTS)


class CoupFinished(Incident, frozen=True, tag="coup_finished"):
    """All cards are drawn and face up: the result is to be announced."""

    phrased = {"announcement": "question.announced_result"}

    def check(self, situation: Situation) -> None:
        _check_hands(situation)


def _check_hands(s: Situation) -> None:
    for fact, cards in (("ponto", s.ponto), ("banker_cards", s.banker_cards)):
        if len(cards) not in (2, 3):
            raise ImpossibleFacts(fact, "a coup ends with two or three cards on each side")
    if s.hidden:
        raise ImpossibleFacts("hidden", "at the end of a coup all cards must lie face up")


@rule(CoupFinished, *PT)
def coup_finished(s: Situation, incident: CoupFinished, r: Reasoning) -> None:
    refuse_false_hands(s)
    ponto, banker = score(s.ponto), score(s.banker_cards)
    winner = winner_of(ponto, banker)
    if winner == "tie":
        r.pivot("76 s1", "settlement.tie_voids", score=ponto)
        r.pivot("96 b-2", "settlement.say_tie", score=ponto)
    else:
        cite = "96 b-3" if winner == "ponto" else "96 b-4"
        text = "settlement.say_result_baccara" if 0 in (ponto, banker) else "settlement.say_result"
        r.pivot(cite, text, ponto=ponto, banker=banker)
    settle(s, r, ponto=s.ponto, banker=s.banker_cards, shoe=s.next)


class CoupBeingSettled(Incident, frozen=True, kw_only=True, tag="coup_being_settled"):
    """The coup is played out; `done` is what the croupier has done so far, `about_to` what he is about to do."""

    phrased = {"allowed": "question.in_order"}

    done: tuple[Act, ...] = ()
    about_to: Act

    def check(self, situation: Situation) -> None:
        if len(set(self.done)) != len(self.done) or self.about_to in self.done:
            raise ImpossibleFacts("incident.done", "an act is done once")

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [(f"incident.being_settled_done.{act}", {}) for act in self.done]
        return [*(told or [("incident.being_settled_nothing", {})]), ("incident.being_settled", {"act": self.about_to})]


@rule(CoupBeingSettled, *PT)
def coup_being_settled(s: Situation, incident: CoupBeingSettled, r: Reasoning) -> None:
    due = next(act for act in ACTS if act not in incident.done)
    r.pivot("73", "settlement.acts_in_turn", act=due)
    r.choice("allowed", "allowed" if incident.about_to == due else "refused", critical=True)
    r.choice("settling_act", due)


def _finished(draw: Draw, book: Rulebook, difficulty: int, ponto: int, banker: int) -> dict[str, Any]:
    """A coup played by the table to these final scores."""
    facts = coup(draw, book, difficulty)
    word, hand, against = _played(draw, ponto, banker)
    facts["calls"] = (*facts["calls"], Call("ponto", word), Call("croupier", word))
    return facts | {"ponto": hand, "banker_cards": against}


def _played(draw: Draw, ponto: int, banker: int) -> tuple[Says, tuple[str, ...], tuple[str, ...]]:
    """The ponto's word and both hands: a natural, a stand, or third cards drawn where every table draws them."""
    if ponto >= 8 and draw.chance(0.5):
        return "eight" if ponto == 8 else "nine", draw.hand(ponto), draw.hand(banker)
    if banker >= 8 and ponto < 8 and draw.chance(0.5):
        return "card" if ponto < 5 else "no", draw.hand(ponto), draw.hand(banker)
    stands = ponto in (6, 7) and draw.chance(0.5)
    hand = draw.hand(ponto) if stands else _with_third(draw, ponto, draw.number(0, 4))
    return "no" if stands else "card", hand, _with_third(draw, banker, draw.number(0, 2))


def _with_third(draw: Draw, final: int, first_two: int) -> tuple[str, ...]:
    return (*draw.hand(first_two), draw.card((final - first_two) % 10))


def _two_scores(draw: Draw, difficulty: int) -> tuple[int, int]:
    """A lower and a higher score; harder: next to each other, and baccara more often."""
    if difficulty <= 2:
        low = draw.number(1, 6)
        return low, draw.number(low + 1, 9)
    low = draw.pick((0, 0, *range(1, 9)))
    return low, low + 1 if draw.chance(0.5) else draw.number(low + 1, 9)


@case("announcements", {PT[0]: ("76 s1", "96 b-2")})
def tied_coup(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    score = draw.number(0, 9) if difficulty >= 3 else draw.number(1, 9)
    return Situation(**_finished(draw, book, difficulty, score, score), incident=CoupFinished())


@case("announcements", {PT[0]: "96 b-3"})
def ponto_wins_coup(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    low, high = _two_scores(draw, difficulty)
    return Situation(**_finished(draw, book, difficulty, high, low), incident=CoupFinished())


@case("announcements", {PT[0]: "96 b-4"})
def bank_wins_coup(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    low, high = _two_scores(draw, difficulty)
    return Situation(**_finished(draw, book, difficulty, low, high), incident=CoupFinished())


@case("payment", {PT[0]: "73"})
def croupier_settles(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The action that is due, or one too early; harder: one in the middle was left out."""
    # A tie is neither paid nor collected.
    facts = _finished(draw, book, difficulty, *draw.sample(range(10), 2))
    done = list(ACTS[: draw.number(0, len(ACTS) - 1)])
    if difficulty >= 3 and len(done) >= 3 and draw.chance(0.5):
        done.remove(draw.pick(done[1:-1]))
    left = [act for act in ACTS if act not in done]
    about_to = draw.pick((left[0], left[-1], left[min(1, len(left) - 1)]))
    return Situation(**facts, incident=CoupBeingSettled(done=tuple(done), about_to=about_to))
