"""No upload can stall the site: whatever a small file holds, its page answers within two seconds, with words, and
neither the web process nor the machine fills up.

The two seconds are the processor's, so that a busy machine does not fail a test. Nothing may wait much longer either.
"""

import dataclasses
import fcntl
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from openpyxl import Workbook

from exams.certificates.signature import NotGenuine, open_signed, packed
from exams.house_office import logo, official_texts
from exams.hr import staff_files
from rules_engine import Answer, EngineError, grade, rulebook
from rules_engine.folding import folded
from rules_engine.spots import spots_meant
from tests import furnished, hostile_files
from tests.exams import staff_lists
from tests.running import Installation, until
from tests.spoken import asked_words, spoken
from tests.visitor import Visitor
from training.house.official_texts import read_wording
from training.library import editor_typing, import_export, spreadsheet
from training.people.models import Role, User
from training.platform import spreadsheet_input, turns
from training.platform.uploads import reader

SECONDS = 2.0
WAITING = 5 * SECONDS  # by the clock
MEMORY = 48 * 1024  # KB by which the web process may grow meanwhile

STAFF, SCENARIOS, TEXT, HOUSE = "hr_staff", "import_scenarios", "official_text", "house_settings"
FIELDS = {STAFF: "file", SCENARIOS: "file", TEXT: "file", HOUSE: "logo"}
ROLES = {STAFF: Role.HR, SCENARIOS: Role.INSTRUCTOR, TEXT: Role.INSTRUCTOR, HOUSE: Role.ADMINISTRATOR}
COSTLY = "takes too much time or memory"
# With which words each kind of file is refused; some machines are done with a file which others give up.
WORDS = {
    "workbook": (
        COSTLY,
        "workbook cannot be read",
        "neither JSON",
        "hold more than",
        "too large when unpacked",
        "nobody under them",
        f"more than {staff_files.MAX_ROWS} rows",
        "missing",
    ),
    "table": (
        "more than 60 columns",
        "quotation mark",
        "is too long",
        "The list is empty",
        "must name the columns",
        "missing",
        "cannot be stored",
        "nobody under",
    ),
    "pdf": (COSTLY, "cannot be read", "no text in it", "too long to be a regulation", "No article"),
    "picture": (COSTLY, "cannot be read", "Only a PNG", "at most 2000 pixels"),
    "text": ("No article of this rulebook",),
    "document": ("not valid JSON", "ends too early", "neither JSON", "Expected an object", "more than 500 scenarios"),
}
HARMLESS = ("dashes", "more_dots_than_said")  # read, as far as they are what they should be
ATTACKS = [
    *((STAFF, "workbook", *one) for one in hostile_files.WORKBOOKS.items()),
    *((SCENARIOS, "workbook", *one) for one in [("shared_strings", hostile_files.shared_strings)]),
    *((STAFF, "table", *one) for one in hostile_files.TABLES.items()),
    *((TEXT, "pdf", *one) for one in hostile_files.PDFS.items()),
    *((HOUSE, "picture", *one) for one in hostile_files.PICTURES.items()),
    *((TEXT, "text", *one) for one in hostile_files.TEXTS.items()),
    *((SCENARIOS, "document", *one) for one in hostile_files.DOCUMENTS.items()),
]


def address(door: str) -> str:
    return reverse(door, args=["pt-chemin-de-fer"] if door == TEXT else [])


def send(client: Client, door: str, content: bytes) -> Any:
    fields = {"name": "Casa", "languages": "pt", "source": "Um jornal"}
    answer = client.post(address(door), fields | {FIELDS[door]: SimpleUploadedFile("file", content)})
    if door != STAFF or answer.status_code != 302:
        return answer
    staff_lists.work()  # a worker reads these
    return client.get(address(door))


