"""Who may do what: every route of the platform by method and by role, as one table.

A route that is not in the table fails the first test. Posts are empty, so what is allowed mostly ends in 422 (the
form comes back) or 302 (done); what matters is that everybody else is refused, and how.
"""

from dataclasses import dataclass, replace
from zlib import crc32

import pytest
from django.test import Client

from tests.factories import PersonFactory
from tests.house import House, all_routes, undone
from tests.permission_table import FORM, JSON, METHODS, TABLE
from tests.samples import FULL
from training.api import tokens
from training.api.scopes import SCOPES
from training.people.models import Role, User


def test_the_table_has_every_route_and_no_other() -> None:
    assert set(all_routes()) - set(TABLE) == set(), "say in TABLE who may use these"
    assert set(TABLE) - set(all_routes()) == set(), "these routes are no longer there"


@dataclass(frozen=True)
class Visitor:
    role: Role | None
    client: Client
    stranger: bool
    at_work: bool = False
    person: User | None = None


def client_of(person: object) -> Client:
    client = Client()
    client.force_login(person)  # type: ignore[arg-type]
    return client


@pytest.fixture
def house(db: None) -> House:
    return House()


@pytest.fixture
def visitors(house: House) -> dict[str, Visitor]:
    """One of each role; of those who can own something, the owner and another."""
    known: dict[str, tuple[Role, User, bool]] = {
        "the trainee": (Role.TRAINEE, house.trainee, False),
        "the candidate at work": (Role.TRAINEE, house.candidate, True),
        "the instructor": (Role.INSTRUCTOR, house.instructor, False),
        "human resources": (Role.HR, house.hr, False),
    }
    known |= {f"another {role}": (role, PersonFactory(roles=[role]), True) for role in Role}
    found = {"a visitor": Visitor(None, Client(), stranger=True)}
    for who, (role, one, stranger) in known.items():
        found[who] = Visitor(role, client_of(one), stranger, at_work=one == house.candidate, person=one)
    return found


PAGES = [name for name in TABLE if not name.startswith("api_")]
API = [name for name in TABLE if name.startswith("api_")]


@pytest.mark.parametrize("names", [*(PAGES[at : at + 60] for at in range(0, len(PAGES), 60)), API])  # each some seconds
def test_who_may_do_what(house: House, visitors: dict[str, Visitor], names: list[str]) -> None:
    _walk(house, visitors, names)


def test_a_program_with_a_token_of_every_scope_gets_what_its_owner_does(
    house: House, visitors: dict[str, Visitor]
) -> None:
    programs = {}
    for who, visitor in visitors.items():
        if visitor.person:
            _token, text = tokens.issue(visitor.person, name="Programa", scopes=SCOPES, days=1)
            programs[who] = replace(visitor, client=Client(headers={"Authorization": f"Bearer {text}"}))
    _walk(house, programs, API, by_token=True)


def those_who_try(name: str, method: str, everybody: list[str]) -> list[str]:
    """Everybody reads a page, sends its form, and tries every method of the API. Methods that no page takes are tried
    by two visitors for each page, always the same ones; with SABOT_FULL=1 by everybody."""
    if FULL or method in ("GET", "POST") or name.startswith("api_"):
        return everybody
    first = crc32(f"{method} {name}".encode())
    return [everybody[(first + step) % len(everybody)] for step in (0, 4)]


def _walk(house: House, visitors: dict[str, Visitor], names: list[str], *, by_token: bool = False) -> None:
    """Every one of these routes by every method and visitor: the status that the table says."""
    routes, parameters = all_routes(), house.parameters()
    wrong = []
    for name in names:
        api = name.startswith("api_")
        address = routes[name].address(parameters)
        # Of the library's own pages, those with a form take PUT for POST.
        for method in METHODS[:2] if name.startswith(("account_", "mfa_")) else METHODS:
            for who in those_who_try(name, method, list(visitors)):
                visitor = visitors[who]
                sent = {} if method == "GET" else JSON if api else FORM if method == "POST" else {}
                status = undone(visitor.client, method, address, **sent).status_code
                expected = TABLE[name].expected(
                    visitor.role, method, stranger=visitor.stranger, at_work=visitor.at_work, api=api
                )
                # Where nothing can be written there is no scope to write, which a token is told first.
                no_scope = by_token and (expected, status) == (405, 403)
                if status != expected and not no_scope:
                    wrong.append(f"{method} {name}, {who}: {status}, not {expected}")
    assert not wrong, "\n".join(wrong)


def test_a_person_revokes_their_own_tokens_and_nobody_elses(house: House, visitors: dict[str, Visitor]) -> None:
    address = all_routes()["revoke_token"].address(house.parameters())
    status = {who: undone(visitor.client, "POST", address).status_code for who, visitor in visitors.items()}
    assert status.pop("the trainee") == 302
    assert status.pop("a visitor") == 302  # to sign in
    assert status.pop("the candidate at work") == 403
    assert set(status.values()) == {404}
    house.token.refresh_from_db()
    assert house.token.revoked_at is None
