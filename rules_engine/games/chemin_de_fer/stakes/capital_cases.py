"""Situations in which the bank is set, raised, lowered or halved: see capital.py."""

from rules_engine.authoring import Rulebook
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.bank.places import CoupResult, Coups
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case
from rules_engine.games.chemin_de_fer.stakes.capital import BANK_ACTS, BankBeingSet, BankStated, ChangesBank
from rules_engine.games.chemin_de_fer.stakes.cover import Facts, table
from rules_engine.games.chemin_de_fer.table import Situation

WON: Coups = ("won",)
TIE: Coups = ("tie",)


@case("bank_capital", {PT[0]: "35"})
def bank_and_minimum(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Below, at and above the minimum bank; harder: close to it, or very high."""
    facts = table(draw, book, difficulty) | {"bank": 0, "calls": ()}
    minimum, unit = facts["minimum"], facts["unit"]
    near = (minimum - unit, minimum, minimum + unit, minimum * 100)
    far = (minimum // 2, minimum, minimum * 3)
    return Situation(**facts, incident=BankStated(amount=draw.pick(near if difficulty >= 3 else far)))


@case("bank_capital", {PT[0]: "39"})
def setting_the_bank(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty) | {"calls": ()}
    done = BANK_ACTS[: draw.number(0, len(BANK_ACTS) - 1)]
    if not done:
        facts["bank"] = 0
    return Situation(**facts, incident=BankBeingSet(done=done))


def _hand(draw: Draw, book: Rulebook, difficulty: int) -> Facts:
    return table(draw, book, difficulty) | {"calls": ()}


def _with_ties(draw: Draw, wins: int, ties: int) -> Coups:
    """Coups that end with a win."""
    before: list[CoupResult] = [*(WON * (wins - 1)), *(TIE * ties)]
    return (*draw.shuffled(before), "won")


def _near_the_minimum(draw: Draw, facts: Facts, difficulty: int) -> Facts:
    """The same table, at a high level often with a bank half of which is just the minimum, or less."""
    minimum, unit = facts["minimum"], facts["unit"]
    if difficulty < 4 or draw.chance(0.3):
        return facts
    less = minimum + 2 * unit * draw.number(0, max(0, minimum // unit // 2 - 1))
    return facts | {"bank": draw.pick((2 * minimum, 2 * minimum, less))}


def _halving(draw: Draw, book: Rulebook, difficulty: int, *, wins: int, ties: int = 0, before: int = 0) -> Situation:
    facts = _near_the_minimum(draw, _hand(draw, book, difficulty), difficulty)
    to = facts["bank"] // 2
    if difficulty >= 4 and draw.chance(0.3):
        to += facts["unit"] * draw.number(1, 3)
    garage = facts["unit"] * draw.number(1, 8) * 5 if wins >= 5 else 0
    incident = ChangesBank(to=to, coups=_with_ties(draw, wins, ties), before=before, initial=not before)
    return Situation(**facts, wins=wins, garage=garage, incident=incident)


@case("bank_capital", {PT[0]: "34 s1"})
def half_the_bank_aside(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Around the third win; harder, the even wins after it tempt."""
    return _halving(draw, book, difficulty, wins=draw.number(2, 4) if difficulty <= 2 else draw.number(1, 8))


@case("bank_capital", {PT[0]: ("34 s1", "34 s2")})
def garage_with_ties(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The number of coups would, or would not, be odd if the ties counted."""
    wins = draw.number(2, 4) if difficulty <= 2 else draw.number(2, 7)
    return _halving(draw, book, difficulty, wins=wins, ties=draw.number(1, 1 + difficulty // 2))


@case("bank_capital", {PT[0]: ("34 s1", "34 s2")})
def halving_after_a_tie(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The last coup was a tie, and the number of wins gives no right to a garage."""
    facts = _near_the_minimum(draw, _hand(draw, book, difficulty), difficulty)
    wins = draw.pick((1, 2)) if difficulty <= 2 else draw.pick((2, 4, 6))
    garage = facts["unit"] * draw.number(1, 8) * 5 if wins >= 4 else 0
    coups = (*_with_ties(draw, wins, 0), *TIE * draw.number(1, 2))
    return Situation(**facts, wins=wins, garage=garage, incident=ChangesBank(to=facts["bank"] // 2, coups=coups))


@case("bank_capital", {PT[0]: ("34 s1", "34 s3")})
def garage_formed(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _near_the_minimum(draw, _hand(draw, book, difficulty), difficulty)
    wins = draw.pick((3, 5, 7)) if difficulty >= 2 else 3
    garage = facts["unit"] * draw.number(1, 8) * 5 if wins > 3 else 0
    incident = ChangesBank(to=facts["bank"] // 2, coups=_with_ties(draw, wins, difficulty // 3))
    return Situation(**facts, wins=wins, garage=garage, incident=incident)


@case("bank_capital", {PT[0]: ("34 s1", "34 s4")})
def garage_after_a_passed_hand(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The coups of the banker before him would make the count odd, or spoil it."""
    before = draw.number(1, 2 + difficulty)
    return _halving(draw, book, difficulty, wins=draw.number(1, 3 if difficulty <= 2 else 6), before=before)


@case("bank_capital", {PT[0]: "33", SANREMO: "56 s2"})
def bank_for_the_next_shoe(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Half, or another sum; at Sanremo sometimes nothing won yet; in Portugal a half that falls below the minimum."""
    facts = _near_the_minimum(draw, _hand(draw, book, difficulty), difficulty)
    unit, wins = facts["unit"], draw.number(1, 3)
    if book.coded_as == SANREMO and draw.chance(0.4):
        wins = 0
    elif book.coded_as != SANREMO and difficulty >= 3 and draw.chance(0.3):
        facts["bank"] = facts["minimum"] + 2 * unit * draw.number(1, 6)
    half: int = facts["bank"] // 2
    to = half if draw.chance(0.6) else draw.pick((half + unit, half - unit if half > unit else half, half + 3 * unit))
    coups: Coups = _with_ties(draw, wins, difficulty // 3) if wins else TIE * draw.number(1, 2)
    incident = ChangesBank(to=to, coups=coups, new_shoe=True, initial=wins > 0, before=0 if wins else 2)
    return Situation(**facts, wins=wins, incident=incident)


@case("bank_capital", {PT[0]: "33"})
def bank_kept_for_the_next_shoe(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _hand(draw, book, difficulty)
    wins = draw.number(1, 3)
    coups = (*_with_ties(draw, wins, difficulty // 3), *(TIE if difficulty >= 3 and draw.chance(0.5) else ()))
    incident = ChangesBank(to=facts["bank"], coups=coups, new_shoe=True)
    return Situation(**facts, wins=wins, incident=incident)


@case("bank_capital", {SANREMO: "56 s1"})
def bank_raised_or_lowered(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Raised at any time, or lowered in the middle of a shoe after a win."""
    facts = _hand(draw, book, difficulty)
    unit, wins = facts["unit"], draw.number(1, 4)
    to = facts["bank"] + unit * draw.number(1, 20) if draw.chance(0.4) else facts["bank"] // 2
    coups = _with_ties(draw, wins, difficulty // 2)
    if difficulty >= 3 and draw.chance(0.5):
        coups = (*coups, "tie")
    return Situation(**facts, wins=wins, incident=ChangesBank(to=to, coups=coups))


@case("bank_capital", {SANREMO: "56 s3"})
def bank_lowered_after_ties(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Down to the minimum, above or below it; harder, the hand was bought or a coup has been won."""
    facts = _hand(draw, book, difficulty)
    minimum, unit = facts["minimum"], facts["unit"]
    coups: Coups = TIE * draw.number(1, 1 + difficulty // 2)
    to = draw.pick((minimum, minimum + unit * draw.number(1, 8), minimum - unit))
    initial = True
    if difficulty >= 3 and draw.chance(0.4):
        initial = draw.chance(0.5)
        coups = ("won", *coups) if initial else coups
    incident = ChangesBank(to=to, coups=coups, initial=initial, before=0 if initial else draw.number(1, 3))
    return Situation(**facts, wins=coups.count("won"), incident=incident)
