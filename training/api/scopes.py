"""Scopes of tokens: reading or writing in an area of the API."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from training.people.models import Role, User

READ, WRITE = "read", "write"


@dataclass(frozen=True)
class Scope:
    """`roles` are the roles it is useful to: a token never allows more than its owner may do."""

    label: Promise
    roles: frozenset[Role]


_TRAINEE, _INSTRUCTOR, _HR = frozenset({Role.TRAINEE}), frozenset({Role.INSTRUCTOR}), frozenset({Role.HR})

SCOPES: dict[str, Scope] = {
    "practice:read": Scope(_("read rulebooks, the scenarios put to you and their marks"), _TRAINEE),
    "practice:write": Scope(_("start, answer and flag scenarios"), _TRAINEE),
    "teaching:read": Scope(_("read rulebooks, the library, classes and figures"), _INSTRUCTOR),
    "teaching:write": Scope(_("change the library and classes, and consult the rules engine"), _INSTRUCTOR),
    "exams:read": Scope(_("read your exam results"), _TRAINEE),
    "certificates:read": Scope(_("read certificates: your own or, for HR, everybody's"), _TRAINEE | _HR),
    "certificates:write": Scope(_("suspend, reinstate and withdraw certificates"), _HR),
    "roster:read": Scope(_("read who may deal which game on a date"), _HR),
}


def scopes_for(person: User) -> list[tuple[str, Promise]]:
    """The scopes that are useful to a person, as form choices."""
    return [(name, scope.label) for name, scope in SCOPES.items() if not scope.roles.isdisjoint(person.roles)]


def needed(areas: tuple[str, ...], *, writes: bool) -> list[str]:
    """The scopes of which a token needs at least one."""
    return [f"{area}:{WRITE if writes else READ}" for area in areas]
