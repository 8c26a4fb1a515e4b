"""Changing the house's settings, with an audit entry of old and new values."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from exams.audit.letters import tell_administrators
from exams.audit.services import record
from exams.house_office.logo import redrawn
from training.house.models import ONLY, House, Logo
from training.house.selectors import current, first_language, languages, second_factor_demanded
from training.people.models import Role, User
from training.people.second_factor import asserted, is_set_up
from training.platform.errors import Refused, Unfit

MAX_SIGNATORIES = 3
LONGEST_KEPT = 3650  # days, unless the installation sets it
MOST_STORED = 32_767  # the column's maximum


@dataclass(frozen=True)
class Signatory:
    """Who signs, and with which title, by language."""

    name: str
    titles: dict[str, str]


@dataclass(frozen=True)
class Policy:
    """The house's policy about people, within what the installation allows."""

    languages: Sequence[str]
    second_factor: bool
    practice_kept_days: int | None


class UnfitLanguages(Unfit):
    field = "languages"


class UnfitSecondFactor(Unfit):
    field = "second_factor"


class UnfitDays(Unfit):
    field = "practice_kept_days"


def longest_kept() -> int:
    """How many days a house may keep the practice of people who left."""
    return LONGEST_KEPT if settings.PRACTICE_KEPT_DAYS is None else min(settings.PRACTICE_KEPT_DAYS, MOST_STORED)


def verify_policy(policy: Policy, by: User) -> None:
    if not policy.languages or not set(policy.languages) <= set(dict(settings.LANGUAGES)):
        raise UnfitLanguages(_("Choose at least one of the languages that Sabot has here."))
    verify_days(policy.practice_kept_days)
    verify_second_factor(policy.second_factor, by)


def verify_days(days: int | None) -> None:
    longest = longest_kept()
    if days is not None and not 1 <= days <= longest:
        raise UnfitDays(_("From 1 to %(longest)d days, or leave it empty.") % {"longest": longest})


def verify_second_factor(demanded: bool, by: User) -> None:
    if demanded and not second_factor_demanded() and not is_set_up(by) and not asserted(by):
        # Otherwise they would lock themselves out.
        raise UnfitSecondFactor(_("Set up your own two-step verification first."))


def touches_security(*, signatories: Sequence[Signatory], policy: Policy, **_others: Any) -> bool:
    """Whether the change affects security, so the user must authenticate again."""
    house, wanted = current(), {"signatories": _listed(signatories)} | _decided(policy)
    guarded = ("signatories", "second_factor", "practice_kept_days")
    return any(getattr(house, field) != wanted[field] for field in guarded)


def verify_change(by: User) -> None:
    if not User.objects.filter(pk=by.pk, is_active=True, role_grants__role=Role.ADMINISTRATOR).exists():
        raise Refused(_("Only administrators can change the settings of the house."))


@transaction.atomic
def change(
    *,
    by: User,
    name: str,
    legal_name: str,
    signatories: Sequence[Signatory],
    logo: bytes | None = None,
    without_logo: bool = False,
    policy: Policy | None = None,
) -> dict[str, list[Any]]:
    """Change the house's settings; returns the changes. Without a `logo` the former one stays unless `without_logo`;
    without a `policy` that stays too. Granted certificates keep what was printed on them."""
    verify_change(by)
    if policy:
        verify_policy(policy, by)
    House.objects.get_or_create(pk=ONLY, defaults={"name": current().name})
    house = House.objects.select_for_update(no_key=True).get(pk=ONLY)
    wanted = {
        "name": name,
        "legal_name": legal_name,
        "signatories": _listed(signatories),
        "logo_id": None if without_logo else _kept(logo) if logo else house.logo_id,
        **(_decided(policy) if policy else {}),
    }
    changes = {field: [getattr(house, field), value] for field, value in wanted.items()}
    changes = {field: pair for field, pair in changes.items() if pair[0] != pair[1]}
    if changes:
        House.objects.filter(pk=ONLY).update(**{field: after for field, (_before, after) in changes.items()})
    if "languages" in changes:
        # Nobody keeps a language the house no longer offers.
        User.objects.exclude(language__in=dict(languages())).update(language=first_language())
    if changes:
        entry = record(by, "house.changed", f"house:{ONLY}", changes=changes)
        if _weakens(changes):
            tell_administrators(entry, _("The settings of the house were changed"))
    return changes


def _weakens(changes: dict[str, list[Any]]) -> bool:
    """Whether security gets weaker, data is deleted sooner, or somebody else signs certificates."""
    before, after = changes.get("practice_kept_days", (None, None))
    sooner = after is not None and (before is None or after < before)
    return sooner or "signatories" in changes or changes.get("second_factor") == [True, False]


def _listed(signatories: Sequence[Signatory]) -> list[dict[str, Any]]:
    """As stored."""
    return [{"name": one.name, "titles": one.titles} for one in signatories]


def _decided(policy: Policy) -> dict[str, Any]:
    """As stored: choosing all languages is stored as none, so that a language added later is included."""
    chosen = [code for code, _name in settings.LANGUAGES if code in policy.languages]
    every = len(chosen) == len(settings.LANGUAGES)
    return {
        "languages": [] if every else chosen,
        "second_factor": policy.second_factor,
        "practice_kept_days": policy.practice_kept_days,
    }


def _kept(content: bytes) -> str:
    """Stores the logo and returns its digest."""
    png = redrawn(content)
    digest = hashlib.sha256(png).hexdigest()
    Logo.objects.get_or_create(digest=digest, defaults={"png": png})
    return digest