def memory(line: str) -> int:
    found = re.search(rf"{line}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1])


class Stopwatch:
    """The time since it was made, of this process and of those that it started and that ended."""

    def __init__(self) -> None:
        self.begun, self.before = time.monotonic(), self._processor()

    @staticmethod
    def _processor() -> float:
        return sum(os.times()[:4])

    def in_time(self) -> bool:
        return self._processor() - self.before < SECONDS and time.monotonic() - self.begun < WAITING


def children() -> str:
    return "".join(path.read_text() for path in Path("/proc/self/task").glob("*/children"))


@pytest.fixture
def visitor(signed_in: Callable[..., Client]) -> Callable[[str], Client]:
    def enter(door: str) -> Client:
        client = signed_in(ROLES[door])
        User.objects.update(language="en")
        assert client.get(address(door)).status_code == 200
        return client

    return enter


@pytest.mark.parametrize(("door", "kind", "name", "made"), ATTACKS, ids=[f"{one[1]}-{one[2]}" for one in ATTACKS])
def test_a_hostile_file_is_refused_in_time(
    visitor: Callable[[str], Client],
    door: str,
    kind: str,
    name: str,
    made: Callable[[], bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Workers may take longer, so a test would too.
    monkeypatch.setattr(spreadsheet_input, "IN_BACKGROUND", spreadsheet_input.Reach())
    content, client, alive = made(), visitor(door), children()
    assert len(content) < 120 * 1024
    Path("/proc/self/clear_refs").write_text("5")  # the most memory is counted from here
    before, watch = memory("VmRSS"), Stopwatch()
    page = send(client, door, content)
    assert watch.in_time()
    assert memory("VmHWM") - before < MEMORY
    told = page.content.decode()
    if door == STAFF:
        assert "Nothing was changed" in told
    else:
        assert page.status_code == (302 if name in HARMLESS else 422)
    assert name in HARMLESS or any(words in told for words in WORDS[kind])
    assert children() == alive, "its reader is still there"


def test_the_largest_honest_lists_are_read_in_time(
    visitor: Callable[[str], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the processor's time, which is the same on a busy machine; the reader's own limit is checked that way too."""
    allowed = spreadsheet_input.IN_BACKGROUND.seconds / 10
    background = dataclasses.replace(spreadsheet_input.IN_BACKGROUND, seconds=60)
    monkeypatch.setattr(spreadsheet_input, "IN_BACKGROUND", background)
    client, book = visitor(STAFF), Workbook()
    rows = [["numero", "nome", "email"], *([f"N{n}", f"Pessoa {n}", f"p{n}@casa.example"] for n in range(5000))]
    for row in rows:
        book.active.append(row)
    book.save(file := io.BytesIO())
    for content in (file.getvalue(), "\n".join(map(";".join, rows)).encode()):
        begun = os.times()
        assert send(client, STAFF, content).status_code == 200
        ended = os.times()
        reading = ended.children_user + ended.children_system - begun.children_user - begun.children_system
        assert 0 < reading < allowed
        assert ended.user + ended.system - begun.user - begun.system + reading < SECONDS


@pytest.mark.parametrize(
    ("door", "limits"),
    [
        (STAFF, [f"{staff_files.MAX_ROWS}", f"{staff_files.MAX_BYTES // 1024} KB", f"{staff_files.MAX_COLUMNS}"]),
        (
            SCENARIOS,
            [f"{import_export.MAX_SCENARIOS}", f"{import_export.MAX_BYTES // 1024} KB", f"{spreadsheet.MAX_COLUMNS}"],
        ),
        (TEXT, [f"{official_texts.MAX_BYTES // 1024**2} MB", f"{official_texts.MAX_PAGES}"]),
        (HOUSE, [f"{logo.MAX_BYTES // 1024} KB", f"{logo.MAX_SIDE}"]),
    ],
)
@pytest.mark.parametrize("language", ["pt", "en"])
def test_the_page_states_its_limits(
    visitor: Callable[[str], Client], door: str, limits: list[str], language: str
) -> None:
    client = visitor(door)
    User.objects.update(language=language)
    told = re.findall(r'id="id_(?:file|logo)_helptext"[^>]*>([^<]*)<', client.get(address(door)).content.decode())
    assert told and {"pt": "o máximo", "en": "t most"}[language] in told[0]
    assert [limit for limit in limits if limit not in told[0]] == []


# ---- long texts


@pytest.mark.parametrize(
    "work",
    [
        lambda: editor_typing.places("1" + " " * 100_000 + "x"),
        lambda: editor_typing.cards("dama" + " " * 100_000 + "x"),
        lambda: read_wording("1\n2\n" * 25_000, rulebook("pt-chemin-de-fer")),
        lambda: read_wording("Um título\n\n" * 10_000, rulebook("pt-ponto-banca-macau")),
        lambda: spots_meant("17" + " " * 100_000 + "20", rulebook("pt-roleta-francesa")),
        lambda: folded("a" + "\N{COMBINING ACUTE ACCENT}\N{COMBINING GRAVE ACCENT BELOW}" * 50_000),
    ],
    ids=["places", "cards", "articles", "headings", "spots", "accents"],
)
def test_a_long_text_is_read_in_time(work: Callable[[], object]) -> None:
    begun = time.process_time()
    work()
    assert time.process_time() - begun < SECONDS


@pytest.mark.parametrize("given", [["um"] * 25_000, ["um " * 30_000], "um " * 30_000])
def test_an_answer_is_no_longer_written_as_a_list_than_as_a_text(given: list[str] | str) -> None:
    scenario = spoken("pt-chemin-de-fer", "third_card")
    begun = time.process_time()
    with pytest.raises(EngineError, match="longer than 300 characters"):
        grade(scenario, Answer(parts={asked_words(scenario): given}))
    assert time.process_time() - begun < SECONDS


@pytest.mark.parametrize("made", hostile_files.DOCUMENTS.values(), ids=hostile_files.DOCUMENTS)
def test_a_program_is_told_what_is_wrong_with_its_document_in_time(
    signed_in: Callable[..., Client], made: Callable[[], bytes]
) -> None:
    client = signed_in(Role.INSTRUCTOR)
    content, watch = made(), Stopwatch()
    answer = client.post("/api/v1/solve/", content, content_type="application/json")
    assert watch.in_time()
    assert answer.status_code in (400, 422) and answer.json()["error"]


@pytest.mark.parametrize(
    "header",
    [b"[" * 100_000, b'{"alg":' + b"9" * 100_000 + b"}", b'{"alg":"RS256","typ":"JWT","kid":"a","zip":"DEF"}'],
    ids=["deep", "number", "packed"],
)
def test_a_credential_made_to_hurt_is_not_genuine(header: bytes) -> None:
    begun = time.process_time()
    with pytest.raises(NotGenuine, match=r"header"):
        open_signed(f"{packed(header)}.{packed(bytes(1000))}.AAAA", {"keys": []})
    assert time.process_time() - begun < SECONDS


# ---- the process that reads


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Another program in the place of the one that reads."""

    def write(code: str) -> None:
        path = tmp_path / "program.py"
        path.write_text(code)
        monkeypatch.setattr(reader, "PROGRAM", path)

    return write


def test_it_finds_no_secret_in_its_environment(program: Callable[[str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "never told")
    program("import json, os; print(json.dumps({'found': dict(os.environ)}))")
    assert "never told" not in str(reader.read("table", b""))


def test_it_ends_in_time_with_all_that_it_started(program: Callable[[str], None], tmp_path: Path) -> None:
    told = tmp_path / "pid"
    program(
        "import pathlib, subprocess, time\n"
        f"pathlib.Path({str(told)!r}).write_text(str(subprocess.Popen(['sleep', '600']).pid))\n"
        "time.sleep(600)"
    )
    alive = children()
    watch = Stopwatch()
    with pytest.raises(reader.TooCostly):
        reader.read("table", b"")
    assert watch.in_time()
    assert children() == alive
    until("what it started is gone", lambda: _is_gone(int(told.read_text())), within=5)


def _is_gone(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z"


def test_it_cannot_answer_without_end(program: Callable[[str], None]) -> None:
    program("while True: print('x' * 60000)")
    Path("/proc/self/clear_refs").write_text("5")
    before = memory("VmRSS")
    with pytest.raises(reader.TooCostly):
        reader.read("table", b"")
    assert memory("VmHWM") - before < MEMORY


@pytest.mark.parametrize("code", ["raise SystemExit(1)", "import os; os.abort()", "print('no JSON')", ""])
def test_whatever_breaks_in_it_is_told(program: Callable[[str], None], code: str) -> None:
    program(code)
    with pytest.raises(reader.TooCostly):
        reader.read("table", b"x" * 1_000_000)


def limited(seconds: float = 5, memory: int = reader.MEMORY) -> list[str]:
    limits = {"seconds": seconds, "memory": memory, "rows": 9, "columns": 9, "letters": 99, "unpacked": 40_000_000}
    return [sys.executable, "-I", str(reader.PROGRAM), "table", json.dumps(limits)]


def test_it_ends_by_itself_where_nobody_waits_for_it_any_more() -> None:
    with subprocess.Popen(limited(seconds=0.2), stdin=subprocess.PIPE) as left:
        assert left.wait(timeout=10) == -signal.SIGALRM


def test_it_gets_so_much_memory_and_no_more() -> None:
    content = hostile_files.long_cell()
    plenty = subprocess.run(limited(), input=content, capture_output=True, check=False)
    little = subprocess.run(limited(memory=64 * 1024**2), input=content, capture_output=True, check=False)
    assert json.loads(plenty.stdout) == {"refused": "too_long"}
    assert b"too_long" not in little.stdout


# ---- how many at a time


@pytest.fixture
def one_slot() -> Iterator[Path]:
    yield turns.reading.make(1) / "1"
    turns.reading.remove()


@pytest.mark.parametrize(
    ("door", "content"),
    [(SCENARIOS, b"x"), (TEXT, b"%PDF-1.7"), (HOUSE, hostile_files.png(2, 2))],
    ids=["scenarios", "text", "house"],
)
def test_who_comes_while_others_are_read_is_asked_to_wait_and_keeps_what_was_typed(
    visitor: Callable[[str], Client], one_slot: Path, door: str, content: bytes
) -> None:
    client = visitor(door)
    with one_slot.open() as slot:
        fcntl.flock(slot, fcntl.LOCK_EX)
        page = send(client, door, content)
    told = page.content.decode()
    assert page.status_code == 503 and "Other files are being read just now." in told
    assert {TEXT: 'value="Um jornal"', HOUSE: 'value="Casa"'}.get(door, "") in told


def test_the_slot_of_a_killed_process_is_free_again(one_slot: Path) -> None:
    code = (
        "import fcntl, sys, time; slot = open(sys.argv[1]); fcntl.flock(slot, fcntl.LOCK_EX); "
        "print('held', flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(one_slot)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(turns.NoneFree), turns.reading.turn():
            pass
        holder.kill()
    with turns.reading.turn():
        pass


def test_pages_are_answered_while_files_are_read(install: Callable[..., Installation]) -> None:
    installation = install()
    furnished.with_people(installation)
    furnished.with_static(installation)
    installation.start("web")
    until("it answers", lambda: installation.get("/healthz") == (200, {"status": "up"}))
    content = hostile_files.forms_in_forms()
    people = [Visitor(installation.url, "helena@sabot.example") for _ in range(3)]
    answers: list[int] = []
    threads = [threading.Thread(target=lambda one=one: answers.append(_upload(one, content))) for one in people * 8]
    for thread in threads:
        thread.start()
    slowest = 0.0
    while any(thread.is_alive() for thread in threads):
        begun = time.monotonic()
        assert installation.get("/healthz") == (200, {"status": "up"})
        slowest = max(slowest, time.monotonic() - begun)
    assert slowest < WAITING
    assert set(answers) <= {422, 503} and len(answers) == 24


def _upload(person: Visitor, content: bytes) -> int:
    path = "/house/texts/pt-cussec/"
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', person.get(path))
    assert token
    parts = {"csrfmiddlewaretoken": token[1].encode(), "source": b"x", 'file"; filename="a.pdf': content}
    body = b"".join(
        b'--sabot\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (name.encode(), value)
        for name, value in parts.items()
    )
    request = urllib.request.Request(person.base + path, body + b"--sabot--\r\n", {"Referer": person.base + path})
    request.add_header("Content-Type", "multipart/form-data; boundary=sabot")
    try:
        with person.opener.open(request, timeout=20) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code
