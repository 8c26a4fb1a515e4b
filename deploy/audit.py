"""Reports known vulnerabilities of the packages in a lock file; run it with `requirements-audit.lock` installed.

python deploy/audit.py [--strict] requirements-dev.lock

pip-audit requests the page of each release. Mirrors of the index often have only the project's page, which describes
its newest release alone; that one is then used. For a release that cannot be looked up, the report says what the
project's page does tell: whether the release was withdrawn, and whether a newer one of its series exists.

Exits with 1 if a package has a known vulnerability or was withdrawn, and with 2 if nothing could be looked up. If only
some could not, which an operator behind a mirror cannot fix, it exits with 0 and names them in the last line; with
--strict it exits with 2. (make itself exits with 2 whenever this does not exit with 0.)
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
    """Fetches like a session. If a release has no page, uses the project's page if that describes this release."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self.missed: dict[str, tuple[str, Any]] = {}  # releases without a page, with the project's page if there is one

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
        """What the project's page says about a release that could not be looked up; nothing about vulnerabilities."""
        version, page = self.missed.get(canonicalize_name(name), ("", None))
        if page is None:
            return ""
        told = [f"{version}; the index describes only {page['info']['version']}"]
        if files := page.get("releases", {}).get(version, []):
            told.append(WITHDRAWN if all(file.get("yanked") for file in files) else "not withdrawn")
        newer = _newest_of_series(page, Version(version))
        told.append(f"{newer} of the same series is available" if newer else "the newest of its series")
        return ", ".join(told)


def _newest_of_series(page: Any, own: Version) -> str:
    """The newest release that differs only in the last numbers; "" if this is the newest."""
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
    """Print what was found, package by package. Returns the exit code."""
    weak, unknown, count = [], [], 0
    for package, found in audited:
        count += 1
        if package.is_skipped():
            unknown.append(f"  {package.name} {known_of(package.name) or package.skip_reason}")
        weak += [f"  {package.name} {package.version}: {one.id}, fixed in {_fixed_in(one)}" for one in found]
    print(f"Looked up: {count - len(unknown)} of {count} packages, {len(weak)} known vulnerabilities")
    for line in weak:
        print(line)
    if unknown:
        print(f"NOT looked up: {len(unknown)} packages; they may have known vulnerabilities")
    for line in unknown:
        print(line)
    if weak or any(WITHDRAWN in line for line in unknown):
        print("FAULTY: packages with known vulnerabilities, or withdrawn ones, are in use")
        return 1
    if len(unknown) == count:
        print("NOTHING was looked up: is there a network connection?")
        return 2
    if unknown:
        names = ", ".join(line.split()[0] for line in unknown)
        print(f"WARNING: the others have no known vulnerability; NOT looked up, check elsewhere: {names}")
        return 2 if strict else 0
    print("All were looked up; no known vulnerability")
    return 0


def _fixed_in(weakness: Any) -> str:
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
