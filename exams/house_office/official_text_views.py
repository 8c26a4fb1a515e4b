"""Loading the official wording of a regulation: upload, review, confirm."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from exams.house_office import official_texts
from exams.house_office.reading_forms import TextForm
from exams.house_office.ruling_views import found_book
from exams.house_office.rulings import DECIDERS
from rules_engine import Rulebook
from rules_engine.narration import book_name, cited
from training.house.models import OfficialText, PendingText
from training.house.official_texts import expected
from training.people.access import allow
from training.people.request import language, person
from training.platform.errors import Unfit


@allow(*DECIDERS)
@require_http_methods(["GET", "HEAD", "POST"])
def official_text(request: HttpRequest, book_id: str) -> HttpResponse:
    """The loaded text of a rulebook and the form to load one; `do` confirms, discards or removes."""
    book, posted = found_book(request, book_id), request.method == "POST"
    if posted and request.POST.get("do"):
        _settle(request, book, request.POST["do"])
        return redirect("official_text", book.id)
    form, status = TextForm(request.POST if posted else None, request.FILES if posted else None), 422
    if posted and form.is_valid():
        try:
            _propose(request, book, form)
        except Unfit as unfit:
            form.add_error("file", str(unfit))
            status = unfit.status
        else:
            return redirect("official_text", book.id)
    return _page(request, book, form, status=status if posted else 200)


def _propose(request: HttpRequest, book: Rulebook, form: TextForm) -> None:
    upload = form.cleaned_data["file"]
    text = official_texts.text_of(upload.read(official_texts.MAX_BYTES + 1)) if upload else form.cleaned_data["text"]
    official_texts.propose(book, text, source=form.cleaned_data["source"], by=person(request))


def _settle(request: HttpRequest, book: Rulebook, act: str) -> None:
    by = person(request)
    if act == "confirm":
        official_texts.confirm(book, by, seen=request.POST.get("seen", ""))
        messages.success(request, _("Loaded: every article is now shown beside our summary."))
    elif act == "remove":
        official_texts.remove(book, by)
        messages.success(request, _("The official wording has been removed."))
    else:
        official_texts.discard(book, by)


def _page(request: HttpRequest, book: Rulebook, form: TextForm, *, status: int) -> HttpResponse:
    spoken, wanted = language(), expected(book)
    pending = PendingText.objects.filter(rulebook=book.id).first()
    loaded = OfficialText.objects.filter(rulebook=book.id).select_related("loaded_by").first()
    context = {
        "id": book.id,
        "name": book_name(book.id, spoken),
        "spoken": book.language,
        "form": form,
        "pending": pending,
        "seen": pending.read_at.isoformat() if pending else "",
        "loaded": loaded,
        "wanted": len(wanted),
        "missing": [cited(one, book, spoken) for one in wanted if one not in pending.articles] if pending else [],
        "found": [(cited(one, book, spoken), text) for one, text in pending.articles.items()] if pending else [],
    }
    return render(request, "house/official_text.html", context, status=status)
