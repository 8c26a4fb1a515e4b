"""The card that teaches a rule before its first drill: text, words to say, tables, a worked example."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules_engine import Scenario, rulebook
from rules_engine.narration import book_name, cited, topic_name
from rules_engine.words import FALLBACK
from training.house.models import HouseRuling
from training.house.readings import in_force, on_record, silence
from training.lessons import examples, reference
from training.lessons.examples import Worked
from training.lessons.reference import DrawingTable, Words
from training.mastery.memory import Rule
from training.mastery.rules_to_learn import rules_to_learn
from training.practice.presentation import Story, story


@dataclass(frozen=True)
class Card:
    """`language` is that of the text: the reader's, or English if it is not translated."""

    rule: Rule
    rulebook: str
    topic: str
    cited: str
    text: str
    language: str
    spoken: str
    words: Sequence[Words]
    tables: Sequence[DrawingTable]
    # If it is a procedure of the house: where it is recorded, and what it says.
    house: HouseRuling | None
    procedure: str
    worked: Worked | None
    story: Story | None


def card(rule: Rule, language: str, *, asked: Scenario | None = None) -> Card:
    """The card of a rule. Its example is not the case `asked` next."""
    book = rulebook(rule.rulebook)
    found = examples.example(rule, other_than=asked)
    worked = examples.worked(found, language) if found else None
    house = on_record(in_force(book.id).filter(question=rule.cite)).first() if rule.cite in book.silences else None
    return Card(
        rule=rule,
        rulebook=book_name(rule.rulebook, language),
        topic=topic_name(rule.rulebook, rules_to_learn(rule.rulebook)[rule], language),
        cited=cited(rule.cite, book, language),
        text=book.law.summary(rule.cite, language),
        language=language if rule.cite in book.silences or rule.cite in book.law.summaries(language) else FALLBACK,
        spoken=book.language,
        words=reference.words_of(book, rule.cite),
        tables=reference.drawing_tables(book, book.law.row(rule.cite).article),
        house=house,
        procedure=silence(book, rule.cite, language).told(house.choice) if house else "",
        worked=worked,
        story=story(worked.scenario, language, ruling=worked.ruling) if worked else None,
    )
