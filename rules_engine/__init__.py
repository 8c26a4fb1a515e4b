"""The rules engine: regulations as data and rules, scenarios from seeds, rulings that cite their articles, marks.

It is pure: it reads no clock and no network, and all its randomness comes from seeds. It does not depend on Django. A
program needs only this module:

    book = rulebook("pt-chemin-de-fer")
    facts = book.situation(seats=[1, 2, 3], banker="1", ..., incident={"kind": "coup_finished"})
    ruling = book.rule(facts)
    ruling["winner"], ruling.after.payments, book.say(ruling["announcement"])
"""

from rules_engine import games  # noqa: F401 (enrols every game)
from rules_engine.compare import Comparison, compare
from rules_engine.errors import EngineError, ImpossibleFacts, NotRegulated, UnknownName
from rules_engine.game import GAMES, RULEBOOKS, Game, game, present_format, readings, rulebook
from rules_engine.grading import Answer, Mark, Part, answer_from, check_answer, grade, mark_from, ruling_from
from rules_engine.quality import structure
from rules_engine.questions import Question
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import DOES_NOT_ARISE, Adopted, After, Decision, Payment, Ruling, Step, Utterance
from rules_engine.scenario import (
    Scenario,
    all_questions,
    decode,
    encode,
    exam_fit,
    generate,
    leaving_out,
    practice_only,
    scenario_from,
    scenario_of,
    under,
)
from rules_engine.situation import Call, Incident, Situation, kind_of
from rules_engine.tables import Chip, Limit, Table, UnfitTable, table_from
from rules_engine.topics import topics
from rules_engine.versions import in_force, versions

__all__ = [
    "DOES_NOT_ARISE",
    "GAMES",
    "RULEBOOKS",
    "Adopted",
    "After",
    "Answer",
    "Call",
    "Chip",
    "Comparison",
    "Decision",
    "EngineError",
    "Game",
    "ImpossibleFacts",
    "Incident",
    "Limit",
    "Mark",
    "NotRegulated",
    "Part",
    "Payment",
    "Question",
    "Rulebook",
    "Ruling",
    "Scenario",
    "Situation",
    "Step",
    "Table",
    "UnfitTable",
    "UnknownName",
    "Utterance",
    "all_questions",
    "answer_from",
    "check_answer",
    "compare",
    "decode",
    "encode",
    "exam_fit",
    "game",
    "generate",
    "grade",
    "in_force",
    "kind_of",
    "leaving_out",
    "mark_from",
    "practice_only",
    "present_format",
    "readings",
    "rulebook",
    "ruling_from",
    "scenario_from",
    "scenario_of",
    "structure",
    "table_from",
    "topics",
    "under",
    "versions",
]
