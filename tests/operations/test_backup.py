"""A backup is whole or is not there, and what is restored from it is the platform as it was."""

import json
import stat
import subprocess
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests import furnished
from tests.running import Installation
from tests.services import empty_database
from training.operations.backups import manifest, services, stores
from training.operations.backups.errors import Unfit
from training.operations.metrics import gauges

Install = Callable[..., Installation]
SAME = {
    "SECRET_KEY": "a key of this test, long enough for anybody who asks",
    "PUBLIC_URL": "https://sabot.example",
    "CERTIFICATE_SIGNING_KEY": __file__,  # any file will do: nothing here signs a document
}
CERTIFIED = """
import json
from exams.certificates.credential import credential
from tests.exams.certifying import make_certificate
made = make_certificate()
print(json.dumps({"code": made.code, "credential": credential(made)}))
"""
# Pages as a visitor gets them, the credential by the published keys, a new one by the key that was sealed; and an act
# that goes on the audit log.
USED = """
from django.test import Client, override_settings
from django.utils import timezone
from exams.certificates.check import check
from exams.certificates.credential import credential
from django.core.management import call_command
from exams.certificates.models import Certificate
plain = {{"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
override_settings(STORAGES={{"staticfiles": plain}}).enable()
visitor = Client(SERVER_NAME="localhost")
assert visitor.get("/account/login/").status_code == 200
assert visitor.get("/c/{code}").status_code == 200
assert visitor.get("/c/{code}.json").json()["standing"] == "valid"
keys = visitor.get("/.well-known/jwks.json").json()
check("{credential}", keys, on=timezone.localdate())
check(credential(Certificate.objects.get()), keys, on=timezone.localdate())
call_command("rotate_signing_key")
"""


def run(installation: Installation, *args: str, **changes: str) -> str:
    done = installation.manage(*args, **changes)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def refused(done: subprocess.CompletedProcess[str], why: str) -> None:
    assert done.returncode != 0
    assert "Nothing was restored" in done.stderr
    assert why in done.stderr


def drill(house: Installation, copy: Installation, directory: Path) -> Path:
    """Back up one installation, restore into another, use that one, prove its audit log."""
    furnished.with_tables(house)
    made = json.loads(house.run(CERTIFIED).splitlines()[-1])
    folder = Path(run(house, "backup", str(directory)).strip())
    assert {path.name for path in folder.iterdir()} == {
        *("database.dump", "certificate-signing-key.p12", "manifest.json")
    }
    assert all(not stat.S_IMODE(path.stat().st_mode) & 0o077 for path in (folder, *folder.iterdir()))
    assert SAME["SECRET_KEY"] not in (folder / "manifest.json").read_text()
    assert "all intact" in run(copy, "restore", str(folder))
    copy.run(USED.format(**made))
    assert "all intact" in run(copy, "verify_audit")
    return folder


@pytest.mark.services
def test_the_drill_on_postgresql(install: Install, postgres_url: str, tmp_path: Path) -> None:
    with empty_database() as another:
        house, copy = install(DATABASE_URL=postgres_url, **SAME), install(DATABASE_URL=another, **SAME)
        folder = drill(house, copy, tmp_path / "backups")
        refused(copy.manage("restore", str(folder)), "the database is not empty")
        nowhere = copy.manage("restore", str(folder), DATABASE_URL=f"{another}_not_there")
        assert nowhere.returncode != 0
        (line,) = nowhere.stderr.splitlines()
        assert "DATABASE_URL" in line and "_not_there" in line and "does not exist" in line
        broken = _with_another_dump(folder, tmp_path / "broken")
        refused(copy.manage("restore", str(broken), "--replace"), "pg_restore failed")
        entries = run(copy, "verify_audit")  # what was there is there still, the new key too
        assert "all intact" in entries
        before = run(copy, "restore", str(folder), "--replace")
        assert before.splitlines()[-1] != entries.splitlines()[-1]
        assert "all intact" in before


