"""The house's settings, for administrators; auditors read them."""

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from exams.house_office import services
from exams.house_office.forms import HouseForm
from training.house.models import House
from training.house.selectors import current, languages
from training.mail import outbox
from training.people.access import allow
from training.people.models import Role
from training.people.request import language_name, person
from training.platform.errors import Unfit

LEFT_OUT = "logo_left_out"


@allow(Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_http_methods(["GET", "HEAD", "POST"])
def house_settings(request: HttpRequest) -> HttpResponse:
    house, posted = current(), request.method == "POST"
    if person(request).only_reads:
        return _read(request, house)
    sent = (request.POST, request.FILES) if posted else ()
    form = HouseForm(*sent, house=house, by=person(request))
    if posted and form.is_valid():
        save = _save_confirmed if services.touches_security(**form.settings()) else _save
        try:
            answer: HttpResponse = save(request, form)
        except Unfit as unfit:
            form.add_error(unfit.field, str(unfit))
        else:
            return answer
    context = {"form": form, "house": house, "mail_days": outbox.KEPT.days}
    return render(request, "house/settings.html", context, status=form.status if posted else 200)


def _read(request: HttpRequest, house: House) -> HttpResponse:
    """The settings as an auditor reads them."""
    context = {
        "house": house,
        "languages": [language_name(code) for code, _name in languages(house)],
        "second_factor": house.second_factor or settings.SECOND_FACTOR_REQUIRED,
        "practice_days": house.practice_kept_days or settings.PRACTICE_KEPT_DAYS,
        "mail_days": outbox.KEPT.days,
    }
    return render(request, "house/settings_read.html", context)


def _save(request: HttpRequest, form: HouseForm) -> HttpResponse:
    changed = services.change(by=person(request), **form.settings())
    message = _("The settings have been changed, and the change recorded.") if changed else _("Nothing was changed.")
    messages.success(request, message)
    if LEFT_OUT in request.POST and not request.FILES:
        messages.warning(request, _("The logo was not saved: choose it again."))
    return redirect("house_settings")


def _save_confirmed(request: HttpRequest, form: HouseForm) -> HttpResponse:
    """Save after the user has authenticated again. The request is kept meanwhile, except for files."""
    if request.FILES:
        sent = request.POST.copy()
        sent[LEFT_OUT] = "yes"
        request.POST = sent  # type: ignore[assignment]  # the part of the request that is kept
    answer: HttpResponse = reauthentication_required(_save)(request, form)
    return answer


@allow(Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@never_cache
@require_safe
def house_logo(request: HttpRequest) -> HttpResponse:
    """The current logo."""
    logo = current().logo
    if logo is None:
        raise Http404
    return HttpResponse(bytes(logo.png), content_type="image/png")
