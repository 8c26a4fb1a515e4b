"""The form of a table: its settings, a row for each chip and for each kind of bet that may have a limit of its own."""

import re
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules_engine import Chip, Rulebook, Table
from training.drawing import chip_designs
from training.house.models import HouseTable
from training.people.request import language

MOST_CHIPS = 16
SPARE = 3  # empty rows for more chips
CURRENCIES = (("EUR", gettext_lazy("Euro")), ("PTE", gettext_lazy("Portuguese escudo")))
PLACE = re.compile(r"chips\[(\d+)\]\.(\w+)")
MOST_SUM = 1_000_000_000


class Colour(forms.TextInput):
    input_type = "color"


def _whole(label: Any, **options: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, required=False, **options)


class ChipForm(forms.Form):
    """One chip. Without a value there is none."""

    value = _whole(gettext_lazy("Value"), min_value=1, max_value=10_000_000)
    usual = forms.BooleanField(label=gettext_lazy("Usual colours"), required=False)
    colour = forms.CharField(label=gettext_lazy("Colour"), required=False, widget=Colour)
    edge = forms.CharField(label=gettext_lazy("Spots"), required=False, widget=Colour)

    def settings(self) -> dict[str, Any]:
        given = self.cleaned_data
        found: dict[str, Any] = {"value": given["value"]}
        if not given.get("usual"):
            found |= {name: given[name].lower() for name in ("colour", "edge") if given.get(name)}
        return found


class LimitForm(forms.Form):
    """The limits of one kind of bet; empty where the house sets none."""

    minimum = _whole(gettext_lazy("Least bet"), min_value=0, max_value=MOST_SUM)
    maximum = _whole(gettext_lazy("Largest bet"), min_value=0, max_value=MOST_SUM)
    step = _whole(gettext_lazy("In steps of"), min_value=0, max_value=MOST_SUM)

    def __init__(self, *args: Any, bet: str, name: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.bet, self.called = bet, name

    def settings(self) -> dict[str, Any]:
        return {"bet": self.bet} | {name: value for name, value in self.cleaned_data.items() if value}


class TableForm(forms.Form):
    """All settings of a table of one rulebook. Shows seats and packs only where tables of the game have them."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=60)
    currency = forms.ChoiceField(label=gettext_lazy("Currency"), choices=CURRENCIES)
    minimum = forms.IntegerField(label=gettext_lazy("Least bet"), min_value=1, max_value=1_000_000)
    seats = _whole(gettext_lazy("Seats"), min_value=0, max_value=20)
    packs = _whole(gettext_lazy("Packs of cards"), min_value=0, max_value=8)
    pace = _whole(
        gettext_lazy("Coups in an hour"),
        min_value=0,
        max_value=500,
        help_text=gettext_lazy("At the pace of the house."),
    )
    alone = forms.BooleanField(
        label=gettext_lazy("Use only the tables of this house: switch off those that come with the rulebook"),
        required=False,
        initial=True,
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self, data: Any = None, *, book: Rulebook, like: Table, row: HouseTable | None = None, first: bool = False
    ) -> None:
        initial = {name: getattr(like, name) or None for name in ("currency", "minimum", "seats", "packs", "pace")}
        initial |= {"name": row.name if row else "", "alone": True}
        initial |= {"seen": row.changed_at.isoformat() if row else ""}
        super().__init__(data, initial=initial)
        for name in ("seats", "packs"):
            if not any(getattr(table, name) for table in (*book.tables, like)):
                del self.fields[name]
        if not first:
            del self.fields["alone"]
        self.chips = [self._chip(data, number, chip) for number, chip in enumerate(self._chips(data, like))]
        self.limits = [
            LimitForm(data, bet=bet, name=book.text(f"limit.{bet}", language()), prefix=f"limit-{bet}", initial=given)
            for bet in book.game.table_limits
            for given in [{name: getattr(like.limit(bet), name) or None for name in ("minimum", "maximum", "step")}]
        ]

    @staticmethod
    def _chips(data: Any, like: Table) -> list[Chip | None]:
        known: list[Chip | None] = [*sorted(like.chips, key=lambda chip: chip.value)]
        typed = sum(f"chip-{number}-value" in data for number in range(MOST_CHIPS)) if data else 0
        rows = min(MOST_CHIPS, max(len(known) + SPARE, typed))
        return known + [None] * (rows - len(known))

    @staticmethod
    def _chip(data: Any, number: int, chip: Chip | None) -> ChipForm:
        value = chip.value if chip else 1
        design = chip_designs.design(
            chip_designs.painted(value, chip.colour if chip else "", chip.edge if chip else "")
        )
        own = bool(chip and (chip.colour or chip.edge))
        initial = {"value": chip.value if chip else None, "usual": not own, "colour": design.base, "edge": design.spot}
        return ChipForm(data, prefix=f"chip-{number}", initial=initial)

    def is_valid(self) -> bool:
        parts = [one.is_valid() for one in (*self.chips, *self.limits)]
        return super().is_valid() and all(parts)

    @property
    def any_errors(self) -> bool:
        return bool(self.errors or any(one.errors for one in (*self.chips, *self.limits)))

    def _given(self) -> list[ChipForm]:
        return [one for one in self.chips if one.cleaned_data.get("value")]

    def settings(self) -> dict[str, Any]:
        """The settings as a table document."""
        given = self.cleaned_data
        found = {"name": " ".join(given["name"].split()), "currency": given["currency"], "minimum": given["minimum"]}
        found |= {name: given[name] for name in ("seats", "packs", "pace") if given.get(name)}
        limits = [limit for one in self.limits if len(limit := one.settings()) > 1]
        return found | {"chips": [one.settings() for one in self._given()]} | ({"limits": limits} if limits else {})

    def report(self, place: str, reason: str) -> None:
        """Show an error where its setting is."""
        if found := PLACE.match(place):
            self._given()[int(found[1])].add_error(found[2], reason)
        elif place in self.fields:
            self.add_error(place, reason)
        elif place.startswith("chips"):
            self.add_error(None, _("Chips: %(reason)s") % {"reason": reason})
        else:
            self.add_error(None, reason)

    def drawn(self) -> list[tuple[int, str]]:
        """The value and the design of every chip as typed, the smallest first; what cannot be read is left out."""
        found = []
        for one in self.chips:
            one.is_valid()
            given = getattr(one, "cleaned_data", {})
            value = given.get("value") if one.is_bound else one.initial["value"]
            if value:
                paint = one.initial if not one.is_bound else given
                own = not paint.get("usual")
                colours = [_paint(paint.get(name)) if own else "" for name in ("colour", "edge")]
                found.append((value, chip_designs.painted(value, *colours)))
        return sorted(found)


def _paint(typed: Any) -> str:
    given = str(typed or "").lower()
    return given if re.fullmatch("#[0-9a-f]{6}", given) else ""
