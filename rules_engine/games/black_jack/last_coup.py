"""The end of a shoe, and a table where nobody bets: V 11, 12."""

from typing import ClassVar, Literal

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence, Utterance
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.black_jack.draw import Draw
from rules_engine.games.black_jack.game import case, domain, rule
from rules_engine.games.black_jack.setting import PLAIN, dealt, hidden, own_bets, table
from rules_engine.games.black_jack.table import Hand, Incident, Situation, lying

Moment = Literal["not_out", "before_coup", "in_last_coup"]
domain("next_act", "play_on", "one_more", "shuffle")


class WarningCardOut(Incident, frozen=True, tag="warning_card_out"):
    """During a coup the shoe gives the warning card, or it is `still_in`, behind the next card."""

    tells: ClassVar = ()

    still_in: bool = False

    def check(self, situation: Situation) -> None:
        if not situation.hands:
            raise ImpossibleFacts("hands", "a coup is under way")

    def sayable(self) -> list[Utterance]:
        return [Utterance("last_coup")]

    def marks(self) -> tuple[str, ...]:
        return () if self.still_in else ("warning_card",)

    def narration(self) -> list[Sentence]:
        return [(f"incident.warning_card_{'still_in' if self.still_in else 'out'}", {})]


class CoupToBegin(Incident, frozen=True, tag="coup_to_begin"):
    """A coup is over and the players bet for another. `moment`: whether and when the warning card came out."""

    tells: ClassVar = ()

    moment: Moment

    def narration(self) -> list[Sentence]:
        return [(f"incident.warning_{self.moment}", {})]


class CardsSpread(Incident, frozen=True, tag="cards_spread"):
    """The shoe is not finished, and the dealer spreads its remaining cards face up on the table."""

    tells: ClassVar = ("people",)

    def check(self, situation: Situation) -> None:
        if situation.hands or situation.bank_cards:
            raise ImpossibleFacts("hands", "no coup is under way")


@rule(WarningCardOut, BJ)
def warning_card_out(s: Situation, incident: WarningCardOut, r: Reasoning) -> None:
    if incident.still_in:
        r.pivot("11 s1", "shoe_goes_on")
        r.after(lying(s))
        return
    r.pivot("11 s1", "last_coup")
    r.words("last_coup")
    r.after(lying(s))


@rule(CoupToBegin, BJ)
def coup_to_begin(s: Situation, incident: CoupToBegin, r: Reasoning) -> None:
    acts = {"not_out": "play_on", "before_coup": "one_more", "in_last_coup": "shuffle"}
    texts = {"not_out": "shoe_goes_on", "before_coup": "still_played", "in_last_coup": "shuffle_first"}
    r.pivot("11 s2" if incident.moment == "before_coup" else "11 s1", texts[incident.moment])
    r.choice("next_act", acts[incident.moment], critical=True)


@rule(CardsSpread, BJ)
def cards_spread(s: Situation, incident: CardsSpread, r: Reasoning) -> None:
    r.pivot("12", "bets_are_there" if s.bets else "nobody_bets" if s.people() else "nobody_there")
    r.choice("allowed", "refused" if s.bets else "allowed", critical=True)


@case("shoe", {BJ: "11 s1"})
def warning_card_comes(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = dealt(draw, book, difficulty)
    bank = (draw.card(), draw.card())
    hands = tuple(Hand(seat=seat, cards=draw.two(draw.pick(PLAIN))) for seat in facts["seats"])
    incident = WarningCardOut(still_in=draw.chance(0.4))
    return Situation(**facts, hands=hands, bank_cards=bank, hidden=hidden(bank), incident=incident)


@case("shoe", {BJ: ("11 s1", "11 s2")})
def another_coup(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    moment: Moment = draw.pick(("not_out", "before_coup", "in_last_coup"))
    return Situation(**dealt(draw, book, difficulty), incident=CoupToBegin(moment=moment))


@case("shoe", {BJ: "12"})
def cards_spread_open(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Nobody is there, or people who do not bet; harder: one of them has bet."""
    facts = table(draw, book, difficulty)
    kind = draw.pick(("nobody", "idle", "bet", "bet"))
    if kind == "nobody":
        facts["seats"] = ()
    bets = tuple(own_bets(draw, facts, facts["seats"][:1])) if kind == "bet" else ()
    return Situation(**facts, bets=bets, incident=CardsSpread())
