"""The page where the house enters the legal instruments that its certificates name."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from exams.certificates import instruments
from rules_engine.narration import book_name
from training.people.access import allow
from training.people.models import Role
from training.people.request import language, person
from training.platform.errors import Refused


@allow(Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_http_methods(["GET", "HEAD", "POST"])
def legal_instruments(request: HttpRequest) -> HttpResponse:
    refusal, status, typed = "", 200, {}
    if request.method == "POST":
        book, text = request.POST.get("rulebook", ""), request.POST.get("text", "")
        try:
            instruments.enter(book, text, by=person(request))
        except Refused as why:
            refusal, status, typed = str(why), why.status, {book: text}
        else:
            messages.success(request, _("Certificates issued from now on name it."))
            return redirect("legal_instruments")
    books = instruments.without_one()
    found = instruments.entered(books) | typed
    context = {
        "books": [(book, book_name(book, language()), found.get(book, "")) for book in books],
        "refusal": refusal,
        "longest": instruments.LONGEST,
    }
    return render(request, "certificates/instruments.html", context, status=status)
