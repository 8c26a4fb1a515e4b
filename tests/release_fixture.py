"""A database and documents as a release leaves them, kept in `tests/releases/VERSION/`: every later release reads them.

`python -m tests.release_fixture` (`make release-fixture`) writes those of this release, once, when it is made.
"""

import json
import lzma
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from tests import furnished
from tests.running import ROOT, Installation

KEPT = ROOT / "tests/releases"
DATABASE, DOCUMENTS = "database.sql.xz", "documents.json"
KEY = "a key of the stored releases, of no use to anybody else"
# Practice that was graded, an exam that was passed, and its certificate; documents as others received them.
FILL = """
import json
from exams.certificates import keys
from exams.certificates.credential import credential
from rules_engine import Answer, generate, topics
from rules_engine import RULEBOOKS
from tests.exams.certifying import make_certificate
from tests.practice.drills import make_drill
from training.operations import software_release
from training.people.models import User
from training.platform.engine_json import document
from training.practice import services
trainee = User.objects.get(email="rui@sabot.example")
for _ in range(5):
    services.grade(services.submit_answer(make_drill(trainee), Answer({})).pk)
certificate = make_certificate()
scenarios = [document(generate(book, topic, 7, 3)) for book in RULEBOOKS for topic in topics(book)[:2]]
signed = credential(certificate)  # before the keys: the first signature makes one
told = {"release": software_release.version(), "scenarios": scenarios, "keys": keys.published()}
print(json.dumps(told | {"code": certificate.code, "credential": signed}, default=str))
"""


def store(folder: Path) -> None:
    """Write both into a folder."""
    with tempfile.TemporaryDirectory(prefix="sabot-release-") as var:
        made = Installation(Path(var), SECRET_KEY=KEY, PUBLIC_URL="https://sabot.example")
        furnished.with_people(made)
        documents = json.loads(made.run(FILL).splitlines()[-1])
        folder.mkdir(parents=True)
        (folder / DOCUMENTS).write_text(json.dumps(documents, ensure_ascii=False, indent=1))
        with closing(sqlite3.connect(Path(var) / "sabot.sqlite3")) as database:
            (folder / DATABASE).write_bytes(lzma.compress("\n".join(database.iterdump()).encode()))


def load(folder: Path, var: Path) -> Installation:
    """An installation of the present release with that database."""
    with closing(sqlite3.connect(var / "sabot.sqlite3")) as database:
        database.executescript(lzma.decompress((folder / DATABASE).read_bytes()).decode())
    return Installation(var, SECRET_KEY=KEY, PUBLIC_URL="https://sabot.example")


def main() -> int:
    import tomllib

    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    if (KEPT / version).exists():
        print(f"{KEPT / version} is there already: what a release left is never written again.", file=sys.stderr)  # noqa: T201
        return 1
    store(KEPT / version)
    print(KEPT / version)  # noqa: T201
    return 0


if __name__ == "__main__":
    import os

    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    sys.exit(main())
