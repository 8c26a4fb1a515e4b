"""The audit log: whatever is done to it by hand is found and named; entries added at once leave one chain."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from exams.audit import services
from exams.audit.guard import GUARDS
from exams.audit.models import Entry, Head
from exams.audit.services import record, verify
from tests import furnished
from tests.factories import PersonFactory
from training.platform.guards import install as put_guards

GENESIS = "0" * 64


@pytest.fixture
def log(db: None) -> list[Entry]:
    """Five entries."""
    person = PersonFactory()
    return [record(person, "test.done", f"thing:{number}", number=number) for number in range(1, 6)]


@contextmanager
def unguarded() -> Iterator[None]:
    """As somebody who owns the database can make it."""
    with connection.cursor() as cursor:
        for guard in GUARDS:
            cursor.execute(f"DROP TRIGGER {guard.name}")
    yield
    put_guards("default", GUARDS)


def found() -> list[tuple[int, str]]:
    return [(place.number, place.why) for place in verify()]


def resealed(*numbers: int) -> None:
    """Seal these entries anew, as a forger would."""
    for entry in Entry.objects.filter(number__in=numbers).order_by("number"):
        Entry.objects.filter(pk=entry.pk).update(digest=services.digest(entry))


def linked(number: int) -> None:
    """Let an entry name the seal of the one before it, as a forger would."""
    before = Entry.objects.get(number=number - 1).digest
    Entry.objects.filter(number=number).update(previous=before)


def swap(one: int, other: int) -> None:
    first, second = Entry.objects.get(number=one), Entry.objects.get(number=other)
    Entry.objects.filter(pk=first.pk).update(number=99)
    Entry.objects.filter(pk=second.pk).update(number=one)
    Entry.objects.filter(pk=first.pk).update(number=other)


CHANGED, LOOSE = "its content was changed", "it does not follow the entry before it"
TAMPERING: list[tuple[str, Callable[[], Any], list[tuple[int, str]]]] = [
    ("act", lambda: Entry.objects.filter(number=3).update(act="test.undone"), [(3, CHANGED)]),
    ("person", lambda: Entry.objects.filter(number=3).update(actor=None), [(3, CHANGED)]),
    ("subject", lambda: Entry.objects.filter(number=3).update(subject="thing:9"), [(3, CHANGED)]),
    ("details", lambda: Entry.objects.filter(number=3).update(details={"number": 4}), [(3, CHANGED)]),
    ("time", lambda: Entry.objects.filter(number=3).update(at="2020-01-01T00:00:00Z"), [(3, CHANGED)]),
    ("seal", lambda: Entry.objects.filter(number=3).update(digest="f" * 64), [(3, CHANGED), (4, LOOSE)]),
    (
        "resealed",
        lambda: [Entry.objects.filter(number=3).update(act="test.undone"), resealed(3)],
        [(4, LOOSE)],
    ),
    (
        "resealed and linked",  # a seal is over the seal before it, so that all later ones must be forged
        lambda: [Entry.objects.filter(number=3).update(act="test.undone"), resealed(3), linked(4)],
        [(4, CHANGED)],
    ),
    ("removed", lambda: Entry.objects.filter(number=3).delete(), [(3, "entries 3 to 3 are missing"), (4, LOOSE)]),
    (
        "two removed",
        lambda: Entry.objects.filter(number__in=(1, 2)).delete(),
        [(1, "entries 1 to 2 are missing"), (3, LOOSE)],
    ),
    ("swapped", lambda: swap(2, 3), [(2, LOOSE), (2, CHANGED), (3, LOOSE), (3, CHANGED), (4, LOOSE)]),
    (
        "cut short",
        lambda: Entry.objects.filter(number__gt=3).delete(),
        [(4, "the log ends at 3, but 5 entries were written")],
    ),
    ("emptied", lambda: Entry.objects.all().delete(), [(1, "the log ends at 0, but 5 entries were written")]),
    (
        "last resealed",
        lambda: [Entry.objects.filter(number=5).update(act="x"), resealed(5)],
        [(5, "it is not the last entry that was written")],
    ),
    (
        "added",
        lambda: Entry.objects.create(
            number=6, at="2026-01-01T00:00:00Z", act="x", subject="x", previous=GENESIS, digest="a" * 64
        ),
        [(6, "it was added after the last entry of the log")],
    ),
    (
        "the end forgotten",
        lambda: Head.objects.all().delete(),
        [(number, "it was added after the last entry of the log") for number in range(1, 6)],
    ),
]


@pytest.mark.parametrize(("tamper", "named"), [case[1:] for case in TAMPERING], ids=[case[0] for case in TAMPERING])
def test_tampering_is_found_and_named(log: list[Entry], tamper: Callable[[], Any], named: list[Any]) -> None:
    assert found() == []
    with unguarded():
        tamper()
    assert found() == named


def test_an_empty_log_holds(db: None) -> None:
    assert found() == []


def test_entries_added_while_it_is_verified_break_nothing(log: list[Entry], monkeypatch: pytest.MonkeyPatch) -> None:
    genuine = services.digest
    added: list[bool] = []

    def slow(entry: Entry) -> str:
        if not added:
            added.append(True)
            record(None, "test.meanwhile", "thing:6")
        return genuine(entry)

    monkeypatch.setattr(services, "digest", slow)
    assert found() == []
    assert Entry.objects.count() == 6


def test_details_are_sealed_as_they_are_read_again(db: None) -> None:
    record(None, "test.done", "thing:1", by={1: "a", 10: "b", 2: "c"}, pair=(1, None), at=GENESIS, share=0.1, n=-0.0)
    assert found() == []


# ---- the command


def run(*args: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    try:
        call_command("verify_audit", *args, stdout=out, stderr=err)
    except CommandError as error:
        assert error.returncode == 1
        return out.getvalue(), err.getvalue() + str(error)
    return out.getvalue(), err.getvalue()


def test_the_command_says_how_many_hold(log: list[Entry]) -> None:
    assert run() == (f"5 entries, all intact. Last seal: 5:{log[-1].digest}\n", "")


def test_the_command_names_each_broken_place_and_fails(log: list[Entry]) -> None:
    with unguarded():
        Entry.objects.filter(number=2).update(act="x")
        Entry.objects.filter(number=4).delete()
    out, err = run()
    assert out == ""
    assert err.splitlines() == [
        "entry 2: its content was changed",
        "entry 4: entries 4 to 4 are missing",
        "entry 5: it does not follow the entry before it",
        "The audit log is broken in 3 places.",
    ]


def test_a_noted_seal_finds_a_log_rewritten_as_a_whole(log: list[Entry]) -> None:
    noted = f"5:{log[-1].digest}"
    with unguarded():
        Entry.objects.all().delete()
        Head.objects.all().delete()
    for number in range(1, 6):
        record(None, "test.done", f"thing:{number}")
    assert "all intact" in run()[0]
    assert run("--seal", noted)[1].startswith("entry 5: its seal is not the one that was noted")
    assert run("--seal", f"6:{GENESIS}")[1].startswith("entry 6: it is missing")
    with pytest.raises(CommandError, match="NUMBER:SEAL"):
        call_command("verify_audit", "--seal", "five")


def test_a_noted_seal_that_still_holds(log: list[Entry]) -> None:
    record(None, "test.later", "thing:6")
    assert "6 entries, all intact" in run("--seal", f"5:{log[-1].digest}")[0]


# ---- at once


@pytest.mark.services
def test_two_at_once_on_postgresql_leave_one_chain(install: Callable[..., Any], postgres_url: str) -> None:
    installation = install(DATABASE_URL=postgres_url)
    furnished.with_tables(installation)
    script = (
        "import threading\n"
        "from django.db import connection, transaction\n"
        "from exams.audit.services import record\n"
        "ready = threading.Barrier(2)\n"
        "def work(name):\n"
        "    ready.wait()\n"
        "    for number in range(40):\n"
        "        with transaction.atomic():\n"
        "            record(None, 'test.done', f'{name}:{number}')\n"
        "    connection.close()\n"
        "both = [threading.Thread(target=work, args=(name,)) for name in 'ab']\n"
        "[one.start() for one in both]\n"
        "[one.join() for one in both]\n"
    )
    done = installation.manage("shell", "-v0", "-c", script)
    assert done.returncode == 0, done.stderr
    verified = installation.manage("verify_audit")
    assert verified.returncode == 0, verified.stderr
    assert verified.stdout.startswith("80 entries, all intact")
