"""Browsers that send until they are acknowledged, as the page's script does, for tests that kill what they talk to."""

import http.client
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from tests.running import until

CSRF = "a" * 32
AWAY = 0  # nobody answered: it was just killed


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


class Failure(NamedTuple):
    """A request that the platform itself answered with an error, from when to when it lasted (`time.monotonic`)."""

    path: str
    status: int
    began: float
    ended: float


class Persistent:
    """One signed-in person. `troubles` counts what came instead of an acknowledgement, `failures` are its errors."""

    bearable = frozenset({AWAY, 500, 502, 503})

    def __init__(self, base: str, cookies: Mapping[str, str]) -> None:
        self.base = base
        self.opener = urllib.request.build_opener(NoRedirect)
        cookie = "; ".join(f"{name}={value}" for name, value in {**cookies, "csrftoken": CSRF}.items())
        self.headers = {"Cookie": cookie, "X-CSRFToken": CSRF}
        self.troubles: Counter[int] = Counter()
        self.failures: list[Failure] = []
        self.longest = 0.0  # seconds that one request took

    def send(self, path: str, fields: Mapping[str, str], done: int, *, within: float = 120) -> str:
        """Send a form until it is acknowledged with this status; where the answer leads to."""
        data = urllib.parse.urlencode(fields).encode()

        def acknowledged() -> str:
            began = time.monotonic()
            status, location = self._ask(path, data)
            if status >= 500:
                self.failures.append(Failure(path, status, began, time.monotonic()))
            if status == done:
                return location
            assert status in self.bearable, f"{path}: {status} {location}"
            self.troubles[status] += 1
            return ""

        return until(f"{path} is acknowledged", acknowledged, within=within)

    def _ask(self, path: str, data: bytes) -> tuple[int, str]:
        request = urllib.request.Request(self.base + path, data, self.headers)
        started = time.monotonic()
        try:
            with self.opener.open(request, timeout=30) as response:
                return int(response.status), "nowhere"
        except urllib.error.HTTPError as other:
            with other:
                return other.code, other.headers.get("Location") or str(other.read()[:500])
        except (OSError, http.client.HTTPException):
            return AWAY, ""
        finally:
            self.longest = max(self.longest, time.monotonic() - started)


class Candidate(Persistent):
    """Sits an exam that has begun (`tests.exams.killing.furnish` tells of it)."""

    bearable = Persistent.bearable | {302}

    def __init__(self, base: str, told: dict[str, Any]) -> None:
        super().__init__(f"{base}/exams/sittings/{told['sitting']}/", told["cookies"])
        self.told = told
        self.acknowledged: dict[int, str] = {}

    def answer(self, position: int) -> None:
        """Every second answer is changed once, and then the change counts."""
        for sequence in range(1, 2 + position % 2):
            words = f"Resposta {sequence} de {self.told['sitting'][:8]} a {position}"
            self.save(position, {f"q.{self.told['questions'][position - 1]}": words}, sequence)
            self.acknowledged[self.told["form_items"][position - 1]] = words

    def save(self, position: int, fields: Mapping[str, str], sequence: int) -> None:
        self.send(f"{position}/save/", {**fields, "sequence": str(sequence)}, done=200)

    def hand_in(self) -> None:
        self.send("hand-in/", {}, done=302)
