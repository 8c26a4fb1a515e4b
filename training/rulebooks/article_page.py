"""A clause in short, for a side panel: its text, words to pronounce, drawing tables and an example."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules_engine import rulebook
from rules_engine.law import Reading
from rules_engine.narration import book_name, cited, narrate
from rules_engine.words import FALLBACK
from training.house.lettered import label_of
from training.house.models import HouseRuling
from training.house.official_texts import Official, official
from training.house.readings import in_force, on_record, questions
from training.lessons import examples, reference
from training.lessons.reference import DrawingTable, Words
from training.mastery.memory import Rule


@dataclass(frozen=True)
class Leaf:
    rulebook: str
    cite: str
    book: str
    shown: str
    text: str
    language: str
    reading: Reading | None
    house: HouseRuling | None
    official: Official | None
    letter: str
    words: Sequence[Words]
    spoken: str
    tables: Sequence[DrawingTable]
    story: list[str]
    rulings: list[tuple[str, str]]

    @property
    def silent(self) -> bool:
        return self.cite in rulebook(self.rulebook).silences

    @property
    def read_so(self) -> str:
        return self.reading.told(self.house.choice if self.house else "") if self.reading else ""


def leaf(book_id: str, cite: str, language: str) -> Leaf:
    book = rulebook(book_id)
    row = book.law.row(cite)
    scenario = examples.example(Rule(book_id, cite))
    decisions = [decision for decision in scenario.solve().decisions if cite in decision.rests] if scenario else []
    return Leaf(
        rulebook=book_id,
        cite=cite,
        book=book_name(book_id, language),
        shown=cited(cite, book, language),
        text=book.law.summary(cite, language),
        language=language if cite in book.silences or cite in book.law.summaries(language) else FALLBACK,
        reading=questions(book, language).get(row.reading),
        house=on_record(in_force(book_id).filter(question=row.reading)).first() if row.reading else None,
        official=official(book, row.article),
        letter=label_of(cite),
        words=reference.words_of(book, cite),
        spoken=book.language,
        tables=reference.drawing_tables(book, row.article),
        story=narrate(scenario.situation, scenario.book, language) if scenario else [],
        rulings=[examples.decided(decision, scenario.situation, scenario.book, language) for decision in decisions]
        if scenario
        else [],
    )
