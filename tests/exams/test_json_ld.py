"""No term of the credential is unknown to the contexts that it names: a reader of JSON-LD would silently drop it.

This follows the rules by which contexts apply (those of a type hold for its own node, those of a property for what is
below it). A whole processor expands the same credential in `tests/independent_check.py`.
"""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from exams.certificates import statuslists
from exams.certificates.credential import CONTEXT, payload
from tests.exams.certifying import make_certificate

HERE = Path(__file__).with_name("contexts")
PUBLISHED = {
    "https://www.w3.org/ns/credentials/v2": "credentials-v2.json",
    "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json": "open-badges-3.0.3.json",
}
# Claims of the token beside the credential.
CLAIMS = {"iss", "jti", "sub", "iat", "nbf", "exp"}
Terms = dict[str, Any]


def terms(names: list[str]) -> Terms:
    found: Terms = {}
    for name in names:
        found |= json.loads((HERE / PUBLISHED[name]).read_text())["@context"]
    return found


def scoped(definition: object) -> Terms:
    inner = definition.get("@context") if isinstance(definition, Mapping) else None
    return dict(inner) if inner else {}


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def lost(node: Any, active: Terms, where: str = "") -> Iterator[str]:
    """Where the terms and types stand that the contexts do not know."""
    if not isinstance(node, Mapping):
        return
    here = dict(active)
    for kind in as_list(node.get("type", [])):
        if kind not in active:
            yield f"{where}/type: {kind}"
        here |= scoped(active.get(kind))
    for name, value in node.items():
        if name not in here:
            yield f"{where}/{name}"
        for inner in as_list(value):
            yield from lost(inner, active | scoped(here.get(name)), f"{where}/{name}")


def credential_of(claims: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in claims.items() if name not in CLAIMS | {"@context"}}


@pytest.mark.django_db
def test_no_term_of_a_credential_is_lost() -> None:
    said = payload(make_certificate())
    assert said["@context"] == list(PUBLISHED)
    assert list(lost(credential_of(said), terms(CONTEXT))) == []


@pytest.mark.django_db
def test_no_term_of_a_status_list_is_lost() -> None:
    said = statuslists._payload("standing-0", 0)
    assert list(lost(credential_of(said), terms(said["@context"]))) == []


def test_an_unknown_term_is_noticed_at_any_depth() -> None:
    subject = {"type": "AchievementSubject", "diploma": 1}
    node = {"type": ["VerifiableCredential", "OpenBadgeCredential"], "credentialSubject": subject, "x": {}}
    assert list(lost(node, terms(CONTEXT))) == ["/credentialSubject/diploma", "/x"]
    # What belongs to another type is not known here.
    assert list(lost({"type": "Achievement", "licenseNumber": "1"}, terms(CONTEXT))) == ["/licenseNumber"]


@pytest.mark.parametrize("name", PUBLISHED.values())
def test_the_contexts_are_those_that_are_published(name: str) -> None:
    assert sha256((HERE / name).read_bytes()).hexdigest() in (HERE / "README.md").read_text()
