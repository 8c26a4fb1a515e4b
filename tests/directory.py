"""A real OpenID provider for tests, and a browser that goes there and back."""

import base64
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import requests
from django.test import Client
from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.running import free_port, until

CLIENT = "sabot-of-the-house"
SECRET = "a-secret-of-the-client"


class Directory:
    """The provider, with people whose claims the test sets."""

    def __init__(self, port: int) -> None:
        self.issuer = f"http://localhost:{port}"

    def knows(self, subject: str, *groups: str, **claims: Any) -> None:
        """Set what the provider says about a person, who signs in there in a moment."""
        self.says(subject, groups=list(groups), **claims)

    def says(self, subject: str, **body: Any) -> None:
        body = {"auth_time": now(30)} | body
        requests.put(f"{self.issuer}/users/{subject}", json=body, timeout=5).raise_for_status()

    def comes_back(self, address: str, subject: str) -> str:
        """Sign in at the provider as this person. Returns the address that it sends the browser back to."""
        answer = requests.post(address, data={"sub": subject}, allow_redirects=False, timeout=5)
        assert answer.status_code == 302, answer.text
        return answer.headers["Location"]


@contextmanager
def started() -> Iterator[Directory]:
    """The provider in a process of its own, until the tests are over."""
    port = free_port()
    command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, **quiet)  # type: ignore[call-overload]
    try:
        found = Directory(port)
        until("the provider answers", lambda: answers(found))
        yield found
    finally:
        process.terminate()
        process.wait(timeout=10)


def answers(directory: Directory) -> bool:
    try:
        return requests.get(f"{directory.issuer}/jwks", timeout=1).ok
    except requests.ConnectionError:
        return False


def left_for(page: Any) -> str:
    """The provider's address on the page that goes on by itself."""
    found = re.search(r'content="0; url=([^"]+)"', page.content.decode())
    assert found, page.content.decode()
    return unescape(found[1])


def path_of(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.path}?{parts.query}"


def asked(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


def sign_in(client: Client, directory: Directory, subject: str, **posted: str) -> Any:
    """From the button to the page after the provider."""
    address = left_for(client.post("/account/directory/", posted))
    return client.get(path_of(directory.comes_back(address, subject)))


# ---- tokens that somebody tampered with


def claims_of(token: str) -> dict[str, Any]:
    body = token.split(".")[1]
    return dict(json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))))


def forged(claims: dict[str, Any], *, kid: str = "mine", alg: str = "RS256") -> str:
    """A token signed with a key of one's own."""
    return jwt.encode({"alg": alg, "kid": kid}, claims, RSAKey.generate_key(2048, auto_kid=False))


def unsigned(claims: dict[str, Any]) -> str:
    def part(of: dict[str, Any]) -> str:
        return base64.urlsafe_b64encode(json.dumps(of).encode()).decode().rstrip("=")

    return f"{part({'alg': 'none', 'typ': 'JWT'})}.{part(claims)}."


def now(seconds: float = 0) -> int:
    return int(time.time() + seconds)


Change = Callable[[dict[str, Any]], dict[str, Any]]
