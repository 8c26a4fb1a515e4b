"""The bill of materials names everything that the lock file installs, once, and is the same each time."""

import json
import re
import subprocess
import sys

import pytest

from tests.running import ROOT


def made(lock: str) -> str:
    command = [sys.executable, "deploy/sbom.py", lock]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_every_package_of_the_lock_is_in_it_once(lock: str) -> None:
    text = made(lock)
    bill = json.loads(text)
    # Counted otherwise than the script does: whatever stands at the beginning of a line and is no comment.
    locked = [line.split()[0] for line in (ROOT / lock).read_text().splitlines() if re.match(r"\w", line)]
    named = [f"{each['name']}=={each['version']}" for each in bill["components"]]
    assert sorted(re.sub(r"\[.*\]", "", package).lower() for package in locked) == sorted(named)
    references = [each["bom-ref"] for each in bill["components"]]
    assert len(set(references)) == len(references) > 30
    assert bill["dependencies"][0]["dependsOn"] == references
    assert all(each["purl"].startswith("pkg:pypi/") for each in bill["components"])
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert made(lock) == text


def test_what_audits_is_locked_with_hashes_and_is_not_among_what_runs() -> None:
    audit = (ROOT / "requirements-audit.lock").read_text()
    assert re.search(r"^pip-audit==\S+ \\$", audit, re.M)
    assert audit.count("--hash=sha256:") > 29
    assert "pip-audit" not in (ROOT / "requirements-dev.lock").read_text()
