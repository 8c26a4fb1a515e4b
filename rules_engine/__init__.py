"""The rules engine: regulations as data and rules, scenarios from seeds, rulings with their articles, marks.

Pure: no clock, no network, no hidden chance. Nothing here knows of Django.
"""

# Every family of rules registers itself on import.
from rules_engine import ponto_banca  # noqa: F401
from rules_engine.chemin_de_fer import (  # noqa: F401
    bank,
    claims,
    deal_faults,
    draw_faults,
    play,
    seating,
    settlement,
    shoe,
    stakes,
    third_card,
)
from rules_engine.grading import Answer, Mark, answer_from, check_answer, grade
from rules_engine.questions import Question
from rules_engine.rulebook import RULEBOOKS, Rulebook, rulebook
from rules_engine.ruling import DOES_NOT_ARISE, Decision, Ruling, Step, Utterance
from rules_engine.scenario import Scenario, decode, encode, exam_fit, generate, scenario_from, scenario_of
from rules_engine.topics import topics
from rules_engine.version import VERSION

__all__ = [
    "DOES_NOT_ARISE",
    "RULEBOOKS",
    "VERSION",
    "Answer",
    "Decision",
    "Mark",
    "Question",
    "Rulebook",
    "Ruling",
    "Scenario",
    "Step",
    "Utterance",
    "answer_from",
    "check_answer",
    "decode",
    "encode",
    "exam_fit",
    "generate",
    "grade",
    "rulebook",
    "scenario_from",
    "scenario_of",
    "topics",
]
