"""Before the 8th and the 11th an Italian article has no vowel of its own."""

import pytest
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.test import RequestFactory
from django.utils import translation

from tests.factories import PersonFactory
from training.mail.outbox import Envelope, post
from training.platform.italian import ItalianDates, elided


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("fino al 8 novembre 2026", "fino all'8 novembre 2026"),
        ("Il 11 marzo", "L'11 marzo"),
        ("il <strong>8 agosto</strong>", "l'<strong>8 agosto</strong>"),
        ("valido dal 8 maggio al 11 giugno", "valido dall'8 maggio all'11 giugno"),
        ("del 11 luglio", "dell'11 luglio"),
        ("il 18 novembre", "il 18 novembre"),
        ("il 1 novembre", "il 1 novembre"),
        ("dal 8 al 10", "dal 8 al 10"),
        ("hasta el 8 de noviembre", "hasta el 8 de noviembre"),
        ("del 11/12/2026 al 12/12/2026", "del 11/12/2026 al 12/12/2026"),
    ],
)
def test_an_article_fits_the_day_after_it(said: str, meant: str) -> None:
    assert elided(said) == meant


def page(language: str, kind: str = "text/html; charset=utf-8") -> str:
    def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse("<p>scade il 8 novembre, il 11/12/2026", content_type=kind)

    with translation.override(language):
        answer: HttpResponseBase = ItalianDates(view)(RequestFactory().get("/"))
    return answer.content.decode()  # type: ignore[attr-defined]


def test_pages_in_italian_have_it_right_and_nothing_else_is_touched() -> None:
    assert page("it") == "<p>scade l'8 novembre, l'11/12/2026"
    assert page("pt") == page("it", "text/csv") == "<p>scade il 8 novembre, il 11/12/2026"


@pytest.mark.django_db
def test_mails_have_it_right() -> None:
    [mail] = post([Envelope(PersonFactory(language="it"), "Scade il 11 maggio", "Valido fino al 8 maggio 2027.")])
    assert (mail.subject, mail.body) == ("Scade l'11 maggio", "Valido fino all'8 maggio 2027.")
