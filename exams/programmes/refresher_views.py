"""The page that drafts a refresher exam for a new version of a regulation."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from exams.programmes import refresher, services, words
from exams.programmes.models import ProgrammeVersion
from rules_engine import RULEBOOKS, Rulebook
from rules_engine.narration import book_name, cited
from rules_engine.versions import former
from training.people.access import allow
from training.people.request import language, person
from training.platform.engine_json import document
from training.platform.errors import Refused, why_not


@allow(*refresher.DRAFTERS)
@require_http_methods(["GET", "HEAD", "POST"])
def refresher_page(request: HttpRequest, book_id: str) -> HttpResponse:
    """What the refresher would ask; posting creates the draft programme."""
    new = RULEBOOKS.get(book_id)
    old = former(new) if new else None
    if new is None or old is None:
        raise Http404
    who, error = person(request), ""
    if request.method == "POST":
        try:
            made = refresher.draft(new, who)
        except Refused as refusal:
            error = str(refusal)
        else:
            messages.success(request, _("The draft has been created. Somebody else puts it in force."))
            # Human resources can draft it, but drafts are read by those who write programmes.
            writes = not services.WRITERS.isdisjoint(who.roles)
            return redirect("programme", made.programme_id) if writes else redirect("refresher", book_id)
    existing = refresher.drafted(new)
    context = {
        "id": book_id,
        "old": old.id,
        "name": book_name(book_id, language()),
        "existing": existing,
        "hindrance": why_not(refresher.verify_draft, new, who),
        "error": error,
        "groups": _groups(new),
        "not_asked": [cited(cite, new, language()) for cite in refresher.not_asked(new)],
        "opens": existing is not None and not services.WRITERS.isdisjoint(who.roles),
    }
    return render(request, "programmes/refresher.html", context, status=409 if error else 200)


def _groups(new: Rulebook) -> dict[str, words.Group]:
    """What the draft would ask, in words."""
    draft = ProgrammeVersion(rules_document=document(refresher.rules(new)), names=refresher.names(new))
    return {key: group for key, group in words.rules_in_words(draft).items() if key.split()[0] in ("exam", "section")}