@pytest.mark.services
def test_the_drill_as_one_command_reports_and_leaves_nothing(
    install: Install, postgres_url: str, tmp_path: Path
) -> None:
    house = install(DATABASE_URL=postgres_url, **SAME)
    furnished.with_tables(house)
    house.run(CERTIFIED)
    run(house, "backup", str(tmp_path))
    with empty_database() as scratch:
        for _ in range(2):  # the second time too, since the first one leaves an empty database
            report = run(house, "restore_drill", str(tmp_path), "--into", scratch)
            assert report.splitlines()[-1] == "The drill succeeded."
            assert "all intact" in report
            assert "certificates: 1 in the copy, 1 here" in report
        broken = _with_another_dump(next(tmp_path.glob("sabot-*")), tmp_path / "sabot-9")
        failed = house.manage("restore_drill", str(broken), "--into", scratch)
        assert failed.returncode == 1
        assert "pg_restore failed" in failed.stderr
    own = house.manage("restore_drill", str(tmp_path), "--into", postgres_url)
    assert "a database of its own" in own.stderr


def _with_another_dump(folder: Path, broken: Path) -> Path:
    """Its manifest is right, and yet PostgreSQL cannot read it to its end."""
    broken.mkdir()
    dump = (folder / "database.dump").read_bytes()
    (broken / "database.dump").write_bytes(dump[: len(dump) * 9 // 10])
    told = json.loads((folder / "manifest.json").read_text())
    told["files"] = {"database.dump": manifest.checksum(broken / "database.dump")}
    (broken / "manifest.json").write_text(json.dumps(told))
    return broken


def test_the_drill_on_sqlite(install: Install, tmp_path: Path) -> None:
    drill(install(**SAME), install(**SAME), tmp_path / "backups")


@pytest.fixture
def folder(db: None, tmp_path: Path) -> Path:
    return services.back_up(tmp_path)


def test_only_the_newest_are_kept_and_nothing_else_is_deleted(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "sabot-notes").mkdir()
    second, third = services.back_up(tmp_path), services.back_up(tmp_path, keep=2)
    assert sorted(path.name for path in tmp_path.iterdir()) == [second.name, third.name, "sabot-notes"]


def test_a_backup_that_failed_leaves_nothing(db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path) -> None:
        path.write_bytes(b"half")
        raise OSError("no space left")

    monkeypatch.setattr(stores, "dump", full)
    with pytest.raises(OSError, match="no space left"):
        services.back_up(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"database": "postgresql"}, "the database here is sqlite"),
        ({"migrations": ["training.9999_of_tomorrow"]}, "training.9999_of_tomorrow is not known here"),
        ({"format": 2}, "newer release"),
        ({"key": "0" * 64}, "another SECRET_KEY"),
        ({"files": {"database.dump": "0" * 64}}, "its checksum differs"),
        ({"files": {"elsewhere": "0" * 64}}, "elsewhere is missing"),
        ({"made_at": "yesterday"}, "cannot be read"),
        ({}, "the database is not empty"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_touched(
    folder: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, object], why: str
) -> None:
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    monkeypatch.setattr(stores, "load", lambda _: pytest.fail("loaded"))
    with pytest.raises(Unfit, match=why):
        services.restore(folder)


def test_a_folder_that_is_no_backup_is_refused(db: None, tmp_path: Path) -> None:
    with pytest.raises(Unfit, match="is not a backup"):
        services.restore(tmp_path)


def test_another_key_may_be_said_to_be_right(folder: Path) -> None:
    told = manifest.read(folder)
    services.verify_fits(told, other_key=True)
    assert told.key == manifest.fingerprint("only for tests")


def test_when_a_backup_was_made_and_whether_it_failed_is_told(
    db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told() -> dict[str, float]:
        return {metric.name: metric.samples[0].value for metric in gauges._read_backups()}

    assert told() == {
        "sabot_backup_age_seconds": float("inf"),
        "sabot_backup_failed": 0,
        "sabot_backup_copy_age_seconds": float("inf"),
    }
    call_command("backup", str(tmp_path), stdout=StringIO())
    call_command("backup_copied")
    assert max(told().values()) < 60
    with monkeypatch.context() as patched, pytest.raises(CommandError, match="No backup was made: no space"):
        patched.setattr(stores, "dump", lambda _: (_ for _ in ()).throw(OSError("no space left")))
        call_command("backup", str(tmp_path))
    assert told()["sabot_backup_failed"] == 1
    call_command("backup", str(tmp_path), stdout=StringIO())
    assert told()["sabot_backup_failed"] == 0
