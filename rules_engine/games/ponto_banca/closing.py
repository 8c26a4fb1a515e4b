"""The end of betting and the first card: the words, the bet that comes too late, the card burned before the coup.

1995: 11 s4, 12 s1, 12 s2. Macau 1995: 11 f, 12 s1, 12 s2. The present Macau text fixes neither words nor burn.
"""

from typing import ClassVar

from rules_engine.authoring import ImpossibleFacts, Place, Reasoning, Rulebook, Sentence, Sum
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.ponto_banca.books import MACAU_1995, PB, TEXTS_1995
from rules_engine.games.ponto_banca.calls import Call
from rules_engine.games.ponto_banca.game import case, rule
from rules_engine.games.ponto_banca.setting import side_bets, stand, table
from rules_engine.games.ponto_banca.table import Incident, Side, Situation

SIDES: tuple[Side, ...] = ("ponto", "banker")


class LateBet(Incident, frozen=True, tag="late_bet"):
    """A player puts chips down; the calls say whether betting had ended."""

    own: ClassVar = ("allowed",)

    player: Place
    amount: Sum
    on: Side | None = None

    def narration(self) -> list[Sentence]:
        form = "incident.late_bet_on" if self.on else "incident.late_bet"
        return [(form, {"player": self.player, "amount": self.amount, "on": self.on})]

    def check(self, situation: Situation) -> None:
        if self.player not in {*map(str, situation.seats), *situation.standing}:
            raise ImpossibleFacts("incident.player", "nobody is at {place}", place=self.player)


class BetsMade(Incident, frozen=True, tag="bets_made"):
    """Everybody has had time to bet; the coup is the first of the shoe or a later one."""

    first_coup: bool

    def sorts(self, situation: Situation) -> set[str]:
        return {"first coup" if self.first_coup else "later coup"}

    def asked(self, name: str, situation: Situation) -> Sentence | None:
        return ("question.announcement_before_cards", {}) if name == "announcement" else None

    def check(self, situation: Situation) -> None:
        if len(situation.next) < 2:
            raise ImpossibleFacts("next", "the next two cards of the shoe must be known")

    def narration(self) -> list[Sentence]:
        return [(f"incident.bets_made_{'first' if self.first_coup else 'later'}", {})]


def betting_over(s: Situation) -> bool:
    return any(call.by == "croupier" and call.says == "closed" for call in s.calls)


@rule(LateBet, *TEXTS_1995)
def late_bet(s: Situation, incident: LateBet, r: Reasoning) -> None:
    ended = betting_over(s)
    cite = "11 s4" if r.book.coded_as == PB else "11 f"
    r.pivot(cite, "too_late" if ended else "in_time", by=incident.player)
    r.choice("allowed", "refused" if ended else "allowed", critical=True)


@rule(BetsMade, *TEXTS_1995)
def bets_made(s: Situation, incident: BetsMade, r: Reasoning) -> None:
    ended = betting_over(s)
    r.pivot("11 s4" if r.book.coded_as == PB else "11 f", "bets_are_closed" if ended else "close_bets")
    burn = 0 if incident.first_coup else r.book.number("burn_before_coup")
    r.pivot("12 s2", "no_burn" if incident.first_coup else "burn", count=burn)
    r.step("12 s1", "in_turn")
    if not ended:
        r.words("bets_closed")
    for index in range(2):
        side = "burned" if index < burn else SIDES[index - burn]
        r.fate(f"next.{index + 1}", side)
    burned, dealt = s.next[:burn], s.next[burn:2]
    r.after(lying(burned=burned, ponto=dealt[:1], banker=dealt[1:], shoe=s.next[2:]))


@case("limits", {PB: "11 s4", MACAU_1995: "11 f"})
def bet_after_closing(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty)
    facts |= {"standing": stand(draw, book, facts, 1)} if difficulty >= 2 and draw.chance(0.5) else {}
    player = draw.pick((*map(str, facts["seats"]), *facts.get("standing", ())))
    amount = facts["minimum"] * draw.number(1, 9)
    opened, ended = Call("croupier", "place_bets"), Call("croupier", "closed")
    calls = (opened, ended) if draw.chance(0.6) else (opened,)
    bets = side_bets(draw, facts)
    # On the side of his seat, so that the moment is all that matters.
    on: Side = next((side for bet in bets for side in SIDES if (bet.player, bet.on) == (player[0], side)), "ponto")
    return Situation(**facts, bets=bets, calls=calls, incident=LateBet(player=player, amount=amount, on=on))


@case("shoe", {PB: ("11 s4", "12 s2"), MACAU_1995: ("11 f", "12 s2")})
def before_the_deal(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty)
    cards = tuple(draw.card() for _ in range(6))
    first = draw.chance(0.4)
    opened, ended = Call("croupier", "place_bets"), Call("croupier", "closed")
    calls = (opened, ended) if draw.chance(0.5) else (opened,)
    bets = side_bets(draw, facts)
    return Situation(**facts, bets=bets, calls=calls, next=cards, incident=BetsMade(first_coup=first))
