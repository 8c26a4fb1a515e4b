"""The settings of the house, for administrators."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from exams.house import services
from exams.house.forms import HouseForm
from training.house.selectors import current
from training.mail import outbox
from training.people.access import allow
from training.people.models import Role
from training.people.request import person
from training.refusal import Unfit


@allow(Role.ADMINISTRATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def house_settings(request: HttpRequest) -> HttpResponse:
    house, posted = current(), request.method == "POST"
    form = HouseForm(request.POST if posted else None, request.FILES if posted else None, house=house)
    if posted and form.is_valid():
        try:
            changed = services.change(by=person(request), **form.settings())
        except Unfit as unfit:
            form.add_error(unfit.field, str(unfit))
        else:
            told = _("The settings are changed, and the change is on record.") if changed else _("Nothing was changed.")
            messages.success(request, told)
            return redirect("house_settings")
    context = {"form": form, "house": house, "given": _given()}
    return render(request, "house/settings.html", context, status=422 if posted else 200)


def _given() -> dict[str, Any]:
    """What holds for this installation and is set where it runs, for administrators to know."""
    return {
        "languages": [name for _code, name in settings.LANGUAGES],
        "practice_days": settings.PRACTICE_KEPT_DAYS,
        "mail_days": outbox.KEPT.days,
        "second_factor": settings.SECOND_FACTOR_REQUIRED,
    }


@allow(Role.ADMINISTRATOR)
@never_cache
@require_safe
def house_logo(request: HttpRequest) -> HttpResponse:
    """The logo as it is printed from now on."""
    logo = current().logo
    if logo is None:
        raise Http404
    return HttpResponse(bytes(logo.png), content_type="image/png")
