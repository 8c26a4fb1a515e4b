"""Limits on the pages that take a password or a code: which device it is, and how long it must wait."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import ChangePasswordForm
from allauth.account.signals import password_changed, user_logged_in
from allauth.core import context
from django.core.exceptions import ValidationError
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

from training.people import devices, limits, sign_in_queue
from training.people.models import User
from training.people.sign_in_forms import OurWording

TOO_MANY = 429


def try_of(request: HttpRequest, account: str) -> limits.Try:
    """The attempt to type the password of an account in this request."""
    return limits.Try(account, get_adapter().get_client_ip(request), _device_for(request, account))


def code_try_of(request: HttpRequest, user: User) -> limits.CodeTry:
    """The attempt to type a code of this person's second factor in this request."""
    return limits.CodeTry(user.pk, _device_for(request, user.email))


def _device_for(request: HttpRequest, account: str) -> str:
    """The proof that the device has signed in to the account before; empty if there is none."""
    account = account.strip().lower()
    if request.user.is_authenticated and request.user.email.lower() == account:
        return f"signed in:{request.session.session_key}"
    if devices.COOKIE not in request.COOKIES:
        return ""
    return devices.known_to(request, User.objects.filter(email__iexact=account).first())


@contextmanager
def telling(request: HttpRequest) -> Iterator[None]:
    """Note on the request how long to wait if the limit is reached, for the Retry-After header."""
    try:
        yield
    except limits.TooMany as refusal:
        request.seconds_to_wait = refusal.seconds  # type: ignore[attr-defined]
        raise


class ChangeForm(OurWording, ChangePasswordForm):  # type: ignore[misc]  # the library has no types
    """“Change password”, with the same limit on guessing the current password as at the sign-in."""

    def clean_oldpassword(self) -> str:
        request = context.request
        tried = try_of(request, self.user.email)
        with telling(request):
            limits.verify(tried)
        try:
            given: str = super().clean_oldpassword()
        except ValidationError:
            limits.failed(tried)
            raise
        limits.succeeded(tried)
        return given


@receiver([user_logged_in, password_changed], dispatch_uid="remember the device")
def _signed_in_here(request: HttpRequest, user: User, **_: Any) -> None:
    request.signed_in_here = user  # type: ignore[attr-defined]


class AtTheDoor:
    """Remembers the device after signing in, and answers 429 with Retry-After when a limit is reached.

    Answers with the page “One moment” while too many people sign in at once.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if user := getattr(request, "signed_in_here", None):
            devices.remember(request, response, user)
        if seconds := getattr(request, "seconds_to_wait", 0):
            response.status_code = TOO_MANY
            response.headers["Retry-After"] = str(seconds)
        return response

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        named = request.resolver_match.view_name if request.resolver_match else ""
        return sign_in_queue.one_moment(request) if sign_in_queue.is_refused_by_proxy(request, named) else None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return sign_in_queue.one_moment(request) if isinstance(exception, sign_in_queue.NoTurn) else None
