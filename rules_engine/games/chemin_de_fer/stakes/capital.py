"""The bank's capital: its minimum, how it is set, and when the banker may change it.

Portugal 33, 34 (s1 to s4), 35 and 39; Sanremo 56 (s1, s2, s3).
"""

from typing import Annotated, Literal

from msgspec import Meta

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.chemin_de_fer.bank.places import Coups, check_coups
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import domain, rule
from rules_engine.games.chemin_de_fer.table import Incident, Situation, Sum

BankAct = Literal["banker_states", "croupier_repeats", "banker_hands_chips", "croupier_sets_chips"]
BANK_ACTS: tuple[BankAct, ...] = ("banker_states", "croupier_repeats", "banker_hands_chips", "croupier_sets_chips")

domain("bank_act", *BANK_ACTS)


class BankStated(Incident, frozen=True, tag="bank_stated"):
    """A player who takes the hand states the bank he will play."""

    tells = ("minimum",)

    amount: Sum


@rule(BankStated, *PT)
def bank_stated(s: Situation, incident: BankStated, r: Reasoning) -> None:
    enough = incident.amount >= s.minimum
    text = "stakes.bank_large_enough" if enough else "stakes.bank_too_small"
    r.pivot("35", text, amount=incident.amount, minimum=s.minimum)
    r.choice("allowed", "allowed" if enough else "refused", critical=True)


class BankBeingSet(Incident, frozen=True, tag="bank_being_set"):
    """The bank is being put into play; `done` is what has happened so far, in order."""

    done: tuple[BankAct, ...] = ()

    def check(self, situation: Situation) -> None:
        if self.done != BANK_ACTS[: len(self.done)] or len(self.done) == len(BANK_ACTS):
            raise ImpossibleFacts("incident.done", "these acts are not the beginning of a bank being set")

    def narration(self) -> list[Sentence]:
        return [(f"incident.bank_being_set_{len(self.done)}", {})]


@rule(BankBeingSet, *PT)
def bank_being_set(s: Situation, incident: BankBeingSet, r: Reasoning) -> None:
    act = BANK_ACTS[len(incident.done)]
    r.pivot("39", "stakes.setting_the_bank", act=act)
    r.choice("bank_act", act)


class ChangesBank(Incident, frozen=True, kw_only=True, tag="changes_bank"):
    """The banker, alone, wants his bank at `to` from the next coup on.

    `coups` are those of his hand so far; `before` the coups that the previous banker won. At a `new_shoe` he keeps the
    hand into the next shoe. `initial`: he holds the hand in his own turn, not one passed to him. The last coup he won
    was covered; after one that was not, Portugal 46 applies (UncoveredWin).
    """

    tells = ("minimum", "garage")

    to: Sum
    coups: Coups
    before: Annotated[int, Meta(ge=0)] = 0
    new_shoe: bool = False
    initial: bool = True

    def check(self, situation: Situation) -> None:
        check_coups(situation, self.coups)
        if not self.coups:
            raise ImpossibleFacts("incident.coups", "a bank is changed after a coup")
        if self.initial == bool(self.before):
            raise ImpossibleFacts(
                "incident.before", "a hand passed on has won coups before, a hand in its own turn none"
            )

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [
            ("incident.changes_bank_initial", {})
            if self.initial
            else ("incident.changes_bank_before", {"before": self.before})
        ]
        told.append(("incident.changes_bank_coups", {"coups": [{"result": coup} for coup in self.coups]}))
        if self.coups[-1] == "won":
            told.append(("incident.changes_bank_covered", {}))
        moment = "new_shoe" if self.new_shoe else "next_coup"
        return [*told, (f"incident.changes_bank_{moment}", {"to": self.to})]


def garage_win(book: Rulebook, wins: int) -> bool:
    """Whether half the bank may be put aside after so many won coups: the third and every odd one after it."""
    first = book.number("garage_first_win")
    return wins >= first and (wins - first) % book.number("garage_every") == 0


