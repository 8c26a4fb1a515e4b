"""The log in words: every act that the code records has its sentence, with names, reasons, old and new."""

import ast
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import translation

from exams.accounts import closing, roles
from exams.appeals.models import Appeal, Objection
from exams.audit import words
from exams.audit.detail_labels import LABELS
from exams.audit.models import Entry
from exams.audit.sentences import ACTS
from exams.audit.services import record
from exams.certificates import services as certificates
from exams.certificates.models import Act
from exams.exam_sessions import setup
from exams.hr import staff
from exams.invigilation import acts as invigilation
from tests.exams import certifying, making
from tests.factories import PersonFactory
from tests.house import House
from training.people.models import Role

ROOT = Path(__file__).parents[2]
# Acts that are put together of a prefix and one of a closed set.
FAMILIES: dict[str, list[str]] = {
    "certificate.": [*Act.Kind.values],
    "appeal.": [Appeal.State.UPHELD, Appeal.State.REJECTED],
    "objection.": [Objection.State.UPHELD, Objection.State.REJECTED],
}


def recorded() -> Iterator[tuple[str, str]]:
    """Every act in the code, by the file that records it."""
    for path in [*(ROOT / "exams").rglob("*.py"), *(ROOT / "training").rglob("*.py")]:
        source = path.read_text()
        if "from exams.audit.services import " not in source or "tests" in path.parts:
            continue
        for call in ast.walk(ast.parse(source)):
            called = getattr(call.func, "id", "") if isinstance(call, ast.Call) else ""
            if isinstance(call, ast.Call) and called in ("record", "_log", "LoggedAct"):
                for argument in call.args[: 1 if called == "LoggedAct" else 2]:
                    yield from ((path.name, act) for act in _acts(argument))


def _acts(argument: ast.expr) -> list[str]:
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        return [argument.value]
    if isinstance(argument, ast.IfExp):
        return [*_acts(argument.body), *_acts(argument.orelse)]
    if isinstance(argument, ast.JoinedStr) and isinstance(argument.values[0], ast.Constant):
        prefix = str(argument.values[0].value)
        return [f"{prefix}{kind}" for kind in FAMILIES[prefix]]
    return []


def test_every_act_in_the_code_has_its_sentence_and_no_other() -> None:
    found = {act for _file, act in recorded()}
    assert len(found) > 60
    assert found - set(ACTS) == set(), "give them a title and a sentence in exams/audit"
    assert set(ACTS) - found == set(), "nothing records these"


def test_every_call_that_records_is_seen() -> None:
    """A call whose act this test cannot read would be missed."""
    calls = 0
    for path in (ROOT / "exams").rglob("*.py"):
        if "from exams.audit.services import " in path.read_text():
            calls += len(re.findall(r"(?<![\w.])(?:record|LoggedAct)\(", path.read_text()))
    assert calls <= len(list(recorded()))


@pytest.mark.parametrize("act", ACTS)
def test_every_sentence_is_portuguese_too_and_every_figure_has_a_label(act: str) -> None:
    told = ACTS[act]
    said = [told.title, told.sentence, *told.sentences.values()]
    with translation.override("en"):
        english = list(map(str, said))
    with translation.override("pt"):
        assert not [each for each, here in zip(english, map(str, said), strict=True) if each and here == each]
    assert set(told.figures) <= set(LABELS)


# ---- what they say


def last(language: str = "en") -> words.EntryText:
    entry = Entry.objects.select_related("actor").order_by("-number")[:1]
    with translation.override(language):
        return words.describe(entry)[0]


@pytest.mark.django_db
def test_a_suspension_says_who_whose_and_why() -> None:
    hr = PersonFactory(roles=[Role.HR], name="Rita Sá")
    held = certifying.make_certificate(person=PersonFactory(name="Ana Gil"))
    certificates.suspend(certificate=held, actor=hr, reason="Faltou à formação.")
    told = last()
    assert told.sentence == f"Rita Sá suspended certificate {held.number} of Ana Gil."
    assert told.reason == "Faltou à formação."
    assert last("pt").sentence == f"Rita Sá suspendeu o certificado {held.number} de Ana Gil."
    # The log itself stays as it was: the reason is read where the act keeps it.
    assert "Faltou" not in str(told.entry.details)


