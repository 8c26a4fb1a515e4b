"""Two administrators who remove each other at the same moment, on PostgreSQL: one of them stays."""

from collections.abc import Callable

import pytest

from tests import furnished
from tests.running import Installation

SCRIPT = """
import json, threading
from django.db import connection
from exams.accounts import closing, roles
from tests.factories import PersonFactory
from training.people.models import Role, RoleGrant, User
from training.platform.errors import Refused

said = {}
def race(name, remove):
    RoleGrant.objects.filter(role=Role.ADMINISTRATOR).delete()
    one, two = (PersonFactory(roles=[Role.ADMINISTRATOR]) for _each in range(2))
    ready, refused = threading.Barrier(2), []
    def act(by, other):
        ready.wait()
        try:
            remove(by, other)
        except Refused as refusal:
            refused.append(str(refusal))
        connection.close()
    threads = [threading.Thread(target=act, args=pair) for pair in ((one, two), (two, one))]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    left = User.objects.filter(is_active=True, role_grants__role=Role.ADMINISTRATOR).count()
    said.setdefault(name, set()).add((left, len(refused)))

for _again in range(5):
    race("roles", lambda by, other: roles.take(other, Role.ADMINISTRATOR, by=by))
    race("accounts", lambda by, other: closing.close(other, by=by, reason="x"))
    race("both", lambda by, other: (
        closing.close(other, by=by, reason="x") if by.pk % 2 else roles.take(other, Role.ADMINISTRATOR, by=by)
    ))
print("SAID" + json.dumps({name: sorted(found) for name, found in said.items()}))
"""


@pytest.mark.services
def test_of_two_who_remove_each_other_one_stays(install: Callable[..., Installation], postgres_url: str) -> None:
    said = furnished.said(install(DATABASE_URL=postgres_url), SCRIPT)
    assert said == {"roles": [[1, 1]], "accounts": [[1, 1]], "both": [[1, 1]]}
