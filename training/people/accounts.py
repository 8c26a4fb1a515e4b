"""Adding people, and granting and withdrawing roles. Every write records who did it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import translation
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _

from training.house.selectors import first_language
from training.people import hooks, limits, proxies, sign_in_checks, sign_on, vouching
from training.people.models import STAFF_ROLES, Role, RoleGrant, User
from training.platform.errors import Refused

STEP_ONE = "step_one"  # session key between the password and the code of the second factor


class HouseAccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # the library has no types
    """Customises signing in. `limits` counts wrong passwords, not the library."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": _("The e-mail address or the password is not right."),
        "rate_limited": _("Too many requests in a row. Wait a little, then try again."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def add_message(self, request: HttpRequest, *about: Any, **more: Any) -> None:
        """Write the sign-out message in the language of the next page, which is that of the browser or its cookie."""
        language = translation.get_language()
        if "account/messages/logged_out.txt" in about:
            language = translation.get_language_from_request(request)
        with translation.override(language):
            super().add_message(request, *about, **more)

    def get_client_ip(self, request: HttpRequest) -> str:
        """Use the proxy's own address where the library raises because there are fewer addresses than proxies."""
        if len(proxies.forwarded(request)) < settings.TRUSTED_PROXIES:
            return str(request.META.get("REMOTE_ADDR", ""))
        return str(super().get_client_ip(request))

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        proxies.look(request)
        with sign_in_checks.telling(request):
            limits.verify(_try(request, **credentials))

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        user: User | None = super().authenticate(request, **credentials)
        if user is None:
            return None
        if not sign_on.may_use_password(user):
            self.authentication_failed(request, **credentials)
            return None
        limits.succeeded(_try(request, **credentials))
        return user

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        limits.failed(_try(request, **credentials))

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        """Called by the library after a password reset by mail."""
        limits.succeeded(_try(request, **credentials))

    def pre_login(self, request: HttpRequest, user: User, **about: Any) -> HttpResponse | None:
        """Between the password and the second factor: remember whose password was right."""
        request.session[STEP_ONE] = user.get_session_auth_hash()
        if not getattr(request, "from_directory", False):
            sign_on.forget(request)
        answer: HttpResponse | None = super().pre_login(request, user, **about)
        return answer

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign in, unless the account was closed or its password changed since the first step."""
        given = request.session.pop(STEP_ONE, "")
        if not user.is_active or not constant_time_compare(given, user.get_session_auth_hash()):
            raise ImmediateHttpResponse(redirect("account_login"))
        if sign_on.proof_of(request, user) is None and not sign_on.may_use_password(user):
            raise ImmediateHttpResponse(redirect("account_login"))
        super().login(request, user)
        if sign_on.proof_of(request, user) is None and sign_on.is_break_glass(user):
            hooks.break_glass_used(user)

    def get_login_stages(self) -> list[str]:
        """With our own second step, which accepts the one of the directory."""
        stages: list[str] = super().get_login_stages()
        ours = "training.people.second_factor_stage.AuthenticateUnlessDone"
        return [ours if stage == "allauth.mfa.stages.AuthenticateStage" else stage for stage in stages]

    def get_reauthentication_methods(self, user: User) -> list[dict[str, Any]]:
        return sign_on.confirmation_ways(super().get_reauthentication_methods(user), user)

    def set_password(self, user: User, password: str) -> None:
        """Store a new password, unless another request closed the account or set one a moment ago."""
        with transaction.atomic():
            current = User.objects.select_for_update(no_key=True).get(pk=user.pk)
            if not current.is_active or current.get_session_auth_hash() != user.get_session_auth_hash():
                raise Refused(_("The account has changed in the meantime. Ask for a new link, or sign in again."))
            user.set_password(password)
            user.save(update_fields=["password"])


def _try(request: HttpRequest, **credentials: Any) -> limits.Try:
    return sign_in_checks.try_of(request, str(credentials.get("email", "")))


class AddressTaken(Refused):
    """The address was added at the same moment, e.g. by pressing a button twice."""

    field = "email"

    def __init__(self) -> None:
        super().__init__(_("Somebody else has this address."))


@transaction.atomic
def enter_person(
    *,
    email: str,
    name: str,
    roles: Iterable[Role],
    password: str | None = None,
    granted_by: User | None = None,
    is_demo: bool = False,
) -> User:
    """Add a person with their roles. The house vouches for the address, so it counts as verified."""
    try:
        with transaction.atomic():
            user = User.objects.create_user(email, password, name=name, language=first_language(), is_demo=is_demo)
    except IntegrityError:
        raise AddressTaken from None
    vouching.note(user, vouching.Kind.ENTERED, by=granted_by)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    for role in roles:
        grant_role(user, role, granted_by=granted_by)
    return user


@dataclass(frozen=True)
class NewPerson:
    email: str
    name: str


@transaction.atomic
def enter_people(listed: Sequence[NewPerson], *, role: Role, granted_by: User) -> list[User]:
    """Add many people with one role, in a constant number of queries. They set their passwords by mail."""
    language = first_language()
    users = [User.objects.unsaved(one.email, name=one.name, language=language) for one in listed]
    for user in users:
        user.clean_fields()
    try:
        with transaction.atomic():
            User.objects.bulk_create(users)
    except IntegrityError:
        raise AddressTaken from None
    EmailAddress.objects.bulk_create(
        EmailAddress(user=user, email=user.email, primary=True, verified=True) for user in users
    )
    RoleGrant.objects.bulk_create(RoleGrant(user=user, role=role, granted_by=granted_by) for user in users)
    vouching.note_all(users, vouching.Kind.ENTERED, by=granted_by)
    return users


@transaction.atomic
def grant_role(user: User, role: Role, *, granted_by: User | None, from_directory: bool = False) -> RoleGrant:
    """Grant a role. Raises Refused if an auditor would have another one.

    A group of the directory does not vouch for the owner of the account: nobody looked at who that is.
    """
    others = set(user.role_grants.exclude(role=role).values_list("role", flat=True))
    if others and (role == Role.AUDITOR or Role.AUDITOR in others):
        message = _("An auditor cannot have another role, because auditors check what the others do. Remove one first.")
        raise Refused(message)
    values = {"granted_by": granted_by, "from_directory": from_directory}
    grant, made = RoleGrant.objects.get_or_create(user=user, role=role, defaults=values)
    if made and role in STAFF_ROLES and not from_directory:
        vouching.note(user, vouching.Kind.ROLE, by=granted_by)
    user.forget_roles()
    return grant


def withdraw_role(user: User, role: Role) -> None:
    RoleGrant.objects.filter(user=user, role=role).delete()
    user.forget_roles()
