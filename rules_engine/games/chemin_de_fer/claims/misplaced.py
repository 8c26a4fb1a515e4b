"""The cards are with one ponto and another says they are his: who plays them?

Portugal 52 and 53; Sanremo 90 s2, 91, 117 and 136.
"""

from typing import Literal

from rules_engine.errors import ImpossibleFacts, NotRegulated
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.claims.facts import BANCO, ClaimsOpen, Right, asked, moment, past_line
from rules_engine.games.chemin_de_fer.claims.largest_stake import stake_sanremo
from rules_engine.games.chemin_de_fer.claims.suivi import suivi_pt, suivi_sanremo
from rules_engine.games.chemin_de_fer.claims.table_talk import (
    Facts,
    callers,
    close,
    company,
    seat_pontos,
    side_stakes,
    talk,
)
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.table import Call, Says, Situation, Stake
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Reasoning

Handled = Literal["untouched", "touched", "seen", "announced"]
SEEN = ("seen", "announced")

domain("taker", "may_be_bound", "not_bound")
domain("banco_stake", "plays", "void")
domain("ponto_bound", "free", "by_rule", "by_rule_five_free")


class CardsElsewhere(ClaimsOpen, frozen=True, kw_only=True, tag="cards_elsewhere"):
    """A ponto has the cards, passed to him by the croupier or taken by himself, and has got as far as `handled`.

    `announced` is also a natural shown. `consents` says whether he would give them up, `dispute` whether it has come
    to an argument.
    """

    handled: Handled
    consents: bool = False
    dispute: bool = False

    def check(self, situation: Situation) -> None:
        super().check(situation)
        if len(asked(situation, "given_cards", "takes_cards")) != 1:
            raise ImpossibleFacts("calls", "the cards are with exactly one ponto")
        if self.handled == "untouched" and asked(situation, "takes_cards"):
            raise ImpossibleFacts("incident.handled", "who took the cards has touched them")

    def narration(self) -> list[tuple[str, dict[str, object]]]:
        told = [*super().narration(), (f"incident.claims_cards_{self.handled}", {})]
        if self.handled == "touched":
            told.append((f"incident.claims_cards_{'consents' if self.consents else 'insists'}", {}))
        if self.dispute:
            told.append(("incident.claims_cards_dispute", {}))
        return told


def _in_hand(s: Situation) -> str:
    return asked(s, "given_cards", "takes_cards")[0]


@rule(CardsElsewhere, *PT)
def cards_elsewhere_pt(s: Situation, incident: CardsElsewhere, r: Reasoning) -> None:
    """Only suivi brings the cards back: before they are seen, or before they are announced by whoever grabbed them."""
    right, hand = suivi_pt(s, incident, r), _in_hand(s)
    if right is None or right.place == hand:
        raise NotRegulated("the text speaks only of cards that a player with suivi claims from another")
    if asked(s, "given_cards"):
        back = incident.handled not in SEEN
        r.pivot("52 s1" if back else "52 s2", _text("given", back), who=right.place, hand=hand)
    else:
        back = incident.handled != "announced"
        r.pivot("53 s1" if back else "53 s2", _text("taken", back), who=right.place, hand=hand)
    r.player("cards_to", right.place if back else hand, critical=True)


def _text(came: str, back: bool) -> str:
    return f"claims.{came}_{'come_back' if back else 'stay'}"


@rule(CardsElsewhere, SANREMO)
def cards_elsewhere_sanremo(s: Situation, incident: CardsElsewhere, r: Reasoning) -> None:
    hand = _in_hand(s)
    if asked(s, *BANCO):
        _withheld_from_banco(s, r)
        return
    right = suivi_sanremo(s, incident, r) or stake_sanremo(s, incident, r)
    if right.place == hand:
        raise NotRegulated("the cards are where they belong")
    if asked(s, "takes_cards"):
        r.pivot("117 s1", "claims.taken_come_back_even_seen", who=right.place, hand=hand)
        r.player("cards_to", right.place, critical=True)
        if incident.dispute:
            r.pivot("117 s2", "claims.taker_may_be_bound", hand=hand)
        r.choice("taker", "may_be_bound" if incident.dispute else "not_bound")
    elif right.kind == "suivi":
        _given_against_suivi(s, incident, r, right)
    else:
        _given_to_lower_stake(incident, r, right, hand)


def _given_against_suivi(s: Situation, incident: CardsElsewhere, r: Reasoning, right: Right) -> None:
    """Suivi overlooked by the croupier takes them back; suivi called afterwards needs the other's consent."""
    hand = _in_hand(s)
    seen = incident.handled in SEEN
    if moment(s, "suivi") < moment(s, "given_cards"):
        back = not seen
        r.pivot("91", "claims.given_come_back" if back else "claims.given_stay", who=right.place, hand=hand)
    elif incident.handled == "untouched":
        raise NotRegulated("the text speaks of a late suivi only once the other ponto has touched the cards")
    else:
        back = incident.consents and not seen
        text = "seen" if seen else "consents" if back else "refuses"
        r.pivot("90 s2", f"claims.late_suivi_{text}", who=right.place, hand=hand)
    r.player("cards_to", right.place if back else hand, critical=True)


def _given_to_lower_stake(incident: CardsElsewhere, r: Reasoning, right: Right, hand: str) -> None:
    if incident.handled in SEEN:
        r.pivot("136 s2", "claims.lower_stake_seen", who=right.place, hand=hand)
        r.player("cards_to", hand, critical=True)
        r.choice("ponto_bound", "by_rule")
    else:
        r.pivot("136 s1", "claims.lower_stake_unseen", who=right.place, hand=hand)
        r.step("113 s2", "claims.third_parties_by_rule", who=right.place)
        r.player("cards_to", right.place, critical=True)
        r.choice("ponto_bound", "by_rule_five_free")


