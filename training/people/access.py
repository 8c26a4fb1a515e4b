"""Who may see which page.

Every view declares it with `@public`, `@signed_in` or `@allow(...)`; the middleware refuses a view without a
declaration. While a person's exam is open, they see only public pages and those with `in_exam`, whatever their roles:
other pages could reveal how its cases are ruled on.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import ResolverMatch
from django.utils.translation import gettext_lazy as _
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from training.people import hooks, second_factor
from training.people.models import Role, User
from training.platform.errors import Refused

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True)
class Access:
    """Who may see a page: anybody; any signed-in person, if `roles` is None; or people with one of the roles. `readers`
    may only read it: the view gets no form that they send.

    `in_exam` keeps it open during an exam; `without_second_factor`, while a required second factor is not set up.
    """

    anybody: bool = False
    roles: frozenset[str] | None = None
    readers: frozenset[str] = frozenset()
    in_exam: bool = False
    without_second_factor: bool = False


PUBLIC = Access(anybody=True)
SIGNED_IN = Access()
# The pages for setting up a second factor.
SETTING_UP = Access(without_second_factor=True)
CLOSED = Access(roles=frozenset())

# allauth's views cannot carry our declaration, so they are declared here by the name of their route.
LIBRARY_ROUTES: dict[str, Access] = {
    "account_login": PUBLIC,
    "account_logout": PUBLIC,
    "account_inactive": PUBLIC,
    "account_reset_password": PUBLIC,
    "account_reset_password_done": PUBLIC,
    "account_reset_password_from_key": PUBLIC,
    "account_reset_password_from_key_done": PUBLIC,
    "mfa_authenticate": PUBLIC,  # the second step of signing in
    "account_change_password": SETTING_UP,
    "account_reauthenticate": SETTING_UP,
    "mfa_index": SETTING_UP,
    "mfa_reauthenticate": SETTING_UP,
    "mfa_activate_totp": SETTING_UP,
    "mfa_deactivate_totp": SIGNED_IN,
    "mfa_view_recovery_codes": SIGNED_IN,
    "mfa_generate_recovery_codes": SIGNED_IN,
    "mfa_download_recovery_codes": SIGNED_IN,
    # The house adds people and their addresses: nobody signs up or changes where the reset mail goes.
    "account_signup": CLOSED,
    "account_email": CLOSED,
    "account_confirm_email": CLOSED,
    "account_email_verification_sent": CLOSED,
    "account_set_password": CLOSED,
    "account_confirm_login_code": CLOSED,
}


def public(view: View) -> View:
    """Anybody may see the page, signed in or not."""
    return _declare(view, PUBLIC)


def signed_in(view: View) -> View:
    """Any signed-in person may see the page, whatever their roles."""
    return _declare(view, SIGNED_IN)


def setting_up(view: View) -> View:
    """Any signed-in person may see the page, even while a required second factor is not set up."""
    return _declare(view, SETTING_UP)


def allow(*roles: Role, in_exam: bool = False, readers: Collection[Role] = ()) -> Callable[[View], View]:
    """People with one of these roles may see the page; with `in_exam`, even during their exam. `readers` only
    read it."""
    if not roles:
        raise ValueError("allow() needs at least one role; use @signed_in for every signed-in person")
    return lambda view: _declare(view, Access(roles=frozenset(roles), in_exam=in_exam, readers=frozenset(readers)))


def _declare(view: View, access: Access) -> View:
    view.access = access  # type: ignore[attr-defined]
    return view


def declared(match: ResolverMatch) -> Access | None:
    """The declaration of the view behind a route, on the function or on its class; None if there is none."""
    view = match.func
    maker = getattr(view, "view_class", None) or getattr(view, "cls", None)
    access: Access | None = getattr(view, "access", None) or getattr(maker, "access", None)
    return access or LIBRARY_ROUTES.get(match.view_name)


def permits(access: Access, user: User | AnonymousUser, method: str | None) -> bool:
    if access.anybody or not user.is_authenticated:
        return access.anybody
    if method in ("GET", "HEAD") and not access.readers.isdisjoint(user.roles):
        return True
    return access.roles is None or not access.roles.isdisjoint(user.roles)


# ---- while an exam is open


class InExam(Refused):
    """Closed to this person while their exam is open; `address` leads back to it."""

    status = 403
    code = "in_exam"

    def __init__(self, address: str) -> None:
        super().__init__(_("You have an exam open. Until you hand it in or its time is up, everything else is closed."))
        self.address = address


def verify_no_exam(access: Access, user: User | AnonymousUser) -> None:
    """Raise InExam if a page with this access is closed to the person because of an open exam."""
    if access.anybody or access.in_exam or not user.is_authenticated:
        return
    if address := hooks.open_exam(user):
        raise InExam(address)


# ---- required second factor


class NoSecondFactor(Refused):
    """Closed to this person until they set up the second factor that the house requires."""

    status = 403
    code = "second_factor_missing"

    def __init__(self) -> None:
        super().__init__(
            _("The house requires two-step verification. Set it up first; until then everything else is closed.")
        )


def verify_second_factor(access: Access, user: User | AnonymousUser) -> None:
    """Raise NoSecondFactor if one is required and missing. An open exam is not interrupted."""
    if access.anybody or access.in_exam or access.without_second_factor or not user.is_authenticated:
        return
    if second_factor.is_missing(user):
        raise NoSecondFactor


# ---- the middleware


class DenyUnlessAllowed:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        came_in = request.user.is_authenticated
        response = self.get_response(request)
        if came_in and not request.user.is_authenticated:
            # Training rooms share computers: the Back button must not show these pages to the next person.
            response.headers["Clear-Site-Data"] = '"cache"'
        return response

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponseBase | None:
        assert request.resolver_match is not None  # noqa: S101 (Django resolves before it asks)
        access = declared(request.resolver_match)
        if access is None:
            raise PermissionDenied("this view does not declare who may see it")
        if access == CLOSED:
            raise Http404
        if _enforces(request.resolver_match):
            return None
        if permits(access, request.user, request.method):
            return _unless_in_exam(request, access) or _unless_second_factor_missing(request, access)
        if not request.user.is_authenticated:
            return ask_to_sign_in(request)
        raise PermissionDenied


def _enforces(match: ResolverMatch) -> bool:
    """Whether the view checks access itself: API views do, because only they read the token."""
    return getattr(getattr(match.func, "cls", None), "enforces_access", False)


def _page_of(htmx: HtmxDetails) -> str | None:
    """The page that a fragment is for; None if the browser sent no valid address."""
    try:
        return htmx.current_url_abs_path
    except ValueError:
        return None


def _unless_in_exam(request: HttpRequest, access: Access) -> HttpResponseBase | None:
    try:
        verify_no_exam(access, request.user)
    except InExam as refusal:
        htmx = getattr(request, "htmx", None)
        if htmx:
            # The page around the fragment is closed as well, and says why.
            return HttpResponseClientRedirect(_page_of(htmx) or refusal.address)
        told: dict[str, Any] = {"reason": refusal.reason, "address": refusal.address, "menu": []}
        return render(request, "in_exam.html", told, status=refusal.status)
    return None


def _unless_second_factor_missing(request: HttpRequest, access: Access) -> HttpResponseBase | None:
    try:
        verify_second_factor(access, request.user)
    except NoSecondFactor as refusal:
        htmx = getattr(request, "htmx", None)
        if htmx:
            return HttpResponseClientRedirect(_page_of(htmx) or "/")
        told: dict[str, Any] = {"reason": refusal.reason, "menu": []}
        return render(request, "second_factor_missing.html", told, status=refusal.status)
    return None


def ask_to_sign_in(request: HttpRequest) -> HttpResponseBase:
    htmx = getattr(request, "htmx", None)
    if htmx:
        # A plain redirect would put the sign-in page into the fragment. Leave the page instead, and come back to it
        # and not to the fragment.
        return HttpResponseClientRedirect(redirect_to_login(_page_of(htmx) or "/").url)
    # A POST cannot be repeated after signing in.
    back = request.get_full_path() if request.method in ("GET", "HEAD") else "/"
    return redirect_to_login(back)
