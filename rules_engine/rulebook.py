"""Rulebooks and the rules that belong to them: which function rules on which incident, citing which articles."""

from collections.abc import Callable, Iterable
from functools import cached_property
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from rules_engine.announcements import Formula, load_formulas
from rules_engine.errors import NotRegulated, UnknownName
from rules_engine.law import Law
from rules_engine.ruling import Reasoning, Ruling

Rule = Callable[[Any, Any, Reasoning], None]
RULES: dict[tuple[type[Struct], str], Rule] = {}


class Rulebook:
    """One regulation: its law as data, the formulas its dealers pronounce, and its rules."""

    def __init__(self, id: str, *, game: str, language: str, currency: str, like: "Rulebook | None" = None) -> None:
        self.id = id
        self.like = like
        self.game = game
        self.language = language
        self.currency = currency
        self.law: Law = Law(id, like.law if like else None)
        self._formulas: dict[str, Formula] | None = None

    def __repr__(self) -> str:
        return f"<Rulebook {self.id}>"

    @property
    def formulas(self) -> dict[str, Formula]:
        if self._formulas is None:
            inherited = self.like.formulas if self.like else {}
            self._formulas = inherited | load_formulas(self.id)
        return self._formulas

    @cached_property
    def edition(self) -> str:
        """Which wording of the regulation this is: a digest of its clauses, numbers and formulas."""
        wording = (self.law.clauses, self.law.numbers, self.formulas)
        return sha256(msgspec.json.encode(wording, order="deterministic")).hexdigest()[:12]

    def formula(self, name: str) -> Formula:
        try:
            return self.formulas[name]
        except KeyError:
            raise UnknownName(f"formula of {self.id}", name, self.formulas) from None

    def number(self, name: str) -> int:
        """A number of the regulation, by name."""
        return int(self.law.numbers[name]["value"])

    def param(self, name: str) -> Any:
        """A value of the regulation that is not a single number: a drawing table, a scale of prizes."""
        return self.law.numbers[name]["value"]

    def regulates(self, incident: type[Struct]) -> bool:
        return (incident, self.id) in RULES

    def rule(self, situation: Any) -> Ruling:
        """What follows from these facts under this rulebook."""
        handler = RULES.get((type(situation.incident), self.id))
        if handler is None:
            kind = type(situation.incident).__struct_config__.tag
            raise NotRegulated(f"{self.id} has no rule for {kind}")
        reasoning = Reasoning(self)
        handler(situation, situation.incident, reasoning)
        return reasoning.ruling()


def rule(incident: type[Struct], *books: str) -> Callable[[Rule], Rule]:
    """Register the function (situation, incident, reasoning) that rules on an incident under these rulebooks."""

    def register(function: Rule) -> Rule:
        for book in books:
            if RULES.setdefault((incident, book), function) is not function:
                raise RuntimeError(f"two rules for {incident.__name__} in {book}")
        return function

    return register


PT = ("pt-chemin-de-fer", "pt-chemin-de-fer-1995")
SANREMO = "it-sanremo-chemin-de-fer"
SPAIN = "es-chemin-de-fer"

_PT_CDF = Rulebook("pt-chemin-de-fer", game="chemin_de_fer", language="pt", currency="EUR")
RULEBOOKS = {
    book.id: book
    for book in (
        _PT_CDF,
        Rulebook("pt-chemin-de-fer-1995", game="chemin_de_fer", language="pt", currency="PTE", like=_PT_CDF),
        Rulebook("it-sanremo-chemin-de-fer", game="chemin_de_fer", language="it", currency="EUR"),
        Rulebook("es-chemin-de-fer", game="chemin_de_fer", language="es", currency="EUR"),
        Rulebook("pt-ponto-banca-1995", game="ponto_banca", language="pt", currency="PTE"),
        Rulebook("pt-ponto-banca-macau-1995", game="ponto_banca", language="pt", currency="PTE"),
        Rulebook("pt-ponto-banca-macau", game="ponto_banca", language="pt", currency="EUR"),
    )
}


def rulebook(id: str) -> Rulebook:
    try:
        return RULEBOOKS[id]
    except KeyError:
        raise UnknownName("rulebook", id, RULEBOOKS) from None


def rulebooks_of(game: str) -> Iterable[Rulebook]:
    return (book for book in RULEBOOKS.values() if book.game == game)
