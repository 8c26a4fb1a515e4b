"""`make audit` reads the project's page where the index has none of the release; silence is never taken for a yes."""

import importlib.util
from types import SimpleNamespace
from typing import Any

import pytest

from tests.running import ROOT

INDEX = "https://index.example/pypi"


def script() -> Any:
    """deploy/ is no package: what is in it runs by itself."""
    spec = importlib.util.spec_from_file_location("audit_command", ROOT / "deploy" / "audit.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Mirror:
    """An index that has these pages and no others."""

    def __init__(self, **pages: dict[str, Any]) -> None:
        self.pages = {f"{INDEX}/{name.replace('_', '/')}/json": page for name, page in pages.items()}

    def get(self, url: str, timeout: int | None = None) -> Any:
        page = self.pages.get(url)
        return SimpleNamespace(status_code=404 if page is None else 200, json=lambda: page)


def test_the_page_of_the_release_comes_first() -> None:
    release, project = {"of": "release"}, {"info": {"version": "1.0"}}
    mirror = Mirror(sabot=project, **{"sabot_1.0": release})
    assert script().Pages(mirror).get(url=f"{INDEX}/sabot/1.0/json").json() == release


def test_without_it_the_page_of_the_project_speaks_of_its_newest_release_alone() -> None:
    pages = script().Pages(Mirror(sabot={"info": {"version": "1.0"}}))
    assert pages.get(url=f"{INDEX}/sabot/1.0.0/json").status_code == 200  # the same version, written otherwise
    assert pages.get(url=f"{INDEX}/sabot/0.9/json").status_code == 404
    assert pages.get(url=f"{INDEX}/other/1.0/json").status_code == 404


def package(name: str, *, skipped: bool = False) -> Any:
    """As the library gives them: of what was skipped it tells no version."""
    known = {"skip_reason": f"no page of {name}"} if skipped else {"version": "1.0"}
    return SimpleNamespace(name=name, is_skipped=lambda: skipped, **known)


WEAKNESS = SimpleNamespace(id="PYSEC-1", fix_versions=["1.1"])


@pytest.mark.parametrize(
    ("audited", "end", "told"),
    [
        ([(package("a"), [])], 0, "Looked up: 1 of 1 packages, 0 known vulnerabilities"),
        ([(package("a"), [WEAKNESS]), (package("b", skipped=True), [])], 1, "a 1.0: PYSEC-1, fixed in 1.1"),
        ([(package("a"), []), (package("b", skipped=True), [])], 0, "NOT looked up: 1 packages"),
        ([(package("a"), []), (package("b", skipped=True), [])], 0, "NOT looked up, check elsewhere: b\n"),
        ([(package("b", skipped=True), [])], 2, "b no page of b"),
        ([], 2, "Looked up: 0 of 0 packages"),
    ],
)
def test_the_number_it_ends_with(audited: list[Any], end: int, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert script().verdict(audited) == end
    assert told in capsys.readouterr().out


def test_who_must_not_take_silence_for_a_yes_is_told_so_by_the_number() -> None:
    some: list[Any] = [(package("a"), []), (package("b", skipped=True), [])]
    assert script().verdict(some, strict=True) == 2
    assert script().verdict(some[:1], strict=True) == 0


def test_a_withdrawn_release_is_a_fault_though_it_could_not_be_looked_up(capsys: pytest.CaptureFixture[str]) -> None:
    audit = script()
    some: list[Any] = [(package("a"), []), (package("b", skipped=True), [])]
    assert audit.verdict(some, lambda name: f"1.0, {audit.WITHDRAWN}") == 1
    assert "FAULTY" in capsys.readouterr().out


RELEASES = {
    "1.0.2": [{"yanked": False}],
    "1.0.3": [{"yanked": False}],
    "1.0.4": [{"yanked": True}],
    "1.0.5rc1": [{"yanked": False}],
    "1.0.6": [],
    "1.2.0": [{"yanked": False}],
    "of old": [{"yanked": False}],
}


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("1.0.3", "; the index describes only 1.2.0, not withdrawn, the newest of its series"),
        ("1.0.2", "; the index describes only 1.2.0, not withdrawn, 1.0.3 of the same series is available"),
        ("1.0.4", "; the index describes only 1.2.0, WITHDRAWN by its authors, the newest of its series"),
        ("1.0", "; the index describes only 1.2.0, 1.2.0 of the same series is available"),
        ("0.9", "; the index describes only 1.2.0, the newest of its series"),
    ],
)
def test_of_what_cannot_be_looked_up_it_tells_what_the_projects_page_says(version: str, told: str) -> None:
    pages = script().Pages(Mirror(**{"Sa.bot": {"info": {"version": "1.2.0"}, "releases": RELEASES}}))
    assert pages.get(url=f"{INDEX}/Sa.bot/{version}/json").status_code == 404
    assert pages.known_of("sa-bot") == f"{version}{told}"
    pages.get(url=f"{INDEX}/other/1/json")
    assert pages.known_of("other") == ""
