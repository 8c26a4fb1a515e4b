"""The version and, if known, the commit of this release."""

import re
import tomllib
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest

COMMIT = "COMMIT"  # a file beside `manage.py` with the commit, for deployments without `.git`
HASH = re.compile(r"[0-9a-f]{40,64}")


@cache
def version() -> str:
    """The release number of `pyproject.toml`, for pages, backups, metrics and reports of restore drills."""
    number: str = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]["version"]
    return number


def named() -> str:
    """As documents say it."""
    return f"Sabot {version()}"


def release(_request: HttpRequest) -> dict[str, str]:
    """Context processor: the release, for templates."""
    return {"release": version()}


def commit(folder: Path | None = None) -> str:
    """The full hash; empty if unknown. Reads the files itself, since git refuses a checkout of another user."""
    folder = folder or settings.BASE_DIR
    found = _line(folder / COMMIT) or _head(folder / ".git")
    return found if HASH.fullmatch(found) else ""


def _head(git: Path) -> str:
    head = _line(git / "HEAD")
    if not head.startswith("ref: "):
        return head
    branch = head.removeprefix("ref: ")
    return _line(git / branch) or _packed(git / "packed-refs", branch)


def _packed(refs: Path, branch: str) -> str:
    lines = refs.read_text().splitlines() if refs.is_file() else []
    return next((line.split()[0] for line in lines if line.endswith(f" {branch}")), "")


def _line(path: Path) -> str:
    return path.read_text().strip() if path.is_file() else ""
