"""Point-in-time recovery as the manual describes it, on a PostgreSQL of its own: to a moment between two acts."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from tests import furnished
from tests.chaos.servers import VERSIONS, OwnPostgres
from tests.running import ROOT, Installation, until
from tests.services import missing

pytestmark = pytest.mark.services
Install = Callable[..., Installation]
ARCHIVE = "/var/backups/sabot-wal"
ACT = "from exams.audit.services import record; record(None, 'drill', '{subject}')"
SUBJECTS = "SELECT subject FROM audit_entry WHERE act = 'drill' ORDER BY number"


class Archiving(OwnPostgres):
    """A PostgreSQL that archives its log of changes as the manual says."""

    def __init__(self, home: Path) -> None:
        self.archive = home / "archive"
        self.archive.mkdir()
        if os.getuid() == 0:
            shutil.chown(self.archive, "postgres")
        super().__init__(home)
        self.kill()
        self.set(self.lines("conf"))
        self.start()

    def lines(self, language: str) -> str:
        """What the manual says to write, with the archive of this test."""
        (found,) = re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs/operating.md").read_text(), re.DOTALL)
        assert ARCHIVE in found
        return str(found).replace(ARCHIVE, str(self.archive))

    def set(self, lines: str) -> None:
        with (self.data / "postgresql.auto.conf").open("a") as settings:
            settings.write(lines)

    def base_backup(self, into: Path) -> None:
        self._run(
            "pg_basebackup",
            "--checkpoint=fast",
            "--pgdata",
            str(into),
            "-h",
            "127.0.0.1",
            "-p",
            str(self.port),
            "-U",
            "postgres",
        )

    def go_back(self, base: Path, moment: str) -> None:
        self.kill()
        shutil.rmtree(self.data)
        base.rename(self.data)
        self.set(re.sub("recovery_target_time = '.+'", f"recovery_target_time = '{moment}'", self.lines("recovery")))
        (self.data / "recovery.signal").touch()
        self.start()

    def ask(self, query: str) -> list[str]:
        with psycopg.connect(self.url, autocommit=True) as server:
            return [str(row[0]) for row in server.execute(query)]


@pytest.fixture
def server() -> Iterator[Archiving]:
    if not VERSIONS:
        missing("PostgreSQL's programs", FileNotFoundError("initdb"))
    with TemporaryDirectory(prefix="sabot-moment-", ignore_cleanup_errors=True) as name:
        home = Path(name)
        home.chmod(0o755)
        if os.getuid() == 0:  # PostgreSQL runs as somebody else
            shutil.chown(home, "postgres")
        made = Archiving(home)
        yield made
        made.kill()


def test_of_two_acts_the_one_before_the_moment_comes_back(install: Install, server: Archiving) -> None:
    dump = subprocess.run(["pg_dump", furnished.tables_url()], capture_output=True, check=True).stdout
    subprocess.run(["psql", "--quiet", server.url], input=dump, capture_output=True, check=True)
    base = server.data.with_name("base")
    server.base_backup(base)
    house = install(DATABASE_URL=server.url)
    house.run(ACT.format(subject="before"))
    (moment,) = server.ask("SELECT clock_timestamp()")
    house.run(ACT.format(subject="after"))
    assert server.ask(SUBJECTS) == ["before", "after"]
    archived = server.ask("SELECT archived_count FROM pg_stat_archiver")
    server.ask("SELECT pg_switch_wal()")
    until("the log is archived", lambda: server.ask("SELECT archived_count FROM pg_stat_archiver") != archived)
    server.go_back(base, moment)
    until("it is promoted", lambda: server.ask("SELECT pg_is_in_recovery()") == ["False"])
    assert server.ask(SUBJECTS) == ["before"]
    done = house.manage("verify_audit")
    assert (done.returncode, "all intact" in done.stdout) == (0, True)
    house.run(ACT.format(subject="afterwards"))  # it goes on
    assert server.ask(SUBJECTS) == ["before", "afterwards"]
