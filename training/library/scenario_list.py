"""The list of scenarios as CSV: who wrote what and when, and all that an import needs to make the same scenarios."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.translation import gettext as _

from training.library import authors, spreadsheet
from training.library.author_texts import title
from training.library.guarded_cases import Watches
from training.library.models import Version
from training.people.models import User


def rows(versions: Iterable[Version], language: str, reader: User | None = None) -> Iterator[list[Any]]:
    """A header and a row for each version, without teaching notes on cases guarded from this reader."""
    # Translate now: when the rows are generated another language may be active.
    header = [
        *(_("Number"), _("Scenario"), _("Version"), _("State"), _("Title")),
        *spreadsheet.titles(),
        *(_("Source"), _("Author"), _("Changed"), _("Published by"), _("Published")),
    ]
    called = {value: str(label) for value, label in (*Version.State.choices, *Version.Source.choices)}
    return _rows(versions, language, reader, header, called)


def _rows(
    versions: Iterable[Version], language: str, reader: User | None, header: list[str], called: dict[str, str]
) -> Iterator[list[Any]]:
    yield header
    watches = Watches()
    for version in versions:
        yield [
            *(version.pk, version.item_id, version.number, called[version.state], title(version, language)),
            *spreadsheet.cells(version, language, closed=watches.close(version, reader)),
            *(called[version.source], authors.names(version)),
            version.changed_at.isoformat(timespec="seconds"),
            version.published_by.name if version.published_by else "",
            version.published_at.isoformat(timespec="seconds") if version.published_at else "",
        ]
