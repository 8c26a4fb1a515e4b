"""A scenario for the page, in the reader's language: the story and the questions."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.html import strip_tags
from django.utils.safestring import SafeString

from rules_engine import DOES_NOT_ARISE, Question, Rulebook, Ruling, Scenario, Utterance
from rules_engine.narration import ask, book_name, call_log, narrate, show, table_name, topic_name
from rules_engine.ruling import After
from rules_engine.spots import spot_name
from training.drawing import Drawing, Said, ending, table_view
from training.drawing.chip_rack import ChipRack, rack
from training.drawing.scene import Pointing
from training.library.author_texts import Worded, word
from training.library.markdown import render

# Words come first: at the table one speaks, then acts.
WORDS_FIRST = {"words": 0}
UNITS = {"EUR": "€", "PTE": "$00"}
# Kinds that are answered by choosing an option; the others are typed.
PICKED_KINDS = ("choice", "score", "player")
# Options up to this length fit side by side on a phone: whole label, and longest word.
SHORT, SHORT_WORD = 22, 12
# By layout: from this many questions of one kind on, each is folded to a line.
ALIKE = {"stacked": 3, "pairs": 5}
BRIEF = 240  # characters that fit in the corner beside a wheel
FEW = 3  # sentences that are shown whole at a desk
SENTENCE_END = re.compile(r"(?<=[.!?:]) (?=[^\W\da-z])")
BET_HYPHEN = re.compile(r"(?<=\d)-(?=\d)")
PLACE = re.compile(r"\d+[a-i]?")


@dataclass(frozen=True)
class Option:
    value: str
    label: str
    chosen: bool

    @property
    def pill(self) -> str:
        """Its label on a small button: a place is only its number, as on the drawing."""
        return self.value if PLACE.fullmatch(self.value) else self.label

    @property
    def short(self) -> bool:
        """Whether it fits beside other options on a phone."""
        return len(self.label) <= SHORT and all(len(word) <= SHORT_WORD for word in self.label.split())


@dataclass(frozen=True)
class AskedQuestion:
    """A question as a form control.

    - `options`: for words, the easier mode; for an order, everybody who may be in it.
    - `idle`: the answer that the question does not arise: a box beside a typed answer, else the last option.
    - `pointing`: what can be pointed at on the drawing instead: place, card, heap, spot or several `spots` in order.
    - `example`: how spots are written. `hotkeys`: the letters that pick options, such as `t:must_draw`.
    - `language`: the language its words are spoken in. `foreign`: that is not the reader's language.
    - `rack`: the chips to pay it with, on the first question that is paid. `paid`: whether it is.
    - `alike`: one of many with the same options, folded to a line until it is active.
    """

    key: str
    kind: str
    text: str
    options: list[Option]
    given: str
    unit: str
    idle: Option | None
    pointing: str = ""
    example: str = ""
    hotkeys: str = ""
    language: str = ""
    foreign: bool = False
    paid: bool = False
    rack: ChipRack | None = None
    alike: bool = False

    @property
    def layout(self) -> str:
        """How the options are laid out: side by side, in pairs, or one per line."""
        if not all(option.short for option in self.options):
            return "stacked"
        return "beside" if len(self.options) <= 3 else "pairs"

    @property
    def typed(self) -> bool:
        return self.kind not in PICKED_KINDS

    @property
    def name(self) -> str:
        return f"q.{self.key}"

    @property
    def pick_name(self) -> str:
        return f"pick.{self.key}"

    @property
    def picked(self) -> bool:
        return self.kind == "words" and any(option.chosen for option in self.options)


@dataclass(frozen=True)
class SpokenCall:
    """A line of the call log. `place`: where the speaker is on the drawing, if anywhere; `says`: the kind of call."""

    by: str
    words: str
    meaning: str
    place: str
    spoken: bool
    says: str


@dataclass(frozen=True)
class Story:
    """The situation: the drawn table, the facts in sentences, and what was said, in order.

    `table_after` is the table as it should end, once the answer is marked and if the ruling moves anything.
    """

    rulebook: str
    topic: str
    language: str
    title: str
    authored: SafeString
    table_name: str  # of the house; empty for cases from before there were tables
    table: Drawing
    table_after: Drawing | None
    sentences: list[str]
    calls: list[SpokenCall]
    # What each key picks, for keyboard users.
    hotkeys: list[tuple[str, str]]
    # Whose bets are settled, in the order of the regulation; empty before the answer is marked.
    settled: list[str]

    @property
    def lines(self) -> list[str]:
        """The sentences, with the numbers of a bet (17-20) kept on one line."""
        return [BET_HYPHEN.sub("-\N{WORD JOINER}", sentence) for sentence in self.sentences]

    @property
    def gist(self) -> tuple[str, str]:
        """The last two sentences: what happened, and the moment to rule on. The rest is mostly drawn.

        What an author wrote comes first: it is not drawn."""
        single = [sentence for line in self.lines for sentence in SENTENCE_END.split(line)]
        if self.authored:
            return strip_tags(self.authored).strip(), single[-1] if single else ""
        what, *moment = single[-2:] or [""]
        return what, "".join(moment)

    @property
    def long(self) -> bool:
        """Whether a desk too shows the gist first. What an author wrote is always shown."""
        return not self.authored and len(self.sentences) > FEW

    @property
    def brief(self) -> bool:
        """Whether the story fits in the free corner of the drawing."""
        return not self.authored and not self.calls and sum(map(len, self.sentences)) <= BRIEF


def story(
    scenario: Scenario,
    language: str,
    *,
    version: Worded | None = None,
    ruling: Ruling | None = None,
    printed: bool = False,
) -> Story:
    """The story of a scenario. Pass the ruling only once the answer is marked: it shows the solution.

    `printed` leaves the figures of the cloth as they face the players."""
    situation, currency = scenario.situation, scenario.book.currency
    asking, calls = ruling is None, _calls(scenario, language)
    pointing: Pointing = _pointing(scenario) if asking else ""
    topic = topic_name(scenario.rulebook, scenario.topic, language)
    return Story(
        rulebook=book_name(scenario.rulebook, language),
        topic=topic,
        language=scenario.book.language,
        settled=_settled(ruling.after) if ruling and ruling.after else [],
        title=(word(version, "title", language) if version else "") or topic,
        authored=authored(version, "story", language),
        table_name=table_name(scenario.table, language) if scenario.table else "",
        table=table_view(
            situation,
            currency=currency,
            table=scenario.table or None,
            pointing=pointing,
            asking=asking,
            said=_said(calls),
            rulebook=scenario.rulebook,
            printed=printed,
        ),
        table_after=ending(scenario, ruling, printed=printed) if ruling else None,
        sentences=narrate(situation, scenario.book, language),
        calls=calls,
        hotkeys=_hotkeys(scenario, language),
    )


def _said(calls: list[SpokenCall]) -> list[Said]:
    """What was spoken, for the speech balloons at the table."""
    return [Said(number, call.place, call.words) for number, call in enumerate(calls, start=1) if call.spoken]


def _hotkeys(scenario: Scenario, language: str) -> list[tuple[str, str]]:
    """The keys that pick options of these questions, each with what it picks."""
    found: dict[str, dict[str, None]] = {}
    for name in dict.fromkeys(question.key.partition(".")[0] for question in scenario.questions):
        for letter, value in scenario.book.game.keys.get(name, {}).items():
            found.setdefault(letter.upper(), {})[scenario.book.text(f"option.{name}.{value}", language)] = None
    return [(letter, " · ".join(meanings)) for letter, meanings in found.items()]


def _pointing(scenario: Scenario) -> Pointing:
    """`spot` if a question is answered by pointing at spots, so that the drawing needs targets."""
    return "spot" if any(scenario.book.game.asks_for_spots(question.key) for question in scenario.questions) else ""


def model_words(scenario: Scenario, ruling: Ruling) -> list[tuple[str, str]]:
    """The right words, each with its language. Only for marked answers."""
    spoken = [question.key for question in scenario.questions if question.kind == "words"]
    due = [(ruling.get(key), scenario.book.language_of(key)) for key in spoken]
    return [(scenario.book.say(words, tongue), tongue) for words, tongue in due if isinstance(words, Utterance)]


def _settled(after: After) -> list[str]:
    return list(dict.fromkeys(one.payee if one.payer in ("bank", "house") else one.payer for one in after.payments))


def authored(version: Worded | None, field: str, language: str) -> SafeString:
    """The author's story or note as safe HTML."""
    return render(word(version, field, language)) if version else SafeString()