def _withheld_from_banco(s: Situation, r: Reasoning) -> None:
    """A bancô overlooked by the croupier counts only if its sum is on the table."""
    who = asked(s, *BANCO)[0]
    table = who not in asked(s, "banco", "banco_alone", "banco_partners")
    needed = s.bank // r.book.number("banco_table_divisor") if table else s.bank
    down = past_line(s, who)
    short = down < needed
    r.pivot("136 s3", "claims.withheld_void" if short else "claims.withheld_plays", who=who, down=down, needed=needed)
    r.choice("banco_stake", "void" if short else "plays", critical=True)


@case("cards_to", {PT[0]: ("52 s1",)})
def given_unseen(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _against_suivi(draw, book, difficulty, came="given_cards", handled=draw.pick(("untouched", "touched")))


@case("cards_to", {PT[0]: ("52 s2",)})
def given_and_seen(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _against_suivi(draw, book, difficulty, came="given_cards", handled=draw.pick(("seen", "announced")))


@case("cards_to", {PT[0]: ("53 s1",), SANREMO: ("117 s1",)})
def taken(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _against_suivi(draw, book, difficulty, came="takes_cards", handled=draw.pick(("touched", "seen", "seen")))


@case("cards_to", {PT[0]: ("53 s2",)})
def taken_and_announced(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _against_suivi(draw, book, difficulty, came="takes_cards", handled="announced")


@case("cards_to", {SANREMO: ("91",)})
def overlooked_suivi(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    handled: Handled = draw.pick(("untouched", "touched", "seen"))
    return _against_suivi(draw, book, difficulty, came="given_cards", handled=handled, suivi_first=True)


@case("cards_to", {SANREMO: ("90 s2",)})
def suivi_too_late(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    handled: Handled = draw.pick(("touched", "touched", "seen"))
    return _against_suivi(draw, book, difficulty, came="given_cards", handled=handled, suivi_first=False)


@case("cards_to", {SANREMO: ("117 s1",)})
def taken_with_lower_stake(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _lower_stake(draw, book, difficulty, came="takes_cards", handled=draw.pick(("touched", "seen")))


@case("cards_to", {SANREMO: ("117 s2",)})
def taken_in_dispute(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _lower_stake(draw, book, difficulty, came="takes_cards", handled="seen", dispute=True)


@case("cards_to", {SANREMO: ("136 s1",)})
def lower_stake_unseen(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _lower_stake(draw, book, difficulty, came="given_cards", handled=draw.pick(("untouched", "touched")))


@case("cards_to", {SANREMO: ("136 s2",)})
def lower_stake_seen(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _lower_stake(draw, book, difficulty, came="given_cards", handled="seen")


@case("cards_to", {SANREMO: ("136 s3",)})
def banco_overlooked(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A bancô was called, and the cards went to a stake; the caller's sum is on the table, or not quite."""
    facts, stakes = _stakes(draw, book, difficulty)
    who = draw.pick([place for place in callers(facts) if place not in {stake.player for stake in stakes}])
    says: Says = draw.pick(("banco", "banco_table"))
    needed = facts["bank"] if says == "banco" else facts["bank"] // 2
    down = draw.pick((needed, needed, 0, needed - facts["unit"]) if difficulty >= 2 else (needed, 0))
    if down:
        stakes.append(Stake(who, down))
    calls = [Call(who, says), close(), Call("banker", "dealt"), Call(stakes[0].player, "given_cards")]
    return talk(facts, calls, CardsElsewhere(handled="touched"), stakes=stakes, draw=draw)


def _stakes(draw: Draw, book: Rulebook, difficulty: int) -> tuple[Facts, list[Stake]]:
    facts = company(draw, book, difficulty, seated=4)
    return facts, side_stakes(draw, facts, among=draw.sample(seat_pontos(facts), min(2 + difficulty // 3, 3)))


def _against_suivi(
    draw: Draw, book: Rulebook, difficulty: int, *, came: Says, handled: Handled, suivi_first: bool | None = None
) -> Situation:
    """The largest stake has the cards; the loser of the last bancô claims them, before or after they were passed."""
    facts, stakes = _stakes(draw, book, difficulty)
    hand = stakes[0].player
    loser = draw.pick([place for place in callers(facts) if place != hand])
    first = draw.chance(0.5) if suivi_first is None else suivi_first
    calls = [close(), Call("banker", "dealt"), Call(hand, came)]
    calls.insert(0 if first else len(calls), Call(loser, "suivi"))
    before = CardsElsewhere(
        lost=loser,
        lost_by="suivi" if difficulty >= 3 and draw.chance(0.5) else "banco",
        handled=handled,
        consents=handled == "touched" and draw.chance(0.5),
    )
    return talk(facts, calls, before, stakes=stakes, draw=draw)


def _lower_stake(
    draw: Draw, book: Rulebook, difficulty: int, *, came: Says, handled: Handled, dispute: bool = False
) -> Situation:
    """The cards are with somebody whose stake is not the largest."""
    facts, stakes = _stakes(draw, book, difficulty)
    if difficulty >= 4:
        # Equal largest stakes: the one further from the banker's right has the cards.
        near, far = sorted(stakes[:2], key=lambda stake: seat_pontos(facts).index(stake.player))
        stakes[:2] = [Stake(near.player, stakes[0].amount), Stake(far.player, stakes[0].amount)]
    calls = [close(), Call("banker", "dealt"), Call(stakes[1].player, came)]
    before = CardsElsewhere(handled=handled, dispute=dispute)
    return talk(facts, calls, before, stakes=draw.shuffled(stakes), draw=draw)
