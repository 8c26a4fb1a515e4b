"""One ponto has the cards and another claims them: who plays them?

Portugal 52 and 53; Sanremo 90 s2, 91, 117 and 136.
"""

from typing import Literal

from msgspec import structs

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.chemin_de_fer.association import tell_kept_partner
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.claims.banco import banco_sanremo
from rules_engine.games.chemin_de_fer.claims.facts import BANCO, ClaimsOpen, Right, asked, moment, past_line
from rules_engine.games.chemin_de_fer.claims.largest_stake import stake_sanremo
from rules_engine.games.chemin_de_fer.claims.suivi import suivi_pt, suivi_sanremo
from rules_engine.games.chemin_de_fer.claims.with_table import with_table_sanremo
from rules_engine.games.chemin_de_fer.game import domain, rule
from rules_engine.games.chemin_de_fer.table import Situation

Handled = Literal["untouched", "touched", "seen", "announced"]
SEEN = ("seen", "announced")

domain("taker", "may_be_bound", "not_bound")
domain("banco_stake", "plays", "void")
domain("ponto_bound", "free", "by_rule", "by_rule_five_free")


class CardsElsewhere(ClaimsOpen, frozen=True, kw_only=True, tag="cards_elsewhere"):
    """A ponto has the cards, given to him by the croupier or taken by himself, and has got as far as `handled`.

    `announced` includes a natural shown. `consents` says whether he would give them up, `dispute` whether there is an
    argument.
    """

    handled: Handled
    consents: bool = False
    dispute: bool = False

    def check(self, situation: Situation) -> None:
        super().check(situation)
        if len(asked(situation, "given_cards", "takes_cards")) != 1:
            raise ImpossibleFacts("calls", "the cards must be with exactly one ponto")
        if self.handled == "untouched" and asked(situation, "takes_cards"):
            raise ImpossibleFacts("incident.handled", "whoever took the cards must have touched them")

    def narration(self) -> list[Sentence]:
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
    """Only suivi brings the cards back: before they are seen or, if they were taken, before they are announced."""
    right, hand = suivi_pt(s, incident, r), _in_hand(s)
    if right is None or right.place == hand:
        raise NotRegulated(
            "arts. 52 and 53: the text speaks only of cards that a player with suivi claims from another"
        )
    if asked(s, "given_cards"):
        back = incident.handled not in SEEN
        r.pivot("52 s1" if back else "52 s2", _text("given", back), who=right.place, hand=hand)
    else:
        back = incident.handled != "announced"
        r.pivot("53 s1" if back else "53 s2", _text("taken", back), who=right.place, hand=hand)
    if back and incident.handled != "untouched" and moment(s, "suivi") > moment(s, "given_cards", "takes_cards"):
        # 51 and 52 or 53 differ: the cards were in another's hands before he spoke.
        back = not r.book.reads("Q6", "in_hand")
        r.pivot("51 open", "claims.suivi_in_hand_good" if back else "claims.suivi_in_hand_late", who=right.place)
    r.player("cards_to", right.place if back else hand, tempting=[right.place, hand], critical=True)


def _text(came: str, back: bool) -> str:
    return f"claims.{came}_{'come_back' if back else 'stay'}"


@rule(CardsElsewhere, SANREMO)
def cards_elsewhere_sanremo(s: Situation, incident: CardsElsewhere, r: Reasoning) -> None:
    """Whoever took the cards gives them up; cards given by mistake go back to suivi, bancô or stake while unseen."""
    tell_kept_partner(s, r)
    hand = _in_hand(s)
    right, void = _entitled(s, incident, r)
    if right.place == hand and not void:
        raise NotRegulated("art. 136: the croupier passed the cards to whoever has the right to them")
    if asked(s, "takes_cards"):
        if right.place == hand:
            raise NotRegulated("art. 117: whoever took the cards himself is the one who has the right to them")
        r.pivot("117 s1", "claims.taken_come_back_even_seen", who=right.place, hand=hand)
        r.player("cards_to", right.place, tempting=[hand], critical=True)
        if incident.dispute:
            r.pivot("117 s2", "claims.taker_may_be_bound", hand=hand)
        r.choice("taker", "may_be_bound" if incident.dispute else "not_bound")
    elif right.kind == "suivi":
        _given_against_suivi(s, incident, r, right)
    elif right.kind != "stake" or right.place == hand:
        _given_against_banco(s, incident, r, right, void)
    else:
        _given_to_lower_stake(incident, r, right, hand)
        if void:
            _tell_void(s, r, void)


