"""The same on PostgreSQL, whose triggers and JSON are other than SQLite's."""

from collections.abc import Callable

import pytest

from tests import furnished
from tests.running import PRODUCTION, Installation

SCRIPT = """
from django.db import IntegrityError, transaction
from training.library import candidates, reruling, selectors, services
from training.library.models import Version
from training.people.models import User

author, reviewer = (User.objects.get(email=f"{name}@sabot.example") for name in ("helena", "rui"))
offered = candidates.offer(candidates.Wish("pt-chemin-de-fer", "third_card", "67 d", 2, "offer"), 2)
draft, other = candidates.keep(author, [item.token for item in offered])
assert candidates.keep(author, [offered[0].token]) == [draft]
draft = services.save_draft(draft, author, words={"pt": {"title": "Bancô tardio de ensaio"}}, seen=draft.changed_at)
assert list(selectors.versions(selectors.Filters(text="BANCO ensaio"))) == [draft]
published = services.publish(services.submit_for_review(draft, author), reviewer)
cite = published.pivots.first().cite
assert published in selectors.practised_turning_on("pt-chemin-de-fer", cite)
for change in ({"words": {}}, {"scenario_document": {}}, {"ruling_document": None}, {"state": "draft"}):
    try:
        with transaction.atomic():
            Version.objects.filter(pk=published.pk).update(**change)
    except IntegrityError as refusal:
        print("refused:", str(refusal).splitlines()[0])
assert reruling.check_published() == []
services.retire(published, author, "fora")
services.save_draft(other, author, words={})
print("done")
"""


@pytest.mark.services
def test_postgresql_keeps_what_is_published_too(install: Callable[..., Installation], postgres_url: str) -> None:
    installation = install(DATABASE_URL=postgres_url)
    furnished.with_people(installation)
    ran = installation.manage("shell", "--no-imports", "-c", SCRIPT)
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.strip().splitlines()
    assert lines == ["refused: a published version never changes; make a new version"] * 4 + ["done"]
    # Preparing again, as after an update, finds everything in place.
    again = installation.manage("prepare", **PRODUCTION | {"DATABASE_URL": postgres_url})
    assert again.returncode == 0, again.stderr
