"""Queries of the ORM that are written into SQL once and then only asked.

For the handful that every visit of the home page asks: writing such a query takes the ORM longer than the database
takes to answer it.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import BigIntegerField, Expression, Field, QuerySet
from django.db.models.sql.compiler import SQLCompiler


class Given(Expression):
    """The place of a value that is known when the query is asked: the number of a row, unless told."""

    def __init__(self, name: str, field: "Field[Any, Any] | None" = None) -> None:
        super().__init__(output_field=field or BigIntegerField())
        self.name = name

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, Any]:
        return "%s", [self]

    def of(self, values: dict[str, Any]) -> Any:
        return self.output_field.get_db_prep_value(values[self.name], connection)


class Prepared:
    """`Prepared(lambda: …values_list(…))`, called with the values of what is `Given` in it. Gives all rows."""

    def __init__(self, query: Callable[[], QuerySet[Any, Any]]) -> None:
        self._query = query
        self._written = cache(self._write)  # by kind of database: a test has another one than the next

    def __call__(self, **values: Any) -> list[tuple[Any, ...]]:
        compiler, sql, parameters, converters = self._written(connection.vendor)
        with connection.cursor() as cursor:
            cursor.execute(sql, [one.of(values) if isinstance(one, Given) else one for one in parameters])
            rows = cursor.fetchall()
        return [tuple(row) for row in (compiler.apply_converters(rows, converters) if converters else rows)]

    def _write(self, _vendor: str) -> tuple[SQLCompiler, str, tuple[Any, ...], Any]:
        compiler = self._query().query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        return compiler, sql, tuple(parameters), compiler.get_converters([column for column, *_rest in compiler.select])
