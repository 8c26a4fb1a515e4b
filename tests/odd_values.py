"""Odd values at every address of the platform, as part of the address, in the query and in every field of every form;
run by `tests/test_odd_values.py` in an installation with PostgreSQL, which is stricter about them than SQLite."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from inspect import getsource, unwrap
from sys import modules
from typing import Any
from urllib.parse import quote_plus, urlsplit

from django import forms
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve

from tests.factories import PASSWORD, PersonFactory
from tests.house import House, Route, all_routes, undone
from training.people.access import declared, permits
from training.people.models import Role, User

# As they stand in an address or a form: bytes, since not all are text.
ODD = {
    "nul": b"%00",
    "nul inside": b"a%00b",
    "surrogate": b"%ED%A0%80",
    "not text": b"%FF%FE",
    "huge": b"9" * 30,
    "over 32 bits": b"2147483648",
    "over 64 bits": b"9223372036854775808",
    "negative": b"-1",
    "not a number": b"NaN",
    "infinite": b"1e999",
    "foreign digits": "٣".encode(),
    "superscript": "²".encode(),
    "long": b"x" * 6000,
    "first day": b"0001-01-01",
    "last day": b"9999-12-31",
    "no day": b"2026-02-30",
    "first moment": b"0001-01-01T00:00",
    "last moment": b"9999-12-31T23:59",
    "json": b"%7B%22a%22%3A%5B%5D%7D",
    "empty": b"",
}
READ = re.compile(r"\b(?:POST|GET)(?:\.get|\.getlist)?[(\[]\s*\"(\w+)\"")
FORM = "application/x-www-form-urlencoded"


class _Forms(HTMLParser):
    """The forms of a page: where each is sent, how, and with what in its fields."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str, dict[str, str]]] = []
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append((given.get("action", ""), given.get("method", "get"), {}))
            return
        if tag == "option" and self._select and self.found:
            fields = self.found[-1][2]
            if "selected" in given or (not fields.get(self._select) and given.get("value")):
                fields[self._select] = given.get("value", "")
        name = given.get("name", "")
        if tag == "select":
            self._select = name
        if not name or not self.found or tag not in ("input", "select", "textarea", "button"):
            return
        fields = self.found[-1][2]
        if given.get("type") in ("checkbox", "radio") and name in fields and "checked" not in given:
            return
        fields[name] = given.get("value", "")


