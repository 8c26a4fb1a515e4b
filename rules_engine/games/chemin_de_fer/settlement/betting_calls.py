"""What the croupier says while the bank is set and the stakes are made.

Portugal 40 s1 and 96 a (a-1 to a-7), with 48 and 49 on priority; Sanremo 10 s2.
"""

from typing import Any

from msgspec.structs import replace

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, Utterance, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.claims.facts import asked, seated_first
from rules_engine.games.chemin_de_fer.game import case, case_table, rule
from rules_engine.games.chemin_de_fer.order import standing_by_house
from rules_engine.games.chemin_de_fer.outcome import worth
from rules_engine.games.chemin_de_fer.setting import pontos
from rules_engine.games.chemin_de_fer.stakes.cover import Facts, covered, stakes, table
from rules_engine.games.chemin_de_fer.table import Call, Incident, Says, Situation, Stake, shuffled

PLAIN = ("who_banco", "place_bets", "who_completes", "banco", "banco_priority", "closed")
OTHER_WORDS = 4


class BettingGoesOn(Incident, frozen=True, tag="betting_goes_on"):
    """The croupier must speak. `waited`: time has been given since the last words and nobody else moves."""

    waited: bool = False

    def check(self, situation: Situation) -> None:
        if not situation.calls:
            raise ImpossibleFacts("calls", "nobody has stated the bank yet")
        if not situation.bank:
            raise ImpossibleFacts("bank", "nobody bets against a bank of nothing")

    def narration(self) -> list[Sentence]:
        return [("incident.betting_waited" if self.waited else "incident.betting_goes_on", {})]


@rule(BettingGoesOn, *PT)
def betting_call_pt(s: Situation, incident: BettingGoesOn, r: Reasoning) -> None:
    last, down = s.calls[-1], covered(s, r.book)
    if last.says == "states_bank":
        r.step("39", "settlement.bank_stated_first")
        r.pivot("96 a-1", "settlement.repeat_bank", bank=last.amount)
        _say(s, r, "bank_of", last.amount or 0)
    elif last.says == "levels_bank" or (down == s.bank and incident.waited):
        level = last.says == "levels_bank"
        r.pivot("96 a-7", "settlement.levelled" if level else "settlement.covered", down=down)
        r.step("40 s3", "settlement.croupier_closes")
        _say(s, r, "banco_closed", down)
    elif last.says == "banco":
        _banco_called(s, r)
    elif last.says == "bank_of":
        r.step("45 s1", "settlement.whole_bank_to_one")
        r.pivot("96 a-2", "settlement.offer_banco")
        _say(s, r, "who_banco")
    elif not incident.waited:
        raise NotRegulated("art. 40: the pontos are given time to stake before the croupier speaks again")
    elif last.says == "who_banco":
        r.step("45 s2", "settlement.several_up_to_bank")
        r.pivot("96 a-3", "settlement.nobody_wants_banco")
        _say(s, r, "place_bets")
    elif last.says == "place_bets":
        r.step("45 s2", "settlement.several_up_to_bank")
        r.pivot("96 a-4", "settlement.not_covered", down=down, bank=s.bank)
        _say(s, r, "who_completes")
    elif last.says == "who_completes":
        r.step("96 a-7", "settlement.not_levelled")
        r.pivot("40 s1", "settlement.close_uncovered", down=down, bank=s.bank)
        _say(s, r, "closed")
        r.rests("announcement", "96 a-7", "40 s1")
    else:
        raise NotRegulated("art. 96 a) gives no words after what was said last")


def _banco_called(s: Situation, r: Reasoning) -> None:
    callers = asked(s, "banco")
    if not callers:
        raise NotRegulated("art. 96 a): the croupier repeats the bancô of a player, and none has called one")
    if len(callers) == 1:
        r.step("45 s1", "settlement.whole_bank_to_one")
        r.pivot("96 a-5", "settlement.one_banco", who=callers[0])
        _say(s, r, "banco")
        return
    first = standing_by_house(r, s.banker, tuple(seated_first(s, callers)))[0]
    if first != s.calls[-1].by:
        raise NotRegulated("art. 96 a): the last to call has no priority over those before him")
    r.step("48" if first.isdigit() else "49", "settlement.comes_first", who=first)
    r.pivot("96 a-6", "settlement.banco_with_priority", who=first)
    _say(s, r, "banco_priority")


def _say(s: Situation, r: Reasoning, formula: str, amount: int | None = None) -> None:
    """The right words among those of other moments."""
    slots: dict[str, Any] = {} if amount is None else {"amount": amount}
    stated = next((call.amount or 0 for call in s.calls if call.says == "states_bank"), s.bank)
    down = covered(s, r.book) or stated
    sums = [("bank_of", stated), ("banco_closed", down)]
    words = [*map(Utterance, PLAIN), *(Utterance(name, {"amount": sum}) for name, sum in sums)]
    others = [one for one in shuffled(s, words) if one != Utterance(formula, {**slots})]
    r.words(formula, tempting=others[:OTHER_WORDS], **slots)


