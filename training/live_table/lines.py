"""Events in words, for the log beside the table. Only what everybody saw or heard."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from re import fullmatch

from django.utils.translation import gettext as _

from rules_engine import Rulebook, play
from rules_engine.errors import EngineError
from rules_engine.narration import show
from rules_engine.spots import spot_name
from rules_engine.words import money


@dataclass(frozen=True)
class Line:
    """A line of the log. `place`: where the speaker is at the table. `spoken`: words that were said."""

    by: str
    words: str
    place: str = ""
    spoken: bool = False


def lines(events: Iterable[play.Event], book: Rulebook, language: str) -> list[Line]:
    """The events that the log tells; cards are seen on the drawing."""
    told = (TELLERS[event.what](event, book, language) for event in events if event.what in TELLERS)
    return [line for line in told if line is not None and line.words]


def name(who: str, book: Rulebook, language: str) -> str:
    """A place, a part or the house in words."""
    if who == "house":
        return _("The house")
    if who == "bank":
        return _("The bank")
    if who == "croupier":
        return _("Dealer")
    try:
        return book.words.sentence("table.by", language, by=who)
    except EngineError:
        return who


def spot(key: str, book: Rulebook, language: str) -> str:
    """A spot in words; empty for none, and for one that the game has no name for."""
    if seat := fullmatch(r"seat(\d+)", key):
        return name(seat[1], book, language).lower()
    if seat := fullmatch(r"insurance\.seat(\d+)", key):
        return _("insurance of seat %(seat)s") % {"seat": seat[1]}
    own = f"live.spot.{key}"
    if book.words.has(own):
        return book.text(own, language)
    try:
        return spot_name(key, book, language) if key else ""
    except (EngineError, KeyError):
        return ""


def _coup(event: play.Event, book: Rulebook, language: str) -> Line:
    return Line("", _("Coup %(number)s") % {"number": event.amount})


def _call(event: play.Event, book: Rulebook, language: str) -> Line | None:
    by = name(event.by, book, language)
    if text := event.values.get("text"):
        return Line(by, str(text), event.by, spoken=True)
    acts = {one.key: one for one in play.flow_of(book).acts}
    if event.by == "croupier" and event.says in acts:
        return Line(by, done(acts[event.says], event.to or event.values.get("value"), book, language), event.by)
    words = _said(f"say.{event.says}", book, book.language, amount=event.amount)
    return Line(by, words.strip("()"), event.by, spoken=not words.startswith("("))


def done(act: play.DealerAct, value: object, book: Rulebook, language: str) -> str:
    """An act of the dealer besides words and chips: what it is called and what was done."""
    shown = name(str(value), book, language) if act.value == "place" else option(act, value, book, language)
    return f"{asked(act.key, book, language)}: {shown}"


def asked(key: str, book: Rulebook, language: str) -> str:
    """What an act is called; its question, if the game has no shorter words."""
    own = f"live.do.{key.replace('.', '_')}"
    return book.words.sentence(own if book.words.has(own) else f"question.{key}", language)


def option(act: play.DealerAct, value: object, book: Rulebook, language: str) -> str:
    """What was or can be done, in words."""
    own = f"live.option.{act.key}.{value}"
    return book.text(own, language) if book.words.has(own) else show(act.key, act.value, value, book, language)


def _said(id: str, book: Rulebook, language: str, **values: object) -> str:
    try:
        return book.words.sentence(id, language, currency=book.currency, **values)
    except EngineError:
        return ""


def _chips(event: play.Event, book: Rulebook, language: str) -> Line:
    by, sum = name(event.by, book, language), money(event.amount or 0, book.currency, language)
    key = str(event.values.get("spot") or event.to)
    where = spot(key, book, language) if key != f"seat{event.by}" else ""
    if event.values.get("told"):
        return Line(by, "", event.by)
    if event.values.get("from") and not event.to:
        return Line(by, _("takes %(sum)s back") % {"sum": sum}, event.by)
    if event.by == event.to == "bank":
        words = _("has %(sum)s") % {"sum": sum}
    elif event.by in ("house", "bank"):
        words = _("pays %(sum)s to %(who)s") % {"sum": sum, "who": name(event.to, book, language)}
    elif event.to in ("house", "bank"):
        words = _("%(sum)s to %(who)s") % {"sum": sum, "who": name(event.to, book, language)}
    else:
        words = sum
    return Line(by, f"{words} · {where}" if where else words, event.by)


def _put_right(event: play.Event, book: Rulebook, language: str) -> Line:
    moved = _chips(event, book, language)
    return Line(name("inspector", book, language), f"{moved.by}: {moved.words}", "inspector")


def _shoe(event: play.Event, book: Rulebook, language: str) -> Line:
    return Line("", _("A new shoe") if event.says == "shoe_begins" else _("The warning card comes out"))


def _ball(event: play.Event, book: Rulebook, language: str) -> Line:
    words = _("The ball lies in %(number)s") % {"number": event.to} if event.to else _("The ball is to be thrown")
    return Line("", words)


def _dice(event: play.Event, book: Rulebook, language: str) -> Line:
    faces = event.values.get("seen", event.values["dice"])
    return Line("", _("The dice show %(faces)s") % {"faces": " · ".join(map(str, faces))} if faces else "")


def _told(event: play.Event, book: Rulebook, language: str) -> Line:
    return Line("", _said(event.says, book, language, **event.values))


def _complaint(event: play.Event, book: Rulebook, language: str) -> Line:
    return Line(name(event.by, book, language), _("complains that something was wrong"), event.by)


TELLERS: dict[str, Callable[[play.Event, Rulebook, str], Line | None]] = {
    "coup": _coup,
    "call": _call,
    "chips": _chips,
    "put_right": _put_right,
    "shoe": _shoe,
    "ball": _ball,
    "dice": _dice,
    "told": _told,
    "note": _told,
    "complaint": _complaint,
    "stopped": lambda event, book, language: Line("", _("You stop the game.")),
    "resumed": lambda event, book, language: Line("", _("The game goes on.")),
    "over": lambda event, book, language: Line("", _("The session is over.")),
}