def _entitled(s: Situation, incident: CardsElsewhere, r: Reasoning) -> tuple[Right, list[str]]:
    """Who should have the cards, and whose bancô the croupier overlooked without its sum on the table: his chips play
    for nothing, so they give him no right by stake either."""
    right = suivi_sanremo(s, incident, r)
    if right:
        return right, []
    hand = _in_hand(s)
    void = [who for who in asked(s, *BANCO) if who != hand and past_line(s, who) < _needed(s, r.book, who)]
    kept = tuple(stake for stake in s.stakes if stake.player not in void)
    calls = tuple(call for call in s.calls if call.by not in void)
    counted = structs.replace(s, stakes=kept, calls=calls)
    right = banco_sanremo(counted, incident, r) or with_table_sanremo(counted, incident, r)
    return right or stake_sanremo(counted, incident, r), void


def _needed(s: Situation, book: Rulebook, who: str) -> int:
    alone = who in asked(s, "banco", "banco_alone", "banco_partners")
    return s.bank if alone else s.bank // book.number("banco_table_divisor")


def _given_against_suivi(s: Situation, incident: CardsElsewhere, r: Reasoning, right: Right) -> None:
    """A suivi the croupier overlooked takes them back; a suivi called afterwards needs the other's consent."""
    hand = _in_hand(s)
    seen = incident.handled in SEEN
    if moment(s, "suivi") < moment(s, "given_cards"):
        back = not seen
        r.pivot("91", "claims.given_come_back" if back else "claims.given_stay", who=right.place, hand=hand)
        if seen:
            r.pivot("91 s2", "claims.no_protest", who=right.place)
            r.choice("complaint", "dismissed")
    elif incident.handled == "untouched":
        raise NotRegulated("art. 90 speaks of a late suivi only once the other ponto has touched the cards")
    else:
        back = incident.consents and not seen
        text = "seen" if seen else "consents" if back else "refuses"
        r.pivot("90 s2", f"claims.late_suivi_{text}", who=right.place, hand=hand)
    r.player("cards_to", right.place if back else hand, tempting=[right.place, hand], critical=True)


def _given_to_lower_stake(incident: CardsElsewhere, r: Reasoning, right: Right, hand: str) -> None:
    if incident.handled in SEEN:
        r.pivot("136 s2", "claims.lower_stake_seen", who=right.place, hand=hand)
        r.player("cards_to", hand, tempting=[right.place], critical=True)
        r.rests("cards_to", "136 s2")
        r.choice("ponto_bound", "by_rule", tempting=["by_rule_five_free"])
        r.choice("stakes_may", "unchanged")
    else:
        r.pivot("136 s1", "claims.lower_stake_unseen", who=right.place, hand=hand)
        r.step("113 s2", "claims.third_parties_by_rule", who=right.place)
        r.player("cards_to", right.place, tempting=[hand], critical=True)
        r.choice("ponto_bound", "by_rule_five_free", tempting=["by_rule", "free"])


def _given_against_banco(s: Situation, incident: CardsElsewhere, r: Reasoning, right: Right, void: list[str]) -> None:
    """A bancô the croupier overlooked counts only if its sum is on the table; otherwise it takes nobody's cards."""
    hand = _in_hand(s)
    if void:
        _tell_void(s, r, void)
    if right.place == hand:
        r.player("cards_to", hand, tempting=void, critical=True)
        return
    needed = _needed(s, r.book, right.place)
    r.pivot("136 s3", "claims.withheld_plays", who=right.place, needed=needed)
    if not void:
        r.choice("banco_stake", "plays", critical=True)
    seen = incident.handled in SEEN
    stay = seen and not r.book.reads("SR136", "banco")
    if seen:
        told = "claims.withheld_seen_stay" if stay else "claims.withheld_seen_go"
        r.pivot("136 s4", told, who=right.place, hand=hand)
    else:
        r.step("42 s2", "claims.withheld_come_back", who=right.place, hand=hand)
        r.rests("cards_to", "136 s3", "42 s2")
    r.player("cards_to", hand if stay else right.place, tempting=[hand, right.place], critical=True)


def _tell_void(s: Situation, r: Reasoning, void: list[str]) -> None:
    for who in void:
        down, needed = past_line(s, who), _needed(s, r.book, who)
        r.pivot("136 s3", "claims.withheld_void", who=who, down=down, needed=needed)
    r.choice("banco_stake", "void", critical=True)
