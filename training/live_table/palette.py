"""Everything that a dealer can say, do or claim at a table. It depends on the rulebook alone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules_engine import DOES_NOT_ARISE, Rulebook, play
from rules_engine.announcements import ESCUDOS
from rules_engine.errors import EngineError
from rules_engine.narration import show
from training.drawing.chip_rack import rack
from training.library.incident_search import title
from training.live_table.lines import asked, name, option
from training.live_table.models import Dealing
from training.platform.folded_text import sort_key
from training.practice.presentation import UNITS, AskedQuestion, Option

SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")
SCORES = range(10)


@dataclass(frozen=True)
class Call:
    """Words of the rulebook in pieces: what is fixed, and the slots to fill (`None`)."""

    pieces: list[str | None]

    @property
    def fixed(self) -> bool:
        return None not in self.pieces

    @property
    def text(self) -> str:
        return "".join(piece or "…" for piece in self.pieces)


@dataclass(frozen=True)
class Doing:
    """Something to do besides speaking and paying. Without options a number is typed; `counts`: the options are
    numbers."""

    key: str
    text: str
    gives: bool
    options: list[Option]
    counts: bool = False


@dataclass(frozen=True)
class Claim:
    """Something that can be wrong, and the questions about it."""

    kind: str
    title: str
    questions: list[AskedQuestion]


def calls(book: Rulebook) -> list[Call]:
    """All calls of the rulebook in its own language and order, each wording once."""
    wordings = (formula.text[book.language] for formula in book.formulas.values())
    euros = (ESCUDOS.sub(" euros", wording) if book.currency == "EUR" else wording for wording in wordings)
    return [Call(_pieces(wording)) for wording in dict.fromkeys(euros)]


def _pieces(wording: str) -> list[str | None]:
    found: list[str | None] = []
    at = 0
    for slot in SLOT.finditer(wording):
        found += [wording[at : slot.start()], None]
        at = slot.end()
    return [piece for piece in (*found, wording[at:]) if piece != ""]


def doings(book: Rulebook, places: Sequence[tuple[str, str]], language: str) -> list[Doing]:
    return [
        Doing(
            one.key,
            asked(one.key, book, language),
            one.gives,
            _doing_options(one, book, places, language),
            counts=one.value == "number",
        )
        for one in play.flow_of(book).acts
    ]


def _doing_options(
    one: play.DealerAct, book: Rulebook, places: Sequence[tuple[str, str]], language: str
) -> list[Option]:
    if one.value == "place":
        more = [(who, name(who, book, language)) for who in one.others]
        here = [] if one.others_only else [place for place in places if place not in more]
        return [Option(place, label, False) for place, label in (*here, *more)]
    if one.value == "number":
        return [Option(value, value, False) for value in one.choices]
    values = one.choices or book.game.options(one.key, book.id)
    return [Option(value, option(one, value, book, language), False) for value in values]


def claims(session: Dealing, places: Sequence[tuple[str, str]], language: str) -> list[Claim]:
    """Always the same list in the same order, whatever is on the table."""
    book = session.book
    found = []
    for kind in play.claims(session.engine_setup):
        questions = [_question(one, kind, book, places, language) for one in play.questions_about(book, kind)]
        found.append(Claim(kind, title(book, kind, language), questions))
    return sorted(found, key=lambda claim: sort_key(claim.title))


def _question(
    one: play.ClaimQuestion, kind: str, book: Rulebook, places: Sequence[tuple[str, str]], language: str
) -> AskedQuestion:
    options = _options(one, book, places, language)
    key = f"{kind}:{one.key}"
    idle = next((option for option in options if option.value == DOES_NOT_ARISE), None)
    return AskedQuestion(
        key=key,
        kind=one.kind,
        text=_text(one.key, kind, book, language),
        options=options,
        given="",
        unit=UNITS[book.currency] if one.kind == "amount" else "",
        idle=idle if one.kind in ("choice", "score", "player") else None,
        language=book.language_of(one.key) if one.kind == "words" else "",
    )


def _options(one: play.ClaimQuestion, book: Rulebook, places: Sequence[tuple[str, str]], language: str) -> list[Option]:
    if one.kind == "choice":
        return [Option(value, show(one.key, "choice", value, book, language), False) for value in one.options]
    if one.kind == "score":
        return [Option(str(score), show(one.key, "score", score, book, language), False) for score in SCORES]
    return [Option(place, label, False) for place, label in places] if one.kind in ("player", "order") else []


def _text(key: str, kind: str, book: Rulebook, language: str) -> str:
    """A question in words that name nobody: it is asked about a claim, not about the table."""
    stem, _dot, ref = key.partition(".")
    may, own = f"question.may.{kind}", f"live.question.{stem}"
    id = may if stem == "allowed" and book.words.has(may) else own if book.words.has(own) else f"question.{stem}"
    number = ref.rpartition(".")[2]
    if number.isdecimal():
        return _("What happens to card no. %(number)s?") % {"number": number}
    try:
        return book.words.sentence(id, language, currency=book.currency, player="…", seat="…")
    except (EngineError, KeyError):  # the sentence names something at the table
        return _("How do you rule?")


def chips(session: Dealing, language: str) -> AskedQuestion:
    """The field to pay with, with the rack of the table."""
    return AskedQuestion(
        "sum", "amount", "", [], "", UNITS[session.book.currency], None, paid=True, rack=rack(session.book, language)
    )
