"""Pages for administrators: people, their roles and their accounts."""

from collections.abc import Callable
from typing import Any

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exams.accounts import closing, confirmation, email_correction, roles, second_factor, selectors
from exams.accounts.forms import AddressForm, FilterForm, InvitationForm, ReasonForm
from exams.accounts.models import Closure
from training.house.selectors import first_language
from training.people import sign_on
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import person
from training.platform.errors import Refused
from training.platform.filters import unfit

PAGE = 50
Act = Callable[..., HttpResponse]


def person_of(person_id: int) -> User:
    return get_object_or_404(User, pk=person_id)


@allow(Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """Matching people; an invalid filter shows nobody."""
    form = FilterForm(request.GET)
    found = selectors.people(form.filters()) if form.is_valid() else User.objects.none()
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "form": form,
        "page": Paginator(found, PAGE).get_page(request.GET.get("page")),
        "query": query.urlencode(),
        "filtered": not form.is_valid() or form.filters() != selectors.Filters(),
        "unfit": unfit(form),
    }
    return render(request, "accounts/people.html", context, status=422 if form.errors else 200)


@allow(Role.ADMINISTRATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def new_person(request: HttpRequest) -> HttpResponse:
    """Add a person with roles; they get a mail with a link."""
    form = InvitationForm(request.POST if request.method == "POST" else None, initial={"language": first_language()})
    if request.method == "POST" and form.is_valid():
        invite = _password_first(_invite) if roles.makes_staff(form.cleaned_data["roles"]) else _invite
        try:
            return invite(request, form)
        except Refused as refusal:
            form.add_error(refusal.field or None, str(refusal))
    return render(request, "accounts/new.html", {"form": form}, status=422 if request.method == "POST" else 200)


def _invite(request: HttpRequest, form: InvitationForm) -> HttpResponse:
    made = roles.invite(**form.cleaned_data, by=person(request))
    messages.success(request, _("%(name)s has been added and will get an e-mail with a link.") % {"name": made.name})
    return redirect("person", made.pk)


def _password_first(act: Act) -> Act:
    """The same view, but it asks for the password again first and keeps what was posted."""
    waiting: Act = reauthentication_required(act)
    return waiting


@allow(Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_safe
def one_person(request: HttpRequest, person_id: int) -> HttpResponse:
    who = person_of(person_id)
    grants = {grant.role: grant for grant in who.role_grants.select_related("granted_by")}
    closures = Closure.objects.filter(person=who).select_related("closed_by", "returned_by")
    context = {
        "who": who,
        "own": who.pk == person(request).pk,
        "auditor": Role.AUDITOR in person(request).roles,
        "may_act": who.pk != person(request).pk and Role.AUDITOR not in person(request).roles,
        "roles": [(role, grants.get(role)) for role in Role],
        "closures": closures,
        "closed": {closure.why for closure in closures if closure.returned_at is None},
        "second_factor": second_factor.is_set_up(who),
        "unbegun": who.is_active and not who.has_usable_password() and who.last_login is None,
        "binding": sign_on.binding_of(who),
        "acts": who.acts_on_account.select_related("by"),
        "may_confirm": confirmation.may_confirm(who, person(request)),
    }
    return render(request, "accounts/person.html", context)


@allow(Role.ADMINISTRATOR)
@require_POST
def change_role(request: HttpRequest, person_id: int) -> HttpResponse:
    """Grant or revoke the role named by the button."""
    who, given = person_of(person_id), request.POST.get("give", "")
    change = _password_first(_change_role) if roles.makes_staff([given]) else _change_role
    return change(request, who)


def _change_role(request: HttpRequest, who: User) -> HttpResponse:
    given, taken, by = request.POST.get("give", ""), request.POST.get("take", ""), person(request)
    try:
        if given in Role.values:
            roles.give(who, [Role(given)], by=by)
        elif taken in Role.values:
            roles.take(who, Role(taken), by=by)
        else:
            raise Http404
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("The roles of %(name)s have been changed.") % {"name": who.name})
    return redirect("person", who.pk)


@allow(Role.ADMINISTRATOR)
@require_POST
def confirm_account(request: HttpRequest, person_id: int) -> HttpResponse:
    """Vouch that an account belongs to its owner."""
    return _password_first(_confirm)(request, person_of(person_id))


def _confirm(request: HttpRequest, who: User) -> HttpResponse:
    try:
        confirmation.confirm(who, by=person(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("The account of %(name)s has been confirmed.") % {"name": who.name})
    return redirect("person", who.pk)


@allow(Role.ADMINISTRATOR)
@require_POST
def invite_again(request: HttpRequest, person_id: int) -> HttpResponse:
    who = person_of(person_id)
    try:
        roles.invite_again(who, by=person(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("The invitation has been sent again."))
    return redirect("person", who.pk)


@allow(Role.ADMINISTRATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def correct_person(request: HttpRequest, person_id: int) -> HttpResponse:
    who = person_of(person_id)
    form = AddressForm(request.POST if request.method == "POST" else None, instance=person_of(person_id))
    if request.method == "POST" and form.is_valid():
        try:
            email_correction.correct(who, by=person(request), **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The address is as you gave it, and the change has been recorded."))
            return redirect("person", who.pk)
    context = {"who": who, "form": form}
    return render(request, "accounts/correct.html", context, status=422 if request.method == "POST" else 200)


@allow(Role.ADMINISTRATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def close_account(request: HttpRequest, person_id: int) -> HttpResponse:
    return _with_reason(request, person_id, closing.close, "accounts/closing.html", closes=True)


@allow(Role.ADMINISTRATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def return_account(request: HttpRequest, person_id: int) -> HttpResponse:
    return _with_reason(request, person_id, closing.let_return, "accounts/closing.html", closes=False)


@allow(Role.ADMINISTRATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def remove_second_factor(request: HttpRequest, person_id: int) -> HttpResponse:
    """Remove a second factor that its owner has lost."""
    return _with_reason(request, person_id, second_factor.remove, "accounts/second_factor.html")


def _with_reason(
    request: HttpRequest, person_id: int, act: Callable[..., Any], template: str, **more: Any
) -> HttpResponse:
    """Ask for a reason, then perform the act."""
    who = person_of(person_id)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            act(who, by=person(request), reason=form.cleaned_data["reason"])
        except Refused as refusal:
            form.add_error(refusal.field or None, str(refusal))
        else:
            who.refresh_from_db()
            message = (
                _("The account of %(name)s has been reopened.")
                if who.is_active
                else _("The account of %(name)s has been closed.")
            )
            if act == second_factor.remove:
                message = _(
                    "The two-step verification of %(name)s has been removed, and %(name)s gets an e-mail that says so."
                )
            messages.success(request, message % {"name": who.name})
            return redirect("person", who.pk)
    context = {"who": who, "form": form} | more
    return render(request, template, context, status=422 if request.method == "POST" else 200)
