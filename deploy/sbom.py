"""Writes the software bill of materials of a lock file as CycloneDX 1.6: same lock, same bytes.

python deploy/sbom.py requirements.lock > sbom.cdx.json
"""

import json
import re
import sys
import tomllib
import uuid
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
# "name[extra]==1.2.3 ; marker \", then a line for each hash.
PACKAGE = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(\[[^\]]*\])?==(?P<version>[^\s;\\]+)\s*(;\s*(?P<marker>[^\\]+))?")


def bill(lock: Path) -> dict[str, Any]:
    text = lock.read_text()
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    own = {"type": "application", "name": project["name"], "version": project["version"], "bom-ref": project["name"]}
    components = sorted(_components(text), key=lambda each: (each["name"], each["version"]))
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_URL, text).urn,
        "version": 1,
        "metadata": {"component": own},
        "components": components,
        "dependencies": [{"ref": own["bom-ref"], "dependsOn": [each["bom-ref"] for each in components]}],
    }


def _components(text: str) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        if found := PACKAGE.match(line):
            yield _component(found["name"].lower(), found["version"], (found["marker"] or "").strip())


def _component(name: str, version: str, marker: str) -> dict[str, Any]:
    purl = f"pkg:pypi/{name}@{version}"
    made: dict[str, Any] = {"type": "library", "name": name, "version": version, "purl": purl, "bom-ref": purl}
    if licence := _licence(name, version):
        made["licenses"] = [{"expression": licence}]
    if marker:
        made["properties"] = [{"name": "sabot:only-where", "value": marker}]
    return made


def _licence(name: str, version: str) -> str:
    """The SPDX expression of the installed package; "" if it is not installed or states none."""
    try:
        installed = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return ""
    return str(installed.get("License-Expression") or "") if installed["Version"] == version else ""


if __name__ == "__main__":
    json.dump(bill(Path(sys.argv[1])), sys.stdout, indent=2)
    sys.stdout.write("\n")
