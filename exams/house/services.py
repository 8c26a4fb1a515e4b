"""Changing the house's settings: by administrators, on record with what was and what is now."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from exams.audit.services import record
from exams.house.logo import redrawn
from training.house.models import ONLY, House, Logo
from training.house.selectors import current
from training.people.models import Role, User
from training.refusal import Refused

MAX_SIGNATORIES = 3


@dataclass(frozen=True)
class Signatory:
    """Who signs, and as what, by language."""

    name: str
    titles: dict[str, str]


def verify_change(by: User) -> None:
    if not User.objects.filter(pk=by.pk, is_active=True, role_grants__role=Role.ADMINISTRATOR).exists():
        raise Refused(_("Only administrators change the settings of the house."))


@transaction.atomic
def change(
    *,
    by: User,
    name: str,
    legal_name: str,
    signatories: Sequence[Signatory],
    logo: bytes | None = None,
    without_logo: bool = False,
) -> dict[str, list[Any]]:
    """Say what the house is called from now on; says what changed. Without a `logo` the former one stays, unless it is
    taken away. Certificates that are granted keep what was printed on them."""
    verify_change(by)
    House.objects.get_or_create(pk=ONLY, defaults={"name": current().name})
    house = House.objects.select_for_update(no_key=True).get(pk=ONLY)
    wanted = {
        "name": name,
        "legal_name": legal_name,
        "signatories": [{"name": one.name, "titles": one.titles} for one in signatories],
        "logo_id": None if without_logo else _kept(logo) if logo else house.logo_id,
    }
    changes = {field: [getattr(house, field), value] for field, value in wanted.items()}
    changes = {field: pair for field, pair in changes.items() if pair[0] != pair[1]}
    if changes:
        House.objects.filter(pk=ONLY).update(**{field: after for field, (_before, after) in changes.items()})
        record(by, "house.changed", f"house:{ONLY}", changes=changes)
    return changes


def _kept(content: bytes) -> str:
    """The digest of the logo as it is kept."""
    png = redrawn(content)
    digest = hashlib.sha256(png).hexdigest()
    Logo.objects.get_or_create(digest=digest, defaults={"png": png})
    return digest
