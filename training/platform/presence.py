"""Asks in one query whether rows of several kinds exist.

The SQL is made once, because making it takes longer than the query.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import QuerySet


def present(kinds: Callable[[], Mapping[str, QuerySet[Any]]]) -> Callable[[], dict[str, bool]]:
    """A function that says for each kind whether it has any row.

    The querysets may depend on nothing that changes, such as a person or the time.
    """

    @cache
    def made() -> tuple[tuple[str, ...], str, list[Any]]:
        found = kinds()
        parts = [each.order_by().values("pk").query.sql_with_params() for each in found.values()]
        sql = ", ".join(f"EXISTS({part})" for part, _values in parts)
        return tuple(found), f"SELECT {sql}", [value for _part, values in parts for value in values]

    def asked() -> dict[str, bool]:
        names, sql, values = made()
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
            return dict(zip(names, map(bool, cursor.fetchone()), strict=True))

    return asked
