"""Pages for administrators: groups and roles, local passwords, and whose subject is whose."""

from collections.abc import Callable
from typing import Any

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exams.sign_on import groups, local_passwords, subjects
from exams.sign_on.forms import GroupForm, PasswordsOffForm, SubjectForm
from exams.sign_on.models import GroupRole
from exams.sign_on.views import while_on
from training.people import sign_on
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import person
from training.platform.errors import Refused


@allow(Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_safe
@while_on
def office(request: HttpRequest) -> HttpResponse:
    return _page(request)


def _page(request: HttpRequest, status: int = 200, **forms: Any) -> HttpResponse:
    rule = local_passwords.current()
    context = {
        "mappings": GroupRole.objects.select_related("made_by"),
        "group_form": GroupForm(),
        "passwords_form": PasswordsOffForm(),
        "rule": rule,
        "unfit": local_passwords.why_unfit(rule.break_glass) if rule.off and rule.break_glass else "",
        "uses": local_passwords.uses(),
        "issuer": settings.SIGN_ON_ISSUER,
        "name": settings.SIGN_ON_NAME,
        "callback": request.build_absolute_uri(reverse("sign_on_callback")),
        "may_act": Role.ADMINISTRATOR in person(request).roles,
    }
    return render(request, "sign_on/office.html", context | forms, status=status)


def _confirmed(act: Callable[..., HttpResponse], request: HttpRequest, *args: Any) -> HttpResponse:
    """Perform the act after the user has confirmed who they are; what was posted is kept meanwhile."""
    answer: HttpResponse = reauthentication_required(act)(request, *args)
    return answer


@allow(Role.ADMINISTRATOR)
@require_POST
@while_on
def add_group(request: HttpRequest) -> HttpResponse:
    form = GroupForm(request.POST)
    if not form.is_valid():
        return _page(request, 422, group_form=form)
    return _confirmed(_add_group, request, form)


def _add_group(request: HttpRequest, form: GroupForm) -> HttpResponse:
    try:
        groups.add(**form.cleaned_data, by=person(request))
    except Refused as refusal:
        form.add_error(refusal.field or None, str(refusal))
        return _page(request, refusal.status, group_form=form)
    messages.success(request, _("The group has been added. It counts from the next sign-in of its members."))
    return redirect("sign_on_office")


@allow(Role.ADMINISTRATOR)
@require_POST
@while_on
def remove_group(request: HttpRequest, mapping_id: int) -> HttpResponse:
    return _confirmed(_remove_group, request, get_object_or_404(GroupRole, pk=mapping_id))


def _remove_group(request: HttpRequest, mapping: GroupRole) -> HttpResponse:
    done = _("The group has been removed. Its members lose the role at their next sign-in.")
    return _said(request, lambda: groups.remove(mapping, by=person(request)), done, redirect("sign_on_office"))


@allow(Role.ADMINISTRATOR)
@require_POST
@while_on
def change_passwords(request: HttpRequest) -> HttpResponse:
    """Turn local passwords off, or with the button of that name on again."""
    if "on" in request.POST:
        return _confirmed(_passwords_on, request)
    form = PasswordsOffForm(request.POST)
    if not form.is_valid():
        return _page(request, 422, passwords_form=form)
    return _confirmed(_passwords_off, request, form)


def _passwords_off(request: HttpRequest, form: PasswordsOffForm) -> HttpResponse:
    by, chosen = person(request), form.cleaned_data["break_glass"]
    try:
        local_passwords.turn_off(by=by, break_glass=chosen, at_directory=sign_on.proof_of(request, by) is not None)
    except Refused as refusal:
        form.add_error(refusal.field or None, str(refusal))
        return _page(request, refusal.status, passwords_form=form)
    messages.success(request, _("Local passwords are off. Only %(name)s keeps one.") % {"name": chosen.name})
    return redirect("sign_on_office")


def _passwords_on(request: HttpRequest) -> HttpResponse:
    done = _("Local passwords are on again.")
    return _said(request, lambda: local_passwords.turn_on(by=person(request)), done, redirect("sign_on_office"))


@allow(Role.ADMINISTRATOR)
@require_http_methods(["GET", "HEAD", "POST"])
@while_on
def person_subject(request: HttpRequest, person_id: int) -> HttpResponse:
    """Connect somebody's account to their subject, or disconnect it."""
    who = get_object_or_404(User, pk=person_id)
    if request.method == "POST" and "disconnect" in request.POST:
        return _confirmed(_disconnect, request, who)
    form = SubjectForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        return _confirmed(_connect, request, who, form)
    return _subject_page(request, who, form, 422 if request.method == "POST" else 200)


def _connect(request: HttpRequest, who: User, form: SubjectForm) -> HttpResponse:
    try:
        subjects.connect(who, by=person(request), subject=form.cleaned_data["subject"])
    except Refused as refusal:
        form.add_error(refusal.field or None, str(refusal))
        return _subject_page(request, who, form, refusal.status)
    messages.success(request, _("The account of %(name)s is connected to the directory.") % {"name": who.name})
    return redirect("person", who.pk)


def _disconnect(request: HttpRequest, who: User) -> HttpResponse:
    done = _("The account of %(name)s is no longer connected to the directory.") % {"name": who.name}
    return _said(request, lambda: subjects.disconnect(who, by=person(request)), done, redirect("person", who.pk))


def _subject_page(request: HttpRequest, who: User, form: SubjectForm, status: int) -> HttpResponse:
    context = {
        "who": who,
        "form": form,
        "binding": sign_on.binding_of(who),
        "own": who.pk == person(request).pk,
    }
    return render(request, "sign_on/subject.html", context, status=status)


def _said(request: HttpRequest, act: Callable[[], None], done: str, answer: HttpResponse) -> HttpResponse:
    """Perform the act and say that it is done, or why not."""
    try:
        act()
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, done)
    return answer