@pytest.mark.django_db
def test_a_changed_record_tells_old_and_new() -> None:
    hr, ana = PersonFactory(roles=[Role.HR], name="Rita Sá"), PersonFactory(name="Ana Gil")
    staff.change_record(ana, hr, staff_number="A-1", department="Sala")
    staff.change_record(ana, hr, staff_number="A-1", department="Banca")
    told = last()
    assert told.sentence == "Rita Sá changed the record of Ana Gil."
    assert [str(line) for line in told.lines] == ["Department: Sala → Banca"]


@pytest.mark.django_db
def test_roles_closing_and_return() -> None:
    administrator = PersonFactory(roles=[Role.ADMINISTRATOR], name="Zé")
    ana = PersonFactory(name="Ana Gil")
    roles.give(ana, [Role.HR], by=administrator)
    assert last("pt").sentence == "Zé atribuiu uma função a Ana Gil: Recursos humanos."
    closing.close(ana, by=administrator, reason="Primeira.")
    closing.let_return(ana, by=administrator, reason="Engano.")
    assert (last().reason, str(last().lines[0])) == ("Engano.", "May sign in now: yes")
    closing.close(ana, by=administrator, reason="Segunda.")
    assert (last().sentence, last().reason) == ("Zé closed the account of Ana Gil.", "Segunda.")
    with translation.override("en"):
        everything = words.describe(Entry.objects.order_by("number"))
    assert [told.reason for told in everything] == ["", "Primeira.", "Engano.", "Segunda."]


@pytest.mark.django_db
def test_a_sitting_closed_by_the_invigilator_says_why_and_one_by_time_that_it_was_time() -> None:
    by, ana = PersonFactory(roles=[Role.INSTRUCTOR], name="Rui"), PersonFactory(name="Ana Gil")
    session = making.make_session(created_by=by, title="Novembro")
    sitting = making.start(making.enter(session, ana))
    now = sitting.started_at + timedelta(minutes=1)
    invigilation.add_time(session, 5, "Falhou a luz.", by=by, now=now)
    assert last().sentence == "Rui added time in the session “Novembro” for: Ana Gil."
    assert [str(line) for line in last().lines] == ["Minutes: 5"]
    assert last().reason == "Falhou a luz."
    invigilation.note_incident(sitting, "Tocou o alarme.", by=by, now=now)
    assert last().reason == "Tocou o alarme."
    invigilation.close_sitting(sitting, "Alarme de incêndio.", by=by, now=now)
    assert last().sentence == "Rui closed the exam of Ana Gil in the session “Novembro”."
    assert last().reason == "Alarme de incêndio."
    record(None, "sitting.closed", f"sitting:{sitting.pk}", by="time")
    assert last().sentence == "The time of Ana Gil in the session “Novembro” ran out."


@pytest.mark.django_db
def test_a_changed_session_tells_what_it_was() -> None:
    by = PersonFactory(roles=[Role.ADMINISTRATOR], name="Rui")
    made = making.make_session(created_by=by, title="Novembro", place="Sala 1")
    record(by, "session.created", setup.subject(made), **setup._facts(made))
    made.place, made.opens_at = "Sala 2", made.opens_at + timedelta(hours=1)
    record(by, "session.changed", setup.subject(made), **setup._facts(made))
    assert [line.label for line in last().lines] == ["Place", "Opens"]
    assert str(last().lines[0]) == "Place: Sala 1 → Sala 2"


@pytest.mark.django_db
def test_a_whole_house_is_told_without_a_code_or_an_id() -> None:
    House()
    entries = list(Entry.objects.select_related("actor"))
    assert len({entry.act for entry in entries}) >= 8
    for language in ("pt", "en"):
        with translation.override(language):
            for told in words.describe(entries):
                said = " ".join([told.sentence, told.title, *map(str, told.lines)])
                assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}|\b[a-z_]+\.[a-z_]+\b|_|%\(|–", said), said


@pytest.mark.django_db
def test_what_is_gone_since_is_not_named_and_breaks_nothing() -> None:
    for subject in ("person:99999", "sitting:nonsense", "certificate:", "session", "programme:<b>", "person:x"):
        for act in ACTS:
            record(None, act, subject, step=1, people=[77], sittings=["x"], event="x", programme_version=5)
    assert all("–" in told.sentence or "%" not in told.sentence for told in words.describe(Entry.objects.all()))
    record(None, "of.an.earlier.release", "thing:1", score="82.3232")
    assert last().sentence == "The platform did something that this release cannot describe."