@rule(ChangesBank, *PT)
def changes_bank_pt(s: Situation, incident: ChangesBank, r: Reasoning) -> None:
    if incident.to > s.bank:
        raise NotRegulated("arts. 33 and 34 do not speak of a bank raised by its banker")
    good = _new_shoe_pt(s, incident, r) if incident.new_shoe else _garage_pt(s, incident, r)
    if good and incident.to <= s.minimum:
        enough = incident.to == s.minimum
        text = "stakes.bank_large_enough" if enough else "stakes.bank_too_small"
        r.pivot("35", text, amount=incident.to, minimum=s.minimum)
        good = enough
    _decide(s, incident, r, good=good)
    if not incident.new_shoe:
        out = s.bank - incident.to
        if good and out:
            r.pivot("34 s3", "stakes.half_out_of_play", aside=out, garage=s.garage + out)
        after = s.garage + out if good else s.garage
        r.amount("garage", after, tempting=[s.garage + out, s.garage, out, s.garage + s.bank, 0], critical=True)


def _new_shoe_pt(s: Situation, incident: ChangesBank, r: Reasoning) -> bool:
    if incident.coups[-1] == "tie":
        if r.book.reads("Q5", "passes"):
            raise NotRegulated("art. 32, as the house reads it: after a tie the banker does not keep the hand")
        r.step("32 open", "bank.stays_next_shoe", banker=s.banker)
    half = s.bank // r.book.number("new_shoe_divisor")
    good = incident.to in (s.bank, half)
    r.pivot("33", "stakes.new_shoe_keep_or_halve" if good else "stakes.new_shoe_only_half", bank=s.bank, half=half)
    return good


def _garage_pt(s: Situation, incident: ChangesBank, r: Reasoning) -> bool:
    if incident.coups[-1] == "tie" and garage_win(r.book, s.wins) and incident.to != s.bank:
        raise NotRegulated("art. 34 speaks of the end of a won coup")
    if "tie" in incident.coups:
        r.pivot("34 s2", "stakes.ties_do_not_count", wins=s.wins, coups=len(incident.coups))
    if incident.before:
        r.pivot("34 s4", "stakes.count_starts_again", before=incident.before, wins=s.wins)
    if incident.to == s.bank:
        r.pivot("34 s1", "stakes.garage_is_his_choice", bank=s.bank)
        return True
    half = s.bank // r.book.number("garage_divisor")
    due = garage_win(r.book, s.wins)
    text = (
        "stakes.no_garage_yet" if not due else "stakes.garage_due" if incident.to == half else "stakes.garage_is_half"
    )
    r.pivot("34 s1", text, wins=s.wins, half=half, first=r.book.number("garage_first_win"))
    return due and incident.to == half


@rule(ChangesBank, SANREMO)
def changes_bank_sanremo(s: Situation, incident: ChangesBank, r: Reasoning) -> None:
    if incident.to >= s.bank:
        r.pivot("56 s1", "stakes.bank_may_grow", bank=s.bank)
        good = True
    elif incident.new_shoe:
        good = _new_shoe_sanremo(s, incident, r)
    else:
        good = _after_tie_sanremo(s, incident, r)
    _decide(s, incident, r, good=good)


def _new_shoe_sanremo(s: Situation, incident: ChangesBank, r: Reasoning) -> bool:
    if not s.wins and incident.initial:
        raise NotRegulated("after ties alone an initial hand may also go down to the minimum: art. 56 leaves it open")
    half = s.bank // r.book.number("new_shoe_divisor")
    enough = s.wins >= r.book.number("new_shoe_min_wins")
    if not enough:
        r.pivot("56 s2", "stakes.halving_needs_a_win")
        return False
    good = incident.to == half
    r.pivot("56 s2", "stakes.new_shoe_keep_or_halve" if good else "stakes.new_shoe_only_half", bank=s.bank, half=half)
    return good


def _after_tie_sanremo(s: Situation, incident: ChangesBank, r: Reasoning) -> bool:
    if not incident.initial or s.wins:
        r.pivot("56 s1", "stakes.bank_never_shrinks")
        r.pivot("56 s3", "stakes.only_before_first_win" if incident.initial else "stakes.only_initial_hand")
        return False
    good = incident.to >= s.minimum
    text = "stakes.after_tie_to_minimum" if good else "stakes.not_below_minimum"
    r.pivot("56 s3", text, minimum=s.minimum, amount=incident.to)
    return good


def _decide(s: Situation, incident: ChangesBank, r: Reasoning, *, good: bool) -> None:
    r.choice("allowed", "allowed" if good else "refused", critical=True)
    wrong = [incident.to, s.bank, s.bank // 2, s.minimum, s.bank - incident.to]
    r.amount("next_bank", incident.to if good else s.bank, tempting=wrong, critical=True)
