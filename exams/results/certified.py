"""The certificate that a sitting led to. Certificates stand above results, so they say at the start where to ask."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True)
class Certified:
    """As much of a certificate as a page about a result tells; `standing` is in the reader's words."""

    pk: UUID
    number: str
    code: str
    standing: str
    tone: str


_asked: Callable[[UUID], Certified | None] = lambda sitting_id: None  # noqa: E731


def ask_for_certificate(asked: Callable[[UUID], Certified | None]) -> None:
    global _asked
    _asked = asked


def certificate_of(sitting_id: UUID) -> Certified | None:
    return _asked(sitting_id)
