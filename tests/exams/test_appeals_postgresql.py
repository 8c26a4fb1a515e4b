"""Appeals on PostgreSQL: its triggers, which are written otherwise than SQLite's, refuse the same reviewers, and of
several who decide at once one does."""

from collections.abc import Callable

import pytest

from tests import furnished
from tests.running import Installation

SCRIPT = """
import json, threading
from django.db import IntegrityError, connection, transaction
from exams.appeals import services
from exams.appeals.models import Appeal
from exams.audit.models import Entry
from tests.exams.contesting import REPLY, held, lodged, stranger
from tests.exams.test_appeals import _with_version, _written_by_several, partial_ways
from training.people.models import Role
from training.platform.errors import Refused

def tried(appeal, **change):
    try:
        with transaction.atomic():
            Appeal.objects.filter(pk=appeal.pk).update(**change)
            return "changed"
    except IntegrityError as refusal:
        return str(refusal).split(chr(10))[0]

def decided(appeal, reviewer):
    return tried(appeal, state="rejected", reviewer=reviewer, decided_at=appeal.lodged_at, reply=REPLY)

said = {"partial": {}, "others": {}}
for way, partial in partial_ways().items():
    exam = held(created_by=stranger())
    said["partial"][way] = decided(lodged(exam), partial(exam))
exam = held()
said["partial"]["own"] = decided(lodged(exam), exam.person())
version, co_author, former = _written_by_several()
appeal = lodged(_with_version(version))
for who in ("author", "published_by"):
    said["partial"][who] = decided(appeal, getattr(version, who))
said["partial"] |= {"co-author": decided(appeal, co_author), "former co-author": decided(appeal, former)}

ready, refused = threading.Barrier(3), []
def act(reviewer):
    ready.wait()
    try:
        services.reject(appeal, reviewer, REPLY)
    except Refused as refusal:
        refused.append(str(refusal))
    connection.close()
threads = [threading.Thread(target=act, args=[stranger()]) for _each in range(3)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
said["at once"] = [len(refused), Entry.objects.filter(act="appeal.rejected").count()]

appeal.refresh_from_db()
said["others"] = {
    "impartial": decided(lodged(held()), stranger(Role.ADMINISTRATOR)),
    "again": tried(appeal, reply="other"),
    "reviewer": tried(appeal, reviewer=stranger()),
    "text": tried(appeal, text="other"),
}
try:
    with transaction.atomic():
        Appeal.objects.filter(pk=appeal.pk)._raw_delete("default")
except IntegrityError as refusal:
    said["others"]["removed"] = str(refusal).split(chr(10))[0]
print("SAID" + json.dumps(said))
"""
PARTIAL = "an appeal is not decided by anybody who wrote or had the item, or taught or examined the appellant"


@pytest.mark.services
def test_no_partial_reviewer_decides_and_nothing_decided_changes(
    install: Callable[..., Installation], postgres_url: str
) -> None:
    said = furnished.said(install(DATABASE_URL=postgres_url), SCRIPT)
    assert said["partial"] == dict.fromkeys(said["partial"], PARTIAL)
    assert len(said["partial"]) == 15
    assert said["at once"] == [2, 1]
    assert said["others"] == {
        "impartial": "changed",
        "again": "an appeal is decided only once",
        "reviewer": "an appeal is decided only once",
        "text": "an appeal keeps what was lodged",
        "removed": "an appeal is never deleted",
    }
