"""A second amendment after a first: nobody gets a certificate on the newest law without being asked what changed since
the version that they hold."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from exams.programmes import refresher, services
from rules_engine import Rulebook
from rules_engine.amendments import load, remove
from tests import amending
from tests.amending import NEW, OLD, amended
from tests.exams.making import judged
from tests.exams.new_law import drafted
from tests.factories import PersonFactory
from training.people.models import Role
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db
LATEST = "pt-black-jack-2027"


@pytest.fixture
def latest(tmp_path: Path) -> Iterator[Rulebook]:
    """A version that changes only the largest bet of the amended one."""
    folder = amending.copied(tmp_path, LATEST)
    law = (folder / "law.toml").read_text("utf-8")
    law = law.replace('like = "pt-black-jack"', f'like = "{NEW}"').replace("2026-10-01", "2026-11-01")
    (folder / "law.toml").write_text(law, "utf-8")
    (folder / "numbers.toml").write_text('[maximum_times_minimum]\ncite = "37"\nvalue = 40\n', "utf-8")
    head, *_rows, row, _last = (folder / "clauses.csv").read_text("utf-8").splitlines()
    (folder / "clauses.csv").write_text(f"{head}\n{row.replace('50', '40')}\n", "utf-8")
    (folder / "summaries" / "pt.toml").write_text('"37" = "A aposta máxima é de 40 vezes a mínima."\n', "utf-8")
    for spare in ("cases.toml", "formulas.toml"):
        (folder / spare).unlink()
    shutil.rmtree(folder / "words")
    with amended():
        book = load(folder)
        try:
            yield book
        finally:
            remove(book)


def test_a_refresher_asks_what_changed_since_each_version_it_is_for(latest: Rulebook) -> None:
    rules = refresher.rules(latest)
    assert rules.refreshes == (OLD, NEW)
    assert {line.article for line in rules.lines} == {"10", "33 s1", "37"}


def test_a_refresher_is_not_carried_over_to_a_later_law(latest: Rulebook) -> None:
    """Its questions are about another change."""
    made = drafted(latest.like or latest)
    services.publish(judged(made), PersonFactory(roles=[Role.ADMINISTRATOR]), seen=made.changed_at)
    with pytest.raises(Refused, match="atualização"):
        services.new_version(made.programme, PersonFactory(roles=[Role.INSTRUCTOR]))
