"""Known weaknesses of the packages of a lock file, as the index knows them; run with `requirements-audit.lock`.

python deploy/audit.py [--strict] requirements-dev.lock

pip-audit asks for the page of each release. Mirrors of the index often have only the page of the project, which speaks
of its newest release alone: that one is read then. Of what cannot be looked up it tells what the project's page does
say: whether the release was withdrawn, and whether a newer one of its series is out.

Ends with 1 where a package is known to be weak or was withdrawn, and with 2 where nothing could be looked up at all.
Where only some could not be, which an operator behind a mirror cannot mend, it ends with 0 and a last line that says so
and names them; with --strict, for who must not take silence for a yes, with 2. (make itself ends with 2 whenever this
ends with another number than 0.)
"""

# ruff: noqa: T201
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

WITHDRAWN = "WITHDRAWN by its authors"


class Pages:
    """Fetches as a session does; where there is no page of a release, that of the project if it speaks of it."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self.missed: dict[str, tuple[str, Any]] = {}  # releases without a page, and that of the project if there is one

    def get(self, url: str, timeout: int | None = None) -> Any:
        answer = self.session.get(url=url, timeout=timeout)
        if answer.status_code != 404:
            return answer
        project, version, _page = url.rsplit("/", 2)
        whole = self.session.get(url=f"{project}/json", timeout=timeout)
        page = whole.json() if whole.status_code == 200 else None
        self.missed[canonicalize_name(project.rsplit("/", 1)[-1])] = version, page
        return whole if page and Version(page["info"]["version"]) == Version(version) else answer

    def known_of(self, name: str) -> str:
        """What the project's page says of a release that could not be looked up; no word of weaknesses."""
        version, page = self.missed.get(canonicalize_name(name), ("", None))
        if page is None:
            return ""
        told = [f"{version}; the index speaks of {page['info']['version']} alone"]
        if files := page.get("releases", {}).get(version, []):
            told.append(WITHDRAWN if all(file.get("yanked") for file in files) else "not withdrawn")
        newer = _newest_of_series(page, Version(version))
        told.append(f"{newer} of the same series is out" if newer else "the newest of its series")
        return ", ".join(told)


def _newest_of_series(page: Any, own: Version) -> str:
    """The newest release that differs from this one in the last numbers only; empty where this is it."""
    series = own.release[: min(2, max(1, len(own.release) - 1))]
    best, name = own, ""
    for text, files in page.get("releases", {}).items():
        try:
            other = Version(text)
        except InvalidVersion:
            continue
        usable = files and not other.is_prerelease and not all(file.get("yanked") for file in files)
        if usable and other.release[: len(series)] == series and other > best:
            best, name = other, text
    return name


def verdict(
    audited: Iterable[tuple[Any, list[Any]]],
    known_of: Callable[[str], str] = lambda _name: "",
    *,
    strict: bool = False,
) -> int:
    """Tell what was found, package by package; the number to end with."""
    weak, unknown, count = [], [], 0
    for package, found in audited:
        count += 1
        if package.is_skipped():
            unknown.append(f"  {package.name} {known_of(package.name) or package.skip_reason}")
        weak += [f"  {package.name} {package.version}: {one.id}, mended in {_mended(one)}" for one in found]
    print(f"Looked up: {count - len(unknown)} of {count} packages, {len(weak)} known weaknesses")
    for line in weak:
        print(line)
    if unknown:
        print(f"NOT looked up: {len(unknown)} packages; whether they have known weaknesses was not found out")
    for line in unknown:
        print(line)
    if weak or any(WITHDRAWN in line for line in unknown):
        print("FAULTY: packages with known weaknesses, or withdrawn ones, are in use")
        return 1
    if len(unknown) == count:
        print("NOTHING was looked up: is the network there?")
        return 2
    if unknown:
        names = ", ".join(line.split()[0] for line in unknown)
        print(f"WARNING: no weakness is known of what was looked up; NOT looked up, find out elsewhere: {names}")
        return 2 if strict else 0
    print("All were looked up; no weakness is known")
    return 0


def _mended(weakness: Any) -> str:
    return ", ".join(map(str, weakness.fix_versions)) or "no release yet"


def main(lock: Path, *, strict: bool) -> int:
    from pip_audit._audit import Auditor  # type: ignore[import-not-found]
    from pip_audit._dependency_source import RequirementSource  # type: ignore[import-not-found]
    from pip_audit._service import PyPIService  # type: ignore[import-not-found]

    service = PyPIService(Path("var/cache/audit"), timeout=30)
    service.session = pages = Pages(service.session)
    found = Auditor(service).audit(RequirementSource([lock], require_hashes=True, disable_pip=True))
    return verdict(found, pages.known_of, strict=strict)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[-1]), strict="--strict" in sys.argv))
