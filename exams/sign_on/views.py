"""Signing in with the directory, confirming with it that it is you, and connecting one's own account."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.login import record_authentication
from allauth.account.internal.flows.reauthentication import resume_request
from allauth.account.utils import get_next_redirect_url, perform_login
from allauth.core import ratelimit
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exams.sign_on import admission, handshake, subjects
from exams.sign_on.handshake import AGAIN, CONNECT, SIGN_IN, Answer, Refusal
from exams.sign_on.provider_documents import Unreadable
from training.people import sign_on
from training.people.access import public, setting_up
from training.people.models import User
from training.people.request import person
from training.platform.errors import Refused

View = Callable[..., HttpResponse]
STATUS = {"not_begun": 400, "cancelled": 403, "failed": 403, "away": 503, "unknown": 403, "stale": 403, "other": 403}


def while_on(view: View) -> View:
    """Without a provider in the settings there is no such page."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not sign_on.is_on():
            raise Http404
        return view(request, *args, **kwargs)

    return checked


@public
@never_cache
@require_POST
@while_on
def begin(request: HttpRequest) -> HttpResponse:
    """Leave for the provider to sign in."""
    if request.user.is_authenticated:
        return redirect("home")
    too_many: HttpResponse | None = ratelimit.consume_or_429(request, action="sign_on_begin")
    if too_many:
        return too_many
    return _leave(request, SIGN_IN)


@setting_up
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@while_on
def again(request: HttpRequest) -> HttpResponse:
    """Confirm that it is you by signing in at the provider again."""
    if sign_on.binding_of(person(request)) is None:
        return refused(request, "not_connected", 403)
    if request.method == "POST":
        return _leave(request, AGAIN)
    next_url = get_next_redirect_url(request) or ""
    others = [way for way in get_adapter().get_reauthentication_methods(person(request)) if way["id"] != "directory"]
    query = f"?{urlencode({'next': next_url})}" if next_url else ""
    context = {
        "next": next_url,
        "reauthentication_alternatives": [way | {"url": f"{way['url']}{query}"} for way in others],
    }
    return render(request, "sign_on/again.html", context)


@setting_up
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@while_on
def own(request: HttpRequest) -> HttpResponse:
    """Whether one's own account is connected; a POST connects it, after confirming who it is."""
    binding = sign_on.binding_of(person(request))
    if request.method == "POST" and binding is None:
        answer: HttpResponse = reauthentication_required(_connect)(request)
        return answer
    context = {"binding": binding, "name": settings.SIGN_ON_NAME}
    return render(request, "sign_on/own.html", context, status=409 if request.method == "POST" else 200)


def _connect(request: HttpRequest) -> HttpResponse:
    return _leave(request, CONNECT)


def _leave(request: HttpRequest, purpose: str) -> HttpResponse:
    """A page that goes on by itself: a form may not be redirected to another site (`form-action`)."""
    try:
        address = handshake.begin(request, purpose)
    except Unreadable:
        return refused(request, "away", STATUS["away"])
    return render(request, "sign_on/leaving.html", {"address": address, "name": settings.SIGN_ON_NAME})


@public
@never_cache
@require_safe
@while_on
def callback(request: HttpRequest) -> HttpResponse:
    """The browser is back from the provider."""
    if request.method == "HEAD":
        return HttpResponse()  # a state works once
    too_many: HttpResponse | None = ratelimit.consume_or_429(request, action="sign_on_callback")
    if too_many:
        return too_many
    try:
        answer = handshake.finish(request)
        act = {SIGN_IN: _sign_in, AGAIN: _confirmed, CONNECT: _connected}[answer.begun.purpose]
        return act(request, answer)
    except Refusal as refusal:
        return refused(request, refusal.kind, STATUS[refusal.kind])


def refused(request: HttpRequest, kind: str, status: int, reason: str = "") -> HttpResponse:
    """A page that says why not, and what to do."""
    context = {"kind": kind, "reason": reason, "name": settings.SIGN_ON_NAME}
    return render(request, "sign_on/refused.html", context, status=status)


# ---- what the answer is for


def _sign_in(request: HttpRequest, answer: Answer) -> HttpResponse:
    if handshake.asks_again(SIGN_IN) and not answer.fresh:
        raise Refusal("stale")
    who = subjects.owner_of(answer.subject) or subjects.connect_by_number(answer.staff_number, answer.subject)
    if who is None or not who.is_active:
        raise Refusal("unknown")
    decided = admission.decide(who, answer.groups)
    if decided.refusal:
        return refused(request, "no_access", 403, decided.refusal)
    who = User.objects.get(pk=who.pk)
    _note(request, who, answer, until_exam_ends=decided.until_exam_ends)
    request.from_directory = True  # type: ignore[attr-defined]  # for `people.accounts`
    record_authentication(request, who, "socialaccount", provider=sign_on.provider_key())
    response: HttpResponse = perform_login(request, who, redirect_url=answer.begun.next or None)
    return response


def _confirmed(request: HttpRequest, answer: Answer) -> HttpResponse:
    """Go on with what needed confirmation, if the same person signed in at the provider just now."""
    who = person(request)
    if subjects.owner_of(answer.subject) != who:
        raise Refusal("other")
    if not answer.fresh:
        raise Refusal("stale")
    decided = admission.decide(who, answer.groups)
    if decided.refusal:
        logout(request)
        return refused(request, "no_access", 403, decided.refusal)
    if decided.changed or decided.until_exam_ends:
        return redirect("home")  # the request was made with other roles, or before the exam that closes everything else
    # Somebody who signed in with a password stays so; their session must not outlive it.
    if (proof := sign_on.proof_of(request, who)) is not None:
        _note(request, who, answer, until_exam_ends=decided.until_exam_ends or proof.until_exam_ends)
    record_authentication(request, who, "socialaccount", provider=sign_on.provider_key(), reauthenticated=True)
    told = QueryDict(mutable=True)
    told["next"] = answer.begun.next
    request.GET = told  # type: ignore[assignment]  # where `resume_request` looks for it
    response: HttpResponse | None = resume_request(request)
    return response or redirect("home")


def _connected(request: HttpRequest, answer: Answer) -> HttpResponse:
    if not answer.fresh:
        raise Refusal("stale")
    try:
        subjects.connect_own(person(request), answer.subject)
    except Refused as refusal:
        return refused(request, "no_access", refusal.status, str(refusal))
    messages.success(request, _("Your account is connected. From now on you can sign in with the directory."))
    return redirect("own_sign_on")


def _note(request: HttpRequest, who: User, answer: Answer, *, until_exam_ends: bool) -> None:
    """Remember in the session, and on the subject for the tokens, that the directory let this person in."""
    if not until_exam_ends:  # then nobody looked at the groups: the tokens and a refusal stay as they are
        binding = SocialAccount.objects.filter(provider=sign_on.provider_key(), uid=answer.subject, user=who)
        told = {"second_factor": answer.second_factor}  # without `refused`
        if not binding.update(extra_data=told, last_login=timezone.now()):
            raise Refusal("unknown")  # disconnected a moment ago
    sign_on.remember(request, sign_on.Proof(who.pk, time.time(), answer.second_factor, until_exam_ends))
