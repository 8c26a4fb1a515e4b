"""The script of a real table in words: what players say and do, what the dealer owes, what is wrong and how to rule."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from exams.practical.script import Scene
from exams.practical.ticking import Box
from rules_engine import Rulebook, play
from rules_engine.errors import EngineError
from rules_engine.narration import ask, cited, show
from rules_engine.words import money
from training.library.incident_search import title
from training.live_table.lines import asked, lines, name, spot


@dataclass(frozen=True)
class Cue:
    """Something that happens: who, and what they do or say."""

    by: str
    words: str


@dataclass
class Item:
    """Something to tick, in words, with the article, and what an examiner has ticked."""

    key: str
    words: str
    cite: str = ""
    value: int = 0
    sequence: int = 0


@dataclass
class Moment:
    """A moment of a coup as the sheet and the examiner's page show it."""

    cues: list[Cue]
    duties: list[Item] = field(default_factory=list)
    fault: str = ""
    seen: Item | None = None  # that it was noticed
    rulings: list[Item] = field(default_factory=list)


@dataclass
class Coup:
    number: int
    moments: list[Moment] = field(default_factory=list)

    @property
    def fault(self) -> str:
        return next((one.fault for one in self.moments if one.fault), "")


def coups(scenes: list[Scene], book: Rulebook, language: str) -> list[Coup]:
    found: dict[int, Coup] = {}
    for number, scene in enumerate(scenes):
        coup = found.setdefault(scene.coup, Coup(scene.coup))
        coup.moments.append(_moment(number, scene, book, language))
    return list(found.values())


def _moment(number: int, scene: Scene, book: Rulebook, language: str) -> Moment:
    told = lines((event for event in scene.events if event.what not in ("coup", "over")), book, language)
    cues = [Cue(line.by, line.words) for line in told]
    if scene.draws:
        cues.append(Cue(_("Cards from the shoe"), "  ".join(map(_card, scene.draws))))
    made = Moment(cues)
    if scene.kind:
        made.fault = title(book, scene.kind, language)
        made.seen = Item(f"{number}.seen", made.fault)
        made.rulings = [
            Item(f"{number}.q{at}", _ruling(key, kind, value, scene, book, language))
            for at, (key, kind, value) in enumerate(play.questions_asked(book, scene.kind, scene.facts))
        ]
    made.duties = [
        Item(f"{number}.{at}", _duty(duty, book, language), cited(duty.cite, book, language) if duty.cite else "")
        for at, duty in enumerate(scene.duties)
    ]
    return made


def _ruling(key: str, kind: str, value: object, scene: Scene, book: Rulebook, language: str) -> str:
    situation = book.read(scene.facts)
    return f"{ask(key, situation, book, language)} {show(key, kind, value, book, language)}"


def _duty(duty: play.Duty, book: Rulebook, language: str) -> str:
    if duty.words:
        return _("says “%(words)s”") % {"words": book.say(duty.words, book.language_of(duty.key))}
    if duty.payment:
        one = duty.payment
        values = {
            "payer": name(one.payer, book, language),
            "payee": name(one.payee, book, language),
            "sum": money(one.amount, book.currency, language),
        }
        where = spot(one.spot, book, language)
        words = _("%(sum)s from %(payer)s to %(payee)s") % values
        return f"{words} · {where}" if where else words
    try:
        question = asked(duty.key, book, language)
    except EngineError:
        question = duty.key
    kind = "player" if duty.act == "give" else "number" if isinstance(duty.value, int) else "choice"
    shown = name(str(duty.value), book, language) if duty.act == "give" else _value(duty, kind, book, language)
    return f"{question} {shown}"


def _value(duty: play.Duty, kind: str, book: Rulebook, language: str) -> str:
    try:
        return show(duty.key, kind, duty.value, book, language)
    except EngineError:
        return str(duty.value)


def items(made: list[Coup]) -> Iterator[Item]:
    for coup in made:
        for moment in coup.moments:
            yield from filter(None, (moment.seen, *moment.rulings, *moment.duties))


SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def _card(card: str) -> str:
    """`TH` or `KS` as it is printed."""
    face = "10" if card[:-1] == "T" else card[:-1]
    return f"{face}{SUITS.get(card[-1].upper(), card[-1])}"


def stack(scenes: list[Scene]) -> list[list[str]]:
    """The cards in the order in which they leave the shoe, one list per shoe."""
    shoes: list[list[str]] = [[]]
    for scene in scenes:
        if scene.shuffled and shoes[-1]:
            shoes.append([])
        shoes[-1] += map(_card, scene.draws)
    return [shoe for shoe in shoes if shoe]


def labels(made: list[Coup], boxes: list[Box], conduct: tuple[str, ...]) -> dict[str, str]:
    """Every key in words, for the list of differences."""
    found: dict[str, str] = {}
    for coup in made:
        where = _("Coup %(number)s") % {"number": coup.number}
        for moment in coup.moments:
            if moment.seen:
                found[moment.seen.key] = f"{where}: {_('noticed: %(fault)s') % {'fault': moment.fault}}"
            found |= {item.key: f"{where}: {item.words}" for item in (*moment.rulings, *moment.duties)}
    found |= {box.key: conduct[box.at] for box in boxes if box.key.startswith("conduct.")}
    return found | {"alarms": _("Stopped although nothing was wrong")}