@rule(BettingGoesOn, SANREMO)
def betting_call_sanremo(s: Situation, incident: BettingGoesOn, r: Reasoning) -> None:
    if not incident.waited or s.calls[-1].says == "states_bank":
        raise NotRegulated("art. 10 fixes only the words that close the betting, once there was time to stake")
    r.pivot("10 s2", "settlement.rien_ne_va_plus")
    down = covered(s, r.book)
    r.words("closed", tempting=[Utterance("who_stakes_accepts"), Utterance("stakes_total", {"amount": down or s.bank})])


def _before(facts: Facts, *said: Says) -> tuple[Call, ...]:
    """The log so far: the banker's figure, the croupier's repetition, then the croupier's plain calls."""
    stated = Call(facts["banker"], "states_bank", facts["bank"])
    return (stated, *facts["calls"], *(Call("croupier", words) for words in said))


@case("announcements", {PT[0]: "96 a-1"})
def bank_to_announce(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty)
    bank = facts["bank"] + (facts["unit"] * draw.number(1, 9) if difficulty >= 3 else 0)
    said = (Call(facts["banker"], "states_bank", bank),)
    return Situation(**facts | {"calls": said, "bank": bank}, incident=BettingGoesOn())


@case("announcements", {PT[0]: "96 a-2"})
def banco_to_offer(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty)
    return Situation(**facts | {"calls": _before(facts)}, incident=BettingGoesOn())


@case("announcements", {PT[0]: "96 a-3"})
def bets_to_invite(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty)
    return Situation(**facts | {"calls": _before(facts, "who_banco")}, incident=BettingGoesOn(waited=True))


@case("announcements", {PT[0]: "96 a-4"})
def bank_to_complete(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: chips that would cover the bank, if one heap were not on the line."""
    facts = table(draw, book, difficulty)
    down = stakes(draw, facts, difficulty, facts["bank"] * draw.pick((1, 2, 3)) // 4, lines=True)
    said = _before(facts, "who_banco", "place_bets")
    return Situation(**facts | {"calls": said}, stakes=down, incident=BettingGoesOn(waited=True))


@case_table(
    "announcements",
    variant("banco_to_repeat", {PT[0]: "96 a-5"}, count=1),
    variant("banco_overtaken", {PT[0]: "96 a-6"}, count=2),
)
def _bancos(draw: Draw, book: Rulebook, difficulty: int, count: int) -> Situation:
    """Players call bancô, each with priority over the ones before."""
    facts = table(draw, book, difficulty)
    chosen = draw.sample(pontos(facts), count)
    callers = [place for place in reversed(pontos(facts)) if place in chosen]
    bancos = [Call(place, "banco") for place in callers]
    said = (*_before(facts, "who_banco"), bancos[0])
    for call in bancos[1:]:
        said = (*said, Call("croupier", "banco"), call)
    return Situation(**facts | {"calls": said}, incident=BettingGoesOn())


@case("announcements", {PT[0]: "96 a-7", SANREMO: "10 s2"})
def bank_covered(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Covered by several, or by one bancô; in Portugal the banker may also have brought it level with the stakes."""
    if book.coded_as in PT and draw.chance(0.5):
        return _brought_level(draw, book, difficulty)
    facts = table(draw, book, difficulty)
    if draw.chance(0.3):
        player = draw.pick(pontos(facts))
        said = (*_before(facts, "who_banco"), Call(player, "banco"), Call("croupier", "banco"))
        down: tuple[Stake, ...] = (Stake(player, facts["bank"]),)
    else:
        said = _before(facts, "who_banco", "place_bets")
        down = stakes(draw, facts, max(2, difficulty), facts["bank"], lines=True)
    if book.coded_as == SANREMO:
        said = facts["calls"]
    return Situation(**facts | {"calls": said}, stakes=down, incident=BettingGoesOn(waited=True))


def _uncovered(draw: Draw, book: Rulebook, difficulty: int) -> Facts:
    facts = table(draw, book, difficulty)
    down = stakes(draw, facts, difficulty, facts["bank"] * draw.pick((1, 2, 3)) // 4, lines=True)
    said = _before(facts, "who_banco", "place_bets", "who_completes")
    return facts | {"calls": said, "stakes": down}


def _brought_level(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Nobody completes it, and the banker takes off what the stakes do not cover."""
    facts = _uncovered(draw, book, difficulty)
    facts["calls"] = (*facts["calls"], Call(facts["banker"], "levels_bank"))
    total = sum(worth(stake, book) for stake in facts["stakes"])
    if total < facts["minimum"]:
        # Not even levelled may a bank be below the minimum.
        largest = replace(facts["stakes"][0], amount=facts["minimum"], line=False)
        facts["stakes"] = (largest, *facts["stakes"][1:])
        total = sum(worth(stake, book) for stake in facts["stakes"])
    facts["bank"] = total
    return Situation(**facts, incident=BettingGoesOn(waited=True))


@case("announcements", {PT[0]: "40 s1"})
def bets_to_close(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Nobody completes, and the banker leaves his bank as it is."""
    return Situation(**_uncovered(draw, book, difficulty), incident=BettingGoesOn(waited=True))
