"""Case- and accent-insensitive text in the database, for searching names, and the alphabetical order of a language."""

from typing import Any

from django.db.backends.signals import connection_created
from django.db.models import F, Func, TextField, Value
from django.db.models.functions import Replace
from django.utils.translation import get_language

from rules_engine.folding import folded

# PostgreSQL's `unaccent` is an extension that not every server has; these are the letters of European names.
ACCENTED = "áàâãäåāăąçćčďéèêëēęěíìîïīñńňóòôõöōőřśšşťúùûüūůűýÿžźż"
PLAIN = "aaaaaaaaacccdeeeeeeeiiiiinnnooooooorssstuuuuuuuyyzzz"


class Folded(Func):
    function = "SABOT_FOLDED"
    arity = 1
    output_field = TextField()

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        template = f"TRANSLATE(LOWER(%(expressions)s), '{ACCENTED}', '{PLAIN}')"
        return super().as_sql(compiler, connection, template=template, **context)


# Letters that come after all words that begin alike, by language: Spanish lists nube before ñandú.
OWN_LETTERS: dict[str, dict[str, str | int | None]] = {"es": {"ñ": "nzz", "Ñ": "nzz"}}


def alphabetical(field: str) -> Folded:
    """For `order_by`: a text in the alphabetical order of the active language."""
    found: Any = F(field)
    for letter, spelt in OWN_LETTERS.get(get_language() or "", {}).items():
        found = Replace(found, Value(str(letter)), Value(str(spelt)))
    return Folded(found)


def sort_key(text: str) -> str:
    """The same order in Python."""
    return folded(text.translate(str.maketrans(OWN_LETTERS.get(get_language() or "", {}))))


def _teach_sqlite(connection: Any, **_: Any) -> None:
    if connection.vendor == "sqlite":
        connection.connection.create_function("SABOT_FOLDED", 1, _folded, deterministic=True)


def _folded(text: str | None) -> str | None:
    return text if text is None else folded(text)


def teach_sqlite() -> None:
    """Register the function on every SQLite connection. For `AppConfig.ready`."""
    connection_created.connect(_teach_sqlite, dispatch_uid="folded text in SQLite")
