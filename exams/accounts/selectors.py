"""Searching people, for administrators."""

from dataclasses import dataclass

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from rules_engine.folding import folded
from training.people.models import User
from training.platform.folded_text import Folded, alphabetical

ANY, OPEN, INVITED, CLOSED = "", "open", "invited", "closed"
STATES = [
    (ANY, pgettext_lazy("accounts", "All")),
    (OPEN, _("may sign in")),
    (INVITED, _("has not begun yet")),
    (CLOSED, _("account closed")),
]
_UNBEGUN = Q(is_active=True, password__startswith=UNUSABLE_PASSWORD_PREFIX, last_login=None)
_IN_STATE = {ANY: Q(), OPEN: Q(is_active=True) & ~_UNBEGUN, INVITED: _UNBEGUN, CLOSED: Q(is_active=False)}


@dataclass(frozen=True)
class Filters:
    """Words of a name or address, a role, and the state of the account."""

    q: str = ""
    role: str = ""
    state: str = ANY


def people(filters: Filters) -> QuerySet[User]:
    found = User.objects.filter(_IN_STATE[filters.state]).alias(
        name_folded=Folded("name"), address_folded=Folded("email")
    )
    for word in folded(filters.q).split()[:8]:
        found = found.filter(Q(name_folded__contains=word) | Q(address_folded__contains=word))
    if filters.role:
        found = found.filter(role_grants__role=filters.role)
    return found.prefetch_related("role_grants", "closures").order_by(alphabetical("name"), "pk")
