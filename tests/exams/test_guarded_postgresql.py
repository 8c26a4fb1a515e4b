"""Guarded cases on PostgreSQL: the same answers as on SQLite, and of several requests at once one row counts all."""

from collections.abc import Callable

import pytest

from tests import furnished
from tests.running import Installation

SCRIPT = """
import json, threading
from django.db import connection
from exams.audit.models import Entry
from exams.papers import exam_bank, guarded_requests
from exams.records.models import RulingAsked
from exams.results import grading, release
from tests.exams import making
from tests.factories import PersonFactory
from tests.library.versions import instructor, make_published, make_scenario
from training.library import drafts, guarded_cases, services
from training.library.hooks import Asked, Guarded
from training.people.models import Role

said = {"free": guarded_cases.is_guarded(make_scenario("live"))}
item = making.put_in_use(make_scenario("live"))
banked = make_published(seed="kept", reserved=True)
drafts.new_version(banked.item, banked.author)
said["live"] = [case.session == item.session_id for case in guarded_cases.closed_to(banked.author, item.scenario)]
said["kept"] = [len(guarded_cases.closed_to(who, banked.scenario)) for who in (instructor(), banked.author)]
said["put"] = exam_bank.still_in_use([item.pk]) == {item.pk}

person, ready = PersonFactory(roles=[Role.INSTRUCTOR]), threading.Barrier(4)
asked = Asked(Guarded(f"exam_item:{item.pk}", session=item.session_id), "0" * 64)
def ask():
    ready.wait()
    guarded_requests.record_asked(person, "api_solve", asked)
    connection.close()
threads = [threading.Thread(target=ask) for _each in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
said["asked"] = [RulingAsked.objects.get().times, Entry.objects.filter(act="ruling.asked").count()]
admin = PersonFactory(roles=[Role.ADMINISTRATOR])
guarded_requests.look_at(guarded_requests.to_look_at(admin).get().pk, admin)
said["left"] = guarded_requests.to_look_at(admin).count()

session = making.make_session()
late = making.enter(session)
first = grading.grade_sitting(making.close(making.start(making.enter(session))).pk)
said["held"] = [first.released_at is None, release.release_due()]
grading.grade_sitting(making.close(making.start(late)).pk)
said["due"] = release.release_due()
print("SAID" + json.dumps(said))
"""


@pytest.mark.services
def test_the_database_of_production_answers_the_same(install: Callable[..., Installation], postgres_url: str) -> None:
    assert furnished.said(install(DATABASE_URL=postgres_url), SCRIPT) == {
        "free": False,
        "live": [True],
        "kept": [2, 0],  # the version and its new draft; none for who wrote it
        "put": True,
        "asked": [4, 1],
        "left": 0,
        "held": [True, 0],
        "due": 1,
    }
