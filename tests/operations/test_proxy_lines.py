"""The counter of refused requests survives whatever is sent to its UDP port."""

import pytest

from training.operations.metrics import proxy


@pytest.mark.parametrize("line", [b"", b"{", b"\xff{", b'{"a":' + b"[" * 4000, b"<190>sabot: [1]{}", b'{"status": []}'])
def test_a_line_that_is_none_is_passed_over(line: bytes) -> None:
    proxy.count(line)
