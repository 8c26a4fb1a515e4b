"""The whole API against its own schema: whatever fits the schema, or does not, gets an answer that the schema tells of,
and never a fault of ours."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.house import House
from tests.samples import sample
from training.api import tokens
from training.api.scopes import SCOPES
from training.people.models import User
from training.wsgi import application

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# Of each operation that fit the schema, and as many that do not; each is asked by three people.
EXAMPLES = int(os.environ.get("API_EXAMPLES") or sample(3, 6))
TRIED = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def operations() -> Iterator[Any]:
    schema = schemathesis.openapi.from_dict(SchemaGenerator().get_schema(request=None, public=True))
    schema.app = application
    for found in schema.get_all_operations():
        yield found.ok()


@pytest.fixture
def house(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setattr("rest_framework.throttling.SimpleRateThrottle.THROTTLE_RATES", {"user": None, "anon": None})
    # As Django's own test client does: a request must not close the connection that the test's transaction lives on.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield House()
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def token_of(person: User) -> dict[str, str]:
    _token, text = tokens.issue(person, name="schemathesis", scopes=SCOPES, days=1)
    return {"Authorization": f"Bearer {text}"}


def test_every_operation_answers_as_its_schema_says(house: House) -> None:
    programs = [token_of(person) for person in (house.trainee, house.instructor, house.hr)]
    failures: list[str] = []
    asked = 0
    for operation in operations():
        real = {name: str(value) for name, value in house.parameters().items() if f"{{{name}}}" in operation.path}
        for mode in GenerationMode:
            asked += _ask(operation, mode, real, programs, failures)
    assert not failures, "\n\n".join(failures)
    assert asked > 50 * EXAMPLES


def _ask(operation: Any, mode: Any, real: dict[str, str], programs: list[dict[str, str]], failures: list[str]) -> int:
    """Ask in many ways, half of the time about things that are there; whatever it changes is taken back."""
    count = 0

    @TRIED
    @given(case=operation.as_strategy(mode))
    def ask(case: Any) -> None:
        nonlocal count
        count += 1
        if real and count % 2:
            case.path_parameters = real
        for headers in programs:
            with transaction.atomic():
                response = case.call(headers=headers)
                transaction.set_rollback(True)
            case.validate_response(response, checks=CHECKS)

    try:
        ask()
    except (Exception, BaseExceptionGroup) as failure:
        failures.append(f"{operation.label} ({mode}): {failure}")
    return count
