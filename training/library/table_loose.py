"""Menu sections for facts of the table that cannot be pointed at: dice, limits, options of the table."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from training.library.editor_controls import Control
from training.library.editor_fields import Rows, Scalar, Tokens
from training.library.editor_forms import INCIDENT, cell, row_numbers, tokens, written
from training.library.table_acts import BANK
from training.library.table_offers import Offer, Reader, Section, facts_of
from training.library.table_people import names_people

MOST_DICE = 3
OWN = (f"{INCIDENT}-", "calls")  # these have their own menus


def loose_facts(reader: Reader) -> Iterator[Section]:
    """The dice first, then choices and numbers, then lists of choices."""
    names = [name for name in reader.controls if not name.startswith(OWN) and name in reader.fields]
    for name in names:
        yield from _dice(name, reader)
    single = [reader.controls[name] for name in names if _is_loose(name, reader)]
    yield from facts_of(control for control in single if isinstance(control, Control))
    for name in names:
        yield from _ticked(name, reader)


def _is_loose(name: str, reader: Reader) -> bool:
    found = reader.fields[name]
    return isinstance(found, Scalar) and name != BANK and not names_people(found) and found.what != "spot"


def _dice(name: str, reader: Reader) -> Iterator[Section]:
    """Each die with its faces, and one more up to `MOST_DICE`."""
    found = reader.fields[name]
    if not isinstance(found, Tokens) or found.item.what != "number" or (found.item.low, found.item.high) != (1, 6):
        return
    label, thrown = reader.controls[name].label, tokens(reader.typed.get(name, ""))
    for at in range(1, min(len(thrown) + 1, MOST_DICE) + 1):
        shows = thrown[at - 1] if at <= len(thrown) else ""
        faces = [Offer(str(face), f"act:nth:{name}.{at}:{face}", shows == str(face)) for face in range(1, 7)]
        yield Section(f"{label}, {at}", faces, look="pack")
    if thrown:
        yield Section("", [Offer(_("No dice"), f"act:set:{name}:")])


def _ticked(name: str, reader: Reader) -> Iterator[Section]:
    """A list of choices, each of which can be ticked."""
    found = reader.fields[name]
    if not isinstance(found, Rows) or found.packing != "single":
        return
    ((column, inner),) = found.columns
    if not isinstance(inner, Scalar) or not inner.choices:
        return
    there = {reader.typed.get(cell(name, at, column)): at for at in row_numbers(reader.typed, name, found)}
    offers = [
        Offer(
            reader.sheet.choice(value),
            f"act:remove:{name}:{there[key]}" if (key := written(value)) in there else f"act:row:{name}:{column}={key}",
            key in there,
        )
        for value in inner.choices
    ]
    yield Section(reader.controls[name].label, offers)
