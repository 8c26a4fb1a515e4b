"""A holder's own certificates, and the lists that tell their status to programs."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from exams import clock
from exams.certificates import selectors, statuslists
from exams.certificates.credential import credential
from exams.certificates.document import document
from exams.certificates.models import Certificate
from training.people.access import public, signed_in
from training.people.request import language, person


@signed_in
@never_cache
@require_safe
def own_certificates(request: HttpRequest) -> HttpResponse:
    context = {"shown": selectors.own(person(request), language()), "today": clock.today()}
    return render(request, "certificates/own.html", context)


@signed_in
@never_cache
@require_safe
def certificate_document(request: HttpRequest, certificate_id: UUID) -> HttpResponse:
    """The certificate as PDF, for its holder and for HR."""
    certificate = _readable(request, certificate_id)
    return _file(document(certificate), "application/pdf", f"{certificate.number}.pdf")


@signed_in
@never_cache
@require_safe
def certificate_credential(request: HttpRequest, certificate_id: UUID) -> HttpResponse:
    """The certificate as signed credential, for its holder and for HR."""
    certificate = _readable(request, certificate_id)
    return _file(credential(certificate).encode(), "application/jwt", f"{certificate.number}.jwt")


@public
@require_safe
def status_list(request: HttpRequest, list_name: str, list_no: int) -> HttpResponse:
    """One bit for each certificate, signed. Who asks gets it whole, so that nobody learns whom they check."""
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
