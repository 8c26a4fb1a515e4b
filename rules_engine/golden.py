"""Golden cases: rulings that a floor manager can read and check, as data.

Each case names the article it turns on, the facts (an ordinary table fills in the rest) and what must be decided. A
value of a decision may be given for any key; `announcement` is compared as spoken words. Instead of that a case may say
why its facts are `impossible`, or why facts that can be are `refused` by the text. `exams` says whether an exam may ask
it: not where a reading of an open text decides. `readings` are other readings that the house has adopted, `leaves` are
facts of the table that the ruling leaves.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from rules_engine.errors import EngineError
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Adopted, Ruling, Utterance
from rules_engine.situation import Situation


def fault(book: Rulebook, case: Mapping[str, Any]) -> str:
    """What is wrong with the ruling on a golden case; empty if it is as expected."""
    facts = book.game.ordinary | case["situation"]
    book = book.under({question: Adopted(choice) for question, choice in case.get("readings", {}).items()})
    if "impossible" in case:
        return _refused(lambda: book.game.read(facts), case["impossible"])
    if "refused" in case:
        return _refused(lambda: book.rule(book.game.read(facts)), case["refused"])
    try:
        situation = book.game.read(facts)
        ruling = book.rule(situation)
    except EngineError as error:
        return str(error)
    return _decided(book, ruling, case) or (_left(situation, ruling, case["leaves"]) if "leaves" in case else "")


def _refused(act: Callable[[], object], expected: str) -> str:
    try:
        act()
    except EngineError as error:
        return "" if re.search(expected, str(error)) else f"refused because: {error}"
    return f"not refused: {expected}"


def _decided(book: Rulebook, ruling: Ruling, case: Mapping[str, Any]) -> str:
    found: dict[str, Any] = {decision.key: _plain(book, decision.value) for decision in ruling.decisions}
    for key, expected in case["expect"].items():
        if found.get(key) != expected:
            return f"{key} is {found.get(key)!r}, expected {expected!r}"
    if case["article"] not in ruling.cites:
        return f"does not cite {case['article']}"
    if ruling.exam_safe != case.get("exams", ruling.exam_safe):
        return "fit for exams" if ruling.exam_safe else "not fit for exams"
    return ""


def _plain(book: Rulebook, value: Any) -> Any:
    if isinstance(value, Utterance):
        return book.say(value)
    return list(value) if isinstance(value, tuple) else value


def _left(situation: Situation, ruling: Ruling, expected: Mapping[str, Any]) -> str:
    left = situation.left(ruling.after) if ruling.after else {}
    now = msgspec.json.decode(msgspec.json.encode(msgspec.structs.asdict(situation) | left))
    wrong = {fact: now.get(fact) for fact in expected if now.get(fact) != expected[fact]}
    return f"leaves {wrong!r}" if wrong else ""
