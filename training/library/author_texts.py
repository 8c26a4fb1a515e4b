"""The author's texts for a scenario, by language: a title, a story shown before it and a teaching note after it."""

from typing import Any, Protocol

from django.utils.translation import gettext as _

from rules_engine.folding import folded
from rules_engine.narration import topic_name
from rules_engine.words import LANGUAGES
from training.library.models import Version

LIMITS = {"title": 120, "story": 8000, "note": 8000}


class Worded(Protocol):
    """Something that has author's texts: a version, or one moment of it."""

    @property
    def words(self) -> Any: ...

    @property
    def rulebook(self) -> str: ...


class UnfitWords(ValueError):
    """Texts that cannot be stored; `where` names the field."""

    def __init__(self, where: str, reason: str) -> None:
        self.where = where
        self.reason = reason
        super().__init__(f"{where}: {reason}")


def checked_words(words: Any) -> dict[str, dict[str, str]]:
    """The texts without empty ones. Raises UnfitWords, which names the language and the field."""
    if not isinstance(words, dict):
        raise UnfitWords("words", _("must be an object with a language for each key"))
    kept: dict[str, dict[str, str]] = {}
    for language, fields in words.items():
        where = f"words.{language}"
        if language not in LANGUAGES:
            raise UnfitWords(where, _("is not one of the languages %(known)s") % {"known": ", ".join(LANGUAGES)})
        if not isinstance(fields, dict):
            raise UnfitWords(where, _("must be an object with title, story and note"))
        found = {name: _checked(f"{where}.{name}", name, value) for name, value in fields.items()}
        if any(found.values()):
            kept[language] = {name: value for name, value in found.items() if value}
    return kept


def _checked(where: str, name: str, value: object) -> str:
    if name not in LIMITS:
        raise UnfitWords(where, _("is not one of %(known)s") % {"known": ", ".join(LIMITS)})
    if not isinstance(value, str):
        raise UnfitWords(where, _("must be text"))
    value = value.replace("\r\n", "\n").strip()
    if "\x00" in value:
        raise UnfitWords(where, _("has a character that cannot be stored"))
    if len(value) > LIMITS[name]:
        raise UnfitWords(where, _("is longer than %(limit)d characters") % {"limit": LIMITS[name]})
    return value


def search_text(*words: dict[str, dict[str, str]]) -> str:
    return folded("\n".join(value for one in words for fields in one.values() for value in fields.values()))


def word(told: Worded, field: str, language: str) -> str:
    """The title, story or note in the reader's language, else the rulebook's, else in any. Empty if there is none."""
    own: dict[str, dict[str, str]] = told.words
    order = (language, told.rulebook[:2], *LANGUAGES)
    return next((own[code][field] for code in order if own.get(code, {}).get(field)), "")


def without_notes(words: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """The texts without the teaching notes, which may give the ruling away."""
    return {code: {name: text for name, text in fields.items() if name != "note"} for code, fields in words.items()}


def has_title(version: Version) -> bool:
    return any(fields.get("title") for fields in version.words.values())


def title(version: Version, language: str) -> str:
    """The version's title or, if it has none, the name of its topic."""
    return word(version, "title", language) or topic_name(version.rulebook, version.topic, language)