def _calls(scenario: Scenario, language: str) -> list[SpokenCall]:
    situation = scenario.situation
    lines = call_log(situation, scenario.book, language)
    return [
        SpokenCall(line.by, line.words, line.meaning, situation.whereabouts(call.by), line.spoken, call.says)
        for call, line in zip(situation.calls, lines, strict=True)
    ]


def questions(scenario: Scenario, language: str, given: Mapping[str, Any], picked: bool = False) -> list[AskedQuestion]:
    asked = [_question(question, scenario, language, given, picked) for question in scenario.questions]
    return _racked(_folded(sorted(asked, key=lambda question: WORDS_FIRST.get(question.kind, 1))), scenario, language)


def _racked(asked: list[AskedQuestion], scenario: Scenario, language: str) -> list[AskedQuestion]:
    """The first question that is paid gets the rack; the page moves it to the one being answered."""
    first = next((one for one in asked if one.paid), None)
    return [replace(one, rack=rack(scenario.book, language)) if one is first else one for one in asked]


def _folded(asked: Sequence[AskedQuestion]) -> list[AskedQuestion]:
    """Mark questions of a kind that is asked many times, to be folded and opened one after the other."""
    kinds = Counter((one.key.partition(".")[0], one.layout) for one in asked if one.kind == "choice")
    many = {name for (name, layout), count in kinds.items() if count >= ALIKE.get(layout, count + 1)}
    return [replace(one, alike=True) if one.key.partition(".")[0] in many else one for one in asked]


