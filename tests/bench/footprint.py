"""The memory of all processes that the units start, after people have used them: of each what it uses alone, plus its
share of what it shares with others (PSS)."""

import tempfile
import time
from pathlib import Path

from tests.bench.embedded import PLAIN, _bare_django, _memory
from tests.bench.table import Line, Target
from tests.operations.deployed import WEB, Deployed, deployment, start_all
from tests.visitor import Visitor

LASTS, LASTS_IN_FULL = 20.0, 600.0  # seconds from the start to the measure
WHOLE, ONE = Target(750, of="figure"), Target(110, of="figure")  # megabytes
PAGES = ("/account/login/", "/", "/practice/", "/practice/rules/", "/rulebooks/", "/exams/", "/c/")


def lines(*, rounds: int, full: bool) -> list[Line]:
    with (
        tempfile.TemporaryDirectory(prefix="sabot-footprint-", ignore_cleanup_errors=True) as home,
        deployment(Path(home), SABOT_MODE="demo") as made,
        _bare_django() as bare,
    ):
        made.run("from django.core.management import call_command; call_command('demo_data', if_new=True)")
        started = time.monotonic()
        start_all(made)
        visitor = Visitor(made.url)
        for path in PAGES * 8:
            visitor.get(path)
        time.sleep(max(0.0, (LASTS_IN_FULL if full else LASTS) - (time.monotonic() - started)))
        found = [(_sizes(made), _memory([bare.pid])) for _ in range(rounds)]
        bare.kill()
    plain = tuple(one for _, one in found)
    names = dict.fromkeys(name for sizes, _ in found for name in sizes)
    taken = {name: tuple(sizes[name] for sizes, _ in found) for name in names}
    targets = {"all processes": WHOLE, "largest web process": ONE}
    return [Line(f"memory, {name}", "MB", size, PLAIN, plain, targets.get(name)) for name, size in taken.items()]


def _sizes(made: Deployed) -> dict[str, float]:
    """Megabytes of each unit, of all together, and of the largest web process."""
    groups: dict[str, list[int]] = {name: [] for name in made.started}
    by_leader = {process.pid: name for name, process in made.started.items()}
    for pid in made.pids():
        leader = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[2])
        if leader in by_leader:
            groups[by_leader[leader]].append(pid)
    sizes = {name: sum(_memory([pid]) for pid in pids) for name, pids in groups.items()}
    web = [pid for pid in groups[WEB] if pid != made.started[WEB].pid]
    return {**sizes, "all processes": sum(sizes.values()), "largest web process": _memory(web)}
