"""Whatever is written into an address, a query or a field, on PostgreSQL too: an answer, never a fault of ours."""

from collections.abc import Callable

import pytest

from tests import furnished
from tests.running import Installation
from tests.samples import FULL

# With SABOT_FULL=1 every value, in each field alone as well, and by all who may open an address: that takes an hour.
FEW = ("over 64 bits", "last day")
SCRIPT = """
import logging
from tests import odd_values
logging.disable(logging.CRITICAL)
swept = odd_values.main({values}full={full})
print("ASKED", swept.asked)
for told, sent in swept.faults.items():
    print("FAULT", told, sent)
"""


@pytest.mark.services
def test_no_value_at_any_address_is_a_fault_of_ours(install: Callable[..., Installation], postgres_url: str) -> None:
    installation = install(DATABASE_URL=postgres_url)
    installation.patience = 9000 if FULL else 900
    furnished.with_tables(installation)
    furnished.with_static(installation)
    told = installation.run(SCRIPT.format(values="" if FULL else f"{FEW!r}, ", full=FULL))
    asked, *faults = told.strip().splitlines()
    assert not faults, "\n".join(faults)
    assert int(asked.removeprefix("ASKED ")) > 2000
