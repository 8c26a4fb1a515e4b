"""The commit of a release, read where a deployment leaves it."""

import json
from pathlib import Path

import pytest

from training.operations import software_release
from training.operations.backups import manifest, services

ONE, OTHER = "1a" * 20, "2b" * 20


def test_a_checkout_says_its_commit_by_branch_by_packed_branch_and_detached(tmp_path: Path) -> None:
    git = tmp_path / ".git"
    (git / "refs/heads").mkdir(parents=True)
    assert software_release.commit(tmp_path) == ""
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "packed-refs").write_text(f"# pack-refs with: peeled\n{OTHER} refs/heads/not-main\n{ONE} refs/heads/main\n")
    assert software_release.commit(tmp_path) == ONE
    (git / "refs/heads/main").write_text(f"{OTHER}\n")
    assert software_release.commit(tmp_path) == OTHER
    (git / "HEAD").write_text(f"{ONE}\n")
    assert software_release.commit(tmp_path) == ONE


@pytest.mark.parametrize(("written", "told"), [(f"{ONE}\n", ONE), ("\n", ""), ("yesterday's\n", "")])
def test_without_a_checkout_a_file_says_it(tmp_path: Path, written: str, told: str) -> None:
    (tmp_path / software_release.COMMIT).write_text(written)
    assert software_release.commit(tmp_path) == told


@pytest.mark.django_db
def test_a_backup_names_the_commit_and_one_of_before_is_read_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(software_release, "commit", lambda: ONE)
    path = services.back_up(tmp_path) / manifest.NAME
    assert manifest.read(path.parent).made_by == f"{software_release.version()} (commit {ONE[:12]})"
    told = json.loads(path.read_text())
    assert told.pop("commit") == ONE
    path.write_text(json.dumps(told))
    assert manifest.read(path.parent).made_by == software_release.version()
