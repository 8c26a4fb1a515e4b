"""The platform on the servers that production uses: only URLs differ."""

import signal
from collections.abc import Callable

import pytest

from tests import furnished
from tests.running import Installation
from tests.samples import FULL
from tests.services import BROKERS

pytestmark = pytest.mark.services


# `test_deployed.py` does the same with RabbitMQ.
@pytest.mark.parametrize("broker_env", BROKERS if FULL else ["redis"], indirect=True)
def test_the_platform_is_ready_on_postgresql_and_a_real_broker(
    install: Callable[..., Installation], postgres_url: str, broker_env: dict[str, str]
) -> None:
    installation = install(DATABASE_URL=postgres_url, **broker_env)
    furnished.with_tables(installation)
    process = installation.start("serve")
    installation.wait_until_ready()
    assert not (installation.var / "sabot.sqlite3").exists()
    assert not (installation.var / "broker.sqlite3").exists()
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 0
    assert installation.pids() == []
