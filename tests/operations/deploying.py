"""What `deploy/` says, read as the programs that it is for read it."""

import re
import shlex
import sys
from pathlib import Path
from typing import Any

import yaml

from tests.running import ROOT

DEPLOY = ROOT / "deploy"
UNITS = DEPLOY / "systemd"
BIN = Path(sys.executable).parent


def compose() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return read


def own_services() -> dict[str, dict[str, Any]]:
    return {name: service for name, service in compose()["services"].items() if service["image"] == "sabot"}


def command_of_unit(name: str, *, prefix: str = "") -> list[str]:
    """As systemd starts it, with the programs of this checkout."""
    (line,) = re.findall(r"^ExecStart=(.+)$", (UNITS / name).read_text(), re.MULTILINE)
    for written, meant in {
        "/opt/sabot/.venv/bin": str(BIN),
        "${CELERY_QUEUE_PREFIX}": prefix,
        "%i": "1",
        "%%": "%",
    }.items():
        line = line.replace(written, meant)
    return shlex.split(line)


def settings_file(path: Path) -> dict[str, str]:
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return {name: value.strip('"') for name, _, value in (line.partition("=") for line in lines)}
