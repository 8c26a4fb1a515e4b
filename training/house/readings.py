"""How the house reads open questions, and its procedures where a rulebook is silent.

Practice follows them once they are recorded, exams once a second person has signed."""

from collections.abc import Iterable, Mapping
from itertools import groupby

from django.conf import settings
from django.db.models import Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

import rules_engine
from rules_engine import Adopted, Rulebook, Scenario, Step
from rules_engine.draw import Draw
from rules_engine.law import Reading
from rules_engine.silences import ASK, PROCEDURE
from rules_engine.silences import TOPIC as PROCEDURES
from training.house.models import ONLY, House, HouseRuling


def in_force(rulebook: str) -> QuerySet[HouseRuling]:
    return HouseRuling.objects.filter(rulebook=rulebook, withdrawn_at__isnull=True)


def signed_once() -> QuerySet[HouseRuling]:
    """The house rulings whose adoption or withdrawal one person has signed and a second one has not."""
    one_signature = Q(signed_by__isnull=True) | Q(withdrawal_asked_by__isnull=False)
    return HouseRuling.objects.filter(one_signature, withdrawn_at__isnull=True)


def awaiting_signature() -> list[HouseRuling]:
    """Those that await a second signature and that this release still knows; the oldest first."""
    found = signed_once().select_related("recorded_by", "withdrawal_asked_by")
    return [ruling for ruling in found.order_by("recorded_at", "pk") if _is_known(ruling)]


def practised(rulebook: str) -> dict[str, Adopted]:
    return _adopted(in_force(rulebook).order_by("pk"))


def practised_by_book(rulebooks: Iterable[str]) -> dict[str, dict[str, Adopted]]:
    """The readings in practice of several rulebooks, in one query; rulebooks without any are left out."""
    held = HouseRuling.objects.filter(rulebook__in=list(rulebooks), withdrawn_at__isnull=True)
    by_book = groupby(held.order_by("rulebook", "pk"), key=lambda ruling: ruling.rulebook)
    return {book: _adopted(rulings) for book, rulings in by_book}


def procedures(rulebooks: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The incidents for which the house has a procedure in practice, by rulebook. No query if no rulebook is silent."""
    silent = [book for book in rulebooks if rules_engine.RULEBOOKS[book].silences]
    found = practised_by_book(silent) if silent else {}
    return {
        book: tuple(kind for kind in rules_engine.RULEBOOKS[book].silences if kind in adopted)
        for book, adopted in found.items()
    }


def article_for(rulebook: str, topic: str, adopted: Mapping[str, Adopted], seed: str) -> str | None:
    """What a case of the topic must turn on: for the topic of procedures, one of those adopted; else anything."""
    kinds = [kind for kind in rules_engine.rulebook(rulebook).silences if kind in adopted]
    return Draw("procedure", seed).pick(kinds) if topic == PROCEDURES and kinds else None


def examined(rulebook: str) -> dict[str, Adopted]:
    return _adopted(in_force(rulebook).filter(signed_by__isnull=False).order_by("pk"))


def as_practised(scenario: Scenario) -> Scenario:
    """The scenario under the current readings in practice."""
    return rules_engine.under(scenario, practised(scenario.rulebook))


def as_examined(scenario: Scenario) -> Scenario | None:
    """The scenario under the current readings in exams.

    None if practice rules it differently because of an unsigned reading: nobody is examined on what they were taught
    differently. None also if a signed reading rules it differently that one person withdrew, as was possible before
    withdrawing took two: what two people decided for exams takes two to replace.
    """
    held = list(HouseRuling.objects.filter(rulebook=scenario.rulebook).order_by("pk"))
    examined_now = _adopted(one for one in held if one.in_exams)
    practised_now = _adopted(one for one in held if one.withdrawn_at is None)
    undone = _adopted(one for one in held if one.withdrawn_by_one) | examined_now
    made = rules_engine.under(scenario, examined_now)
    for other in (practised_now, undone):
        if other != examined_now and _settled(rules_engine.under(scenario, other)) != _settled(made):
            return None
    return made


def records(steps: Iterable[Step]) -> dict[str, HouseRuling]:
    """The house rulings that the steps of a ruling are based on, by record id; withdrawn ones too."""
    wanted = {step.adopted.record for step in steps if step.adopted and step.adopted.record.isdecimal()}
    if not wanted:
        return {}
    return {str(ruling.pk): ruling for ruling in on_record(HouseRuling.objects.filter(pk__in=wanted))}


def on_record(rulings: QuerySet[HouseRuling]) -> QuerySet[HouseRuling]:
    """House rulings with everything that is shown of them: who signed, and the name of the house."""
    house = House.objects.filter(pk=ONLY).values("name")
    return rulings.select_related("recorded_by", "signed_by", "withdrawal_asked_by", "withdrawn_by").annotate(
        house_name=Coalesce(Subquery(house), Value(settings.ISSUER_NAME))
    )


def _adopted(rulings: Iterable[HouseRuling]) -> dict[str, Adopted]:
    return {ruling.question: Adopted(ruling.choice, str(ruling.pk)) for ruling in rulings if _is_known(ruling)}


def _is_known(ruling: HouseRuling) -> bool:
    """Whether this release still has the rulebook, question and choice of a house ruling."""
    book = rules_engine.RULEBOOKS.get(ruling.rulebook)
    return book is not None and ruling.choice in choices(book, ruling.question)


def choices(book: Rulebook, question: str) -> tuple[str, ...]:
    """What a house may choose: a reading of an open question ("" for the recorded one), or an option where the rulebook
    is silent. Empty if there is no such question."""
    if question in book.silences:
        return book.silences[question].options
    return ("", *book.game.others(question)) if question in book.open_questions else ()


def questions(book: Rulebook, language: str) -> dict[str, Reading]:
    """The open questions of the rulebooks of a game and what this rulebook is silent about, in a language."""
    return book.game.readings(language) | {kind: silence(book, kind, language) for kind in book.silences}


def silence(book: Rulebook, kind: str, language: str) -> Reading:
    """What a rulebook is silent about, as an open question, with each option in full: until the house adopts one, ask
    the floor manager."""
    options = book.silences[kind].options
    return Reading(
        kind,
        where="",
        question=book.text(f"silence.{kind}.title", language),
        reading=book.text(f"option.{PROCEDURE}.{ASK}", language),
        others={option: book.text(f"{PROCEDURE}.{kind}.{option}", language) for option in options},
    )


def text_of(procedure: HouseRuling, language: str) -> str:
    """What a procedure says, in full; empty if this release no longer has it."""
    if not _is_known(procedure):
        return ""
    return silence(rules_engine.RULEBOOKS[procedure.rulebook], procedure.question, language).told(procedure.choice)


def short_options(book: Rulebook, kind: str, language: str) -> dict[str, str]:
    """The options of a silence in a few words each, by option."""
    options = book.silences[kind].options
    return {option: book.text(f"option.{PROCEDURE}_{kind}.{option}", language) for option in options}


def _settled(scenario: Scenario) -> dict[str, object]:
    return {decision.key: decision.value for decision in scenario.solve().decisions}


def reasons(book: Rulebook, kind: str, language: str) -> dict[str, str]:
    """Why a house might adopt each option, by option."""
    return {option: book.text(f"why.{PROCEDURE}_{kind}.{option}", language) for option in book.silences[kind].options}
