"""This release reads what earlier ones left: their databases after `migrate`, and documents that people have."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import release_fixture
from tests.running import Installation

READ = """
import json
from pathlib import Path
import rules_engine
from django.test import Client, override_settings
from django.utils import timezone
from exams.certificates.check import check
from exams.certificates.models import Certificate
from training.practice.models import Drill, Mark
told = json.loads(Path({documents!r}).read_text())
for one in told["scenarios"]:
    rules_engine.grade(rules_engine.scenario_from(one), rules_engine.answer_from({{"parts": {{}}}}))
plain = {{"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
override_settings(STORAGES={{"staticfiles": plain}}).enable()
visitor = Client(SERVER_NAME="localhost")
check(told["credential"], told["keys"], on=Certificate.objects.get(code=told["code"]).valid_from)
check(told["credential"], visitor.get("/.well-known/jwks.json").json(), on=Certificate.objects.get().valid_from)
assert visitor.get("/c/" + told["code"]).status_code == 200
trainee = Mark.objects.select_related("attempt__trainee").first().attempt.trainee
visitor.force_login(trainee)
assert visitor.get("/").status_code == 200
for drill in Drill.objects.filter(trainee=trainee):
    assert visitor.get(f"/practice/{{drill.pk}}/").status_code == 200
print("read")
"""


def read_by_this_release(folder: Path, var: Path) -> None:
    house: Installation = release_fixture.load(folder, var)
    for command in (("migrate", "--verbosity=0"), ("check_published",), ("verify_audit",)):
        done = house.manage(*command)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "read" in house.run(READ.format(documents=str(folder / release_fixture.DOCUMENTS)))


STORED = sorted(release_fixture.KEPT.glob("*/")) if release_fixture.KEPT.is_dir() else []


@pytest.mark.parametrize("folder", STORED, ids=lambda folder: folder.name)
def test_this_release_reads_what_an_earlier_one_left(folder: Path, tmp_path: Path) -> None:
    read_by_this_release(folder, tmp_path)


def test_what_is_stored_for_a_release_can_be_read(tmp_path: Path, install: Callable[..., Installation]) -> None:
    """The present release reads what it would leave today, which is also what `make release-fixture` writes."""
    release_fixture.store(folder := tmp_path / "9.9.9")
    (var := tmp_path / "var").mkdir()
    read_by_this_release(folder, var)
    told = json.loads((folder / release_fixture.DOCUMENTS).read_text())
    assert len(told["scenarios"]) > 20
