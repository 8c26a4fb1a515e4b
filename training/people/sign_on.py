"""Sign-on with the house's directory (OpenID Connect): whether it is on, and who may still use a local password.

`exams.sign_on` talks to the provider. Without settings everything here behaves as if it did not exist.
"""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from allauth.account.internal.flows import reauthentication
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from training.people import hooks
from training.people.models import AccountAct, LocalPasswords, User

SESSION = "sign_on"  # the key of a session that began at the directory
RECENT = 300  # seconds for which a person counts as confirmed after signing in at the directory again


@dataclass(frozen=True)
class Proof:
    """How a session began: when, and whether the provider asserted a second factor."""

    person: int
    at: float
    second_factor: bool
    until_exam_ends: bool = False
    provider: str = ""


def is_on() -> bool:
    return bool(settings.SIGN_ON_ISSUER)


def provider_key() -> str:
    """What subjects are stored under: a subject is unique only within its issuer."""
    return f"directory-{hashlib.sha256(settings.SIGN_ON_ISSUER.encode()).hexdigest()[:32]}"


def binding_of(person: User) -> SocialAccount | None:
    """The person's subject at the present provider."""
    if not is_on():
        return None
    found: SocialAccount | None = SocialAccount.objects.filter(provider=provider_key(), user_id=person.pk).first()
    return found


def disconnect_unvouched(person: User) -> bool:
    """Forget every subject that was connected from the account itself. Returns whether there was one.

    Whoever controlled the account may have connected it to their own subject. A subject that an administrator
    connected stays: that act is on the account, and whoever confirms the account confirms it too.
    """
    last = person.acts_on_account.filter(kind=AccountAct.Kind.DIRECTORY).order_by("-at").first()
    found = SocialAccount.objects.filter(user_id=person.pk)
    if last is not None:
        found = found.filter(date_joined__gt=last.at)
    return bool(found.delete()[0])


# ---- local passwords


def _rule() -> LocalPasswords | None:
    return LocalPasswords.objects.filter(off=True).first() if is_on() else None


def passwords_off() -> bool:
    """Whether only the break-glass administrator may use a password."""
    return _rule() is not None


def may_use_password(person: User) -> bool:
    """Whether local passwords are on for this person, whom the directory has not turned away since."""
    if not is_on():
        return True
    rule = _rule()
    if rule is not None:
        return rule.break_glass_id == person.pk
    found = list(SocialAccount.objects.filter(user_id=person.pk))
    present = [one for one in found if one.provider == provider_key()]
    # Without a subject at the present provider, the word of the former one still counts.
    return not any(one.extra_data.get("refused") for one in present or found)


def mark_refused(person: User) -> None:
    """The directory turns this person away. It lasts until it lets them in again."""
    if binding := binding_of(person):
        SocialAccount.objects.filter(pk=binding.pk).update(extra_data={"refused": True})


def is_break_glass(person: User) -> bool:
    """Whether the person signs in with the one password that is left."""
    rule = _rule()
    return rule is not None and rule.break_glass_id == person.pk


# ---- sessions


def remember(request: HttpRequest, proof: Proof) -> None:
    request.session[SESSION] = [proof.person, proof.at, proof.second_factor, proof.until_exam_ends, provider_key()]


def forget(request: HttpRequest) -> None:
    request.session.pop(SESSION, None)


def proof_of(request: HttpRequest, person: User) -> Proof | None:
    """How this person proved at the directory who they are, in this session."""
    stored = request.session.get(SESSION)
    if not isinstance(stored, list) or len(stored) != 5 or stored[0] != person.pk:
        return None
    return Proof(*stored)


class SessionsFollowTheDirectory:
    """Ends sessions that are no longer allowed, except during an exam, and notes the provider's second factor.

    A session of the directory ends after `SESSION_COOKIE_AGE` however busy it is, so nobody who left stays signed in by
    never signing in again.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
            self._follow(request, request.user)
        return self.get_response(request)

    @staticmethod
    def _follow(request: HttpRequest, person: User) -> None:
        if is_on() or SESSION in request.session:
            proof = proof_of(request, person)
            if _is_over(person, proof) and not hooks.open_exam(person):
                logout(request)
            elif proof is not None:
                person.directory_second_factor = proof.second_factor  # type: ignore[attr-defined]

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        """Whoever may not use a local password has none to change."""
        match = request.resolver_match
        if match and match.view_name == "account_change_password" and is_on() and request.user.is_authenticated:
            has_one = request.user.has_usable_password() and may_use_password(request.user)
            return None if has_one else redirect("own_sign_on")
        return None


def _is_over(person: User, proof: Proof | None) -> bool:
    if not is_on():
        return proof is not None
    if proof is None:
        return not may_use_password(person)
    if proof.provider != provider_key():
        return True  # the house has another directory now
    return proof.until_exam_ends or time.time() - proof.at > settings.SESSION_COOKIE_AGE


# ---- API tokens


def tokens_rest(owner: User) -> bool:
    """Whether the owner's tokens do not work, because the directory has not let them in for a while.

    Notes on the owner whether the provider asserted a second factor then.
    """
    if not is_on():
        return False
    binding = binding_of(owner)
    if binding is None:
        return not may_use_password(owner)
    owner.directory_second_factor = bool(binding.extra_data.get("second_factor"))  # type: ignore[attr-defined]
    if binding.extra_data.get("refused"):
        return True
    if "second_factor" not in binding.extra_data and not may_use_password(owner):
        return True  # connected, but not let in yet
    return bool(timezone.now() - binding.last_login > timedelta(days=settings.SIGN_ON_TOKEN_DAYS))


# ---- confirming that it is you


def confirmation_ways(offered: list[dict[str, Any]], person: User) -> list[dict[str, Any]]:
    """The ways in which a person can confirm who they are, never none: the library takes none for confirmed."""
    if not is_on() or not person.is_authenticated:
        return offered
    if not may_use_password(person):
        offered = [way for way in offered if way["id"] != "reauthenticate"]
    directory = {"id": "directory", "url": reverse("sign_on_again"), "description": "directory"}
    others = [way for way in offered if way["id"] != "directory"]
    return [directory, *others] if not others or binding_of(person) is not None else others


def never_without_confirmation() -> None:
    """Make the library ask people without a local password too; by itself it takes them for confirmed."""
    library = reauthentication.get_reauthentication_flows
    reauthentication.get_reauthentication_flows = lambda user: confirmation_ways(library(user), user)
