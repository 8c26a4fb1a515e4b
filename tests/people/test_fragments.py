"""An address that answers htmx with a part of its page: no cache takes that part for the page."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from tests.factories import PersonFactory
from tests.house import House, all_routes, graded, undone
from tests.samples import FULL
from training.people.models import Role

HTMX = {"HX-Request": "true"}
READERS = 2  # so many people read each page; with SABOT_FULL=1 everybody does
# Pages that ask for a part of themselves under their own address.
BOTH_WAYS = {
    *("drill", "rules", "look_up", "article", "around_version", "regrade", "live_session", "session_results"),
    *("new_programme", "programme_draft"),
}


@pytest.fixture
def house(db: None) -> House:
    return House()


def pages(house: House) -> Iterator[tuple[str, str, Client]]:
    """Every address that can be read, with everybody who might."""
    people = [house.trainee, house.instructor, house.hr, house.candidate]
    met = () if FULL else (Role.TRAINEE, Role.INSTRUCTOR, Role.HR)
    people += [PersonFactory(roles=[role]) for role in Role if role not in met]
    clients = [Client() for _ in people]
    for client, person in zip(clients, people, strict=True):
        client.force_login(person)
    parameters = house.parameters()
    for name, route in all_routes().items():
        address = route.address(parameters)
        address += {"rules": "?rulebook=pt-chemin-de-fer&chapter=third_card"}.get(name, "")
        yield from ((name, address, client) for client in (Client(), *clients))


def is_page(response: Any) -> bool:
    return b"<html" in response.content


def no_store(response: Any) -> bool:
    return "no-store" in response.headers.get("Cache-Control", "")


def varies(response: Any) -> bool:
    return "hx-request" in response.headers.get("Vary", "").lower()


def is_html(response: Any) -> bool:
    return not response.streaming and response.headers.get("Content-Type", "").startswith("text/html")


def test_no_cache_takes_a_part_for_the_page(house: House) -> None:
    both_ways, wrong = set(), []
    refused: set[tuple[str | None, ...]] = set()
    read: Counter[str] = Counter()
    for name, address, client in pages(house):
        if read[name] == READERS and not FULL:
            continue
        whole = undone(client, "GET", address)
        read[name] += whole.status_code == 200
        if whole.status_code == 403 and not FULL:
            refusal = (name, *(template.name for template in getattr(whole, "templates", [])))
            if refusal in refused:  # somebody else was refused with the same page
                continue
            refused.add(refusal)
        part = undone(client, "GET", address, headers=HTMX)
        if not no_store(part):
            wrong.append(f"{name}: what htmx was answered may be stored")
        if is_html(whole) and not (varies(whole) and varies(part)):
            wrong.append(f"{name}: a cache may give the one for the other")
        if is_html(whole) and whole.status_code == 200 and not is_page(whole) and not no_store(whole):
            wrong.append(f"{name}: a part of a page may be stored under an address of its own")
        if is_html(whole) and is_page(whole) and part.status_code == 200 and part.content and not is_page(part):
            both_ways.add(name)
    assert not wrong, "\n".join(sorted(set(wrong)))
    assert both_ways >= BOTH_WAYS


def test_a_whole_page_may_be_kept_for_going_back(house: House) -> None:
    """A page that may not be stored is not kept in memory either: Back would lose where one was."""
    client = Client()
    client.force_login(house.trainee)
    assert not no_store(client.get(f"/practice/{house.drill.pk}/"))


def test_htmx_gets_the_whole_page_to_go_back_to(house: House) -> None:
    client = Client()
    client.force_login(house.trainee)
    address = f"/practice/{graded(house.drill).pk}/"
    assert not is_page(client.get(address, headers=HTMX))
    assert is_page(client.get(address, headers={**HTMX, "HX-History-Restore-Request": "true"}))
