"""A holder's own certificates, and the status lists for programs."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_POST, require_safe

from exams import clock
from exams.certificates import badge, issuance, register, selectors, statuslists
from exams.certificates.check_views import readable_anywhere
from exams.certificates.credential import credential
from exams.certificates.document import check_address, document, qr, shown_code
from exams.certificates.models import Certificate
from training.people.access import public, signed_in
from training.people.request import language, person


@signed_in
@never_cache
@require_safe
def own_certificates(request: HttpRequest) -> HttpResponse:
    context = {
        "shown": selectors.own(person(request), language()),
        "registered": register.has_joined(person(request)),
        "today": clock.today(),
        "passed": [one.programme_version.name(language()) for one in issuance.waiting_for(person(request))],
    }
    return render(request, "certificates/own.html", context)


@signed_in
@never_cache
@require_safe
def certificate_document(request: HttpRequest, certificate_id: UUID) -> HttpResponse:
    """The certificate as a PDF, for its holder and HR."""
    certificate = _readable(request, certificate_id)
    return _file(document(certificate), "application/pdf", f"{certificate.number}.pdf")


@signed_in
@never_cache
@require_safe
def certificate_credential(request: HttpRequest, certificate_id: UUID) -> HttpResponse:
    """The certificate as a signed credential, for its holder and HR."""
    certificate = _readable(request, certificate_id)
    return _file(credential(certificate).encode(), "application/jwt", f"{certificate.number}.jwt")


@signed_in
@never_cache
@require_safe
def certificate_badge(request: HttpRequest, certificate_id: UUID, kind: badge.Kind) -> HttpResponse:
    """The badge with the credential inside, for its holder and HR."""
    certificate = _readable(request, certificate_id)
    return _file(badge.baked(certificate, kind), badge.CONTENT_TYPES[kind], f"{certificate.number}.{kind}")


@public
@cache_control(max_age=24 * 60 * 60, public=True)
@require_safe
def badge_image(request: HttpRequest, programme_id: UUID, version_number: int) -> HttpResponse:
    """The public badge image of a programme, once somebody holds its certificate."""
    found = Certificate.objects.filter(
        programme_version__programme=programme_id, programme_version__number=version_number
    ).select_related("programme_version__programme")
    certificate = found.first()
    if certificate is None:
        raise Http404
    return HttpResponse(badge.drawn(certificate.programme_version, "png"), content_type="image/png")


@signed_in
@never_cache
@require_safe
def share_certificate(request: HttpRequest, certificate_id: UUID) -> HttpResponse:
    """The public address as a QR code to show on the phone; for the holder only."""
    mine = selectors.own(person(request), language())
    found = next((one for one in mine if one.certificate.pk == certificate_id), None)
    if found is None:
        raise Http404
    address = check_address(found.certificate)
    context = {"one": found, "address": address, "qr": qr(address), "code": shown_code(found.certificate.code)}
    return render(request, "certificates/share.html", context)


@signed_in
@require_POST
def change_registration(request: HttpRequest) -> HttpResponse:
    """Join or leave the public register."""
    if "join" in request.POST:
        register.join(person(request))
        messages.success(request, _("Your name and your certificates are now listed in the public register."))
    elif "leave" in request.POST:
        register.leave(person(request))
        messages.success(request, _("You are no longer listed in the public register."))
    return redirect("own_certificates")


@public
@readable_anywhere
@require_safe
def status_list(request: HttpRequest, list_name: str, list_no: int) -> HttpResponse:
    """One bit per certificate, signed. Always served whole, so nobody learns who is being checked."""
    signed = statuslists.signed_list(list_name, list_no)
    if signed is None:
        raise Http404
    return HttpResponse(signed, content_type="application/jwt", headers={"Cache-Control": "no-cache"})


def _readable(request: HttpRequest, certificate_id: UUID) -> Certificate:
    certificate = selectors.readable(person(request), certificate_id)
    if certificate is None:
        raise Http404
    return certificate


def _file(content: bytes, content_type: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)