@dataclass
class Sweep:
    """`faults` are what was answered with a fault of ours: the address, what was sent, and where it broke."""

    house: House
    values: dict[str, bytes]
    one_by_one: bool = True  # also each name alone, with what is usual in the others
    by_everybody: bool = True  # by all who may open an address, not only by the first of them
    faults: dict[str, str] = field(default_factory=dict)
    asked: int = 0
    _forms: dict[tuple[int, str], dict[str, str]] = field(default_factory=dict)
    _swept: set[tuple[str, str]] = field(default_factory=set)  # method and address

    def run(self) -> None:
        parameters, routes = self.house.parameters(), list(all_routes().values())
        for who in self._people():
            self._at_every_address(self._client(who), who, routes, parameters)

    def _people(self) -> Iterator[User]:
        house = self.house
        yield from (house.trainee, house.instructor, house.candidate, house.hr)
        yield PersonFactory(roles=[Role.ADMINISTRATOR])

    def _client(self, who: User) -> Client:
        client = Client(raise_request_exception=False, headers={"host": "localhost"})
        client.force_login(who)
        client.post("/account/reauthenticate/", {"password": PASSWORD})
        return client

    def _at_every_address(self, client: Client, who: User, routes: list[Route], parameters: dict[str, Any]) -> None:
        addresses = {route: route.address(parameters) for route in routes}
        if not self.by_everybody:  # who has not the role is refused before anything is read
            addresses = {route: address for route, address in addresses.items() if _permits(address, who)}
        readable = {route: self._look(client, who, address) for route, address in addresses.items()}
        for route, address in addresses.items():
            writable = self._ask(client, "POST", address) not in (401, 403, 404, 405)
            if (readable[route] or writable) and self._is_left("GET", address):
                self._parts(client, route, parameters)
                self._query(client, address)
            if writable and self._is_left("POST", address):
                self._fields(client, who, address)

    def _is_left(self, method: str, address: str) -> bool:
        """Whether this one has to sweep it, or somebody before has."""
        if (method, address) in self._swept:
            return self.by_everybody
        self._swept.add((method, address))
        return True

    def _look(self, client: Client, who: User, address: str) -> bool:
        """Whether this one may read it; the forms there are kept."""
        response = self._answer(client, "GET", address)
        if response is None:
            return True
        if response.status_code == 200 and "html" in response.headers.get("Content-Type", ""):
            page = _Forms()
            page.feed(response.content.decode())
            for action, method, fields in page.found:
                if method.lower() == "post":
                    self._forms.setdefault((who.pk, urlsplit(action).path or address), {}).update(fields)
        return response.status_code not in (401, 403, 404)

    def _parts(self, client: Client, route: Route, parameters: dict[str, Any]) -> None:
        address = route.address(parameters)
        for name in route.parameters:
            part = "/" + quote_plus(str(parameters[name]))
            for value in self.values.values():
                self._ask(client, "GET", address.replace(part, "/" + value.decode(), 1))

    def _query(self, client: Client, address: str) -> None:
        names = {*self._read(address), "page"}
        for value in self.values.values():
            self._ask(client, "GET", f"{address}?{'&'.join(f'{name}={value.decode()}' for name in names)}")
            for name in names if self.one_by_one else ():
                self._ask(client, "GET", f"{address}?{name}={value.decode()}")

    def _fields(self, client: Client, who: User, address: str) -> None:
        usual = dict.fromkeys(self._read(address), "1") | self._forms.get((who.pk, address), {})
        for value in self.values.values():
            self._ask(client, "POST", address, dict.fromkeys(usual, value))
            for name in usual if self.one_by_one else ():
                sent = {each: quote_plus(text).encode() for each, text in usual.items()} | {name: value}
                self._ask(client, "POST", address, sent)

    def _read(self, address: str) -> set[str]:
        """What a view may look at: the names in its module, and the fields of the forms there."""
        module = modules[unwrap(resolve(urlsplit(address).path).func).__module__]
        found = set(READ.findall(getsource(module)))
        for each in vars(module).values():
            if isinstance(each, type) and issubclass(each, forms.BaseForm):
                found |= set(getattr(each, "base_fields", {}))
        return found

    def _ask(self, client: Client, method: str, address: str, sent: dict[str, bytes] | None = None) -> int:
        response = self._answer(client, method, address, sent)
        return 500 if response is None else response.status_code

    def _answer(
        self, client: Client, method: str, address: str, sent: dict[str, bytes] | None = None
    ) -> HttpResponse | None:
        """None where a server would have answered with 500; that is a fault."""
        options: dict[str, Any] = {}
        if method == "POST":
            body = b"&".join(quote_plus(name).encode() + b"=" + value for name, value in (sent or {}).items())
            options = {"data": body, "content_type": FORM}
        self.asked += 1
        try:
            response = undone(client, method, address, **options)
        except Exception as error:
            self._fault(method, address, options, repr(error))
            return None
        if response.status_code == 500:
            told = getattr(response, "exc_info", None)
            self._fault(method, address, options, f"{told[0].__name__}: {told[1]}" if told else "")
        return response

    def _fault(self, method: str, address: str, options: dict[str, Any], told: str) -> None:
        sent = f"{address[-200:]} {str(options.get('data', ''))[:600]}"
        self.faults.setdefault(f"{method} {urlsplit(address).path[:80]} {told[:150]}", sent)


def _permits(address: str, who: User) -> bool:
    access = declared(resolve(urlsplit(address).path))
    return access is not None and permits(access, who, "GET")


def main(values: Sequence[str] = tuple(ODD), *, full: bool = True) -> Sweep:
    with transaction.atomic():
        sweep = Sweep(House(), {name: ODD[name] for name in values}, one_by_one=full, by_everybody=full)
        sweep.run()
        transaction.set_rollback(True)
    return sweep
