"""Several kinds of rows asked for in one query."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.factories import PersonFactory
from training.people.models import Role, RoleGrant, User
from training.platform.presence import present


@pytest.mark.django_db
def test_each_kind_is_there_or_not_in_one_query(django_assert_num_queries: Callable[..., Any]) -> None:
    there = present(
        lambda: {
            "closed": User.objects.filter(is_active=False).order_by("email"),
            "hr": RoleGrant.objects.filter(role=Role.HR),
        }
    )
    PersonFactory(roles=[Role.INSTRUCTOR])
    assert there() == {"closed": False, "hr": False}
    PersonFactory(roles=[Role.HR])
    with django_assert_num_queries(1):
        assert there() == {"closed": False, "hr": True}
    User.objects.update(is_active=False)
    assert there() == {"closed": True, "hr": True}