def _question(
    question: Question, scenario: Scenario, language: str, given: Mapping[str, Any], picked: bool
) -> AskedQuestion:
    answer = str(given.get(question.key) or "")
    found: list[Any] = [option for option in question.options if option != DOES_NOT_ARISE]
    kind, name = question.kind, question.key.partition(".")[0]
    pointing = scenario.book.game.pointing.get(name, "place" if kind in ("player", "order") else "")
    if kind == "order":
        # Offer everybody, or every spot with chips: the orders on offer would give away who is in it.
        found = list(scenario.situation.offered(name))
    options = [
        Option(str(option), _label(question, option, scenario, language), str(option) == answer) for option in found
    ]
    chosen = any(option.chosen for option in options)
    idle = _idle(question, answer, scenario, language)
    if idle and question.kind in PICKED_KINDS:
        options.append(idle)
    if question.kind == "words" and not picked:
        options = [Option(option.value, option.label, False) for option in options]
    return AskedQuestion(
        key=question.key,
        kind=question.kind,
        text=ask(question.key, scenario.situation, scenario.book, language),
        options=options,
        given="" if answer == DOES_NOT_ARISE or (picked and question.kind == "words" and chosen) else answer,
        unit=UNITS[scenario.book.currency] if question.kind == "amount" else "",
        idle=idle,
        pointing=pointing,
        example=_spots_written(scenario.book, language) if pointing in ("spot", "spots") else "",
        hotkeys=" ".join(f"{letter}:{value}" for letter, value in scenario.book.game.keys.get(name, {}).items()),
        language=scenario.book.language_of(question.key) if kind == "words" else "",
        paid=kind == "amount" and name in scenario.book.game.paid,
        foreign=kind == "words" and language != scenario.book.language == scenario.book.language_of(question.key),
    )


def _spots_written(book: Rulebook, language: str) -> str:
    """An example of how to write spots: the game's own, else the names of two spots."""
    if book.game.words.has("example.spots"):
        return book.text("example.spots", language)
    first, *_between, last = book.game.spots
    return f"{spot_name(first, book, language)}, {spot_name(last, book, language)}"


def _label(question: Question, option: Any, scenario: Scenario, language: str) -> str:
    value = [option] if question.kind == "order" else option
    return show(question.key, question.kind, value, scenario.book, language)


def _idle(question: Question, answer: str, scenario: Scenario, language: str) -> Option | None:
    if not question.may_not_arise:
        return None
    label = show(question.key, question.kind, DOES_NOT_ARISE, scenario.book, language)
    return Option(DOES_NOT_ARISE, label, answer == DOES_NOT_ARISE)
