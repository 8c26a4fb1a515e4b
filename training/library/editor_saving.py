"""Saves the editor's form: as a draft in any state, for review, or as a new version if others saved meanwhile."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect, replace_url, trigger_client_event

from training.library import conflict, drafts, editor, services
from training.library.editor_page import Editing, htmx, page, words_form
from training.library.forms import WordsForm
from training.library.models import Version
from training.library.views import found_version, language, person
from training.people.models import User
from training.platform.errors import ChangedMeanwhile

SAVE, SEND, NEXT, FORK = KEEPING = ("save", "send", "next", "fork")
TITLE = "title"  # the id of the field


def keep(request: HttpRequest, sketch: editor.Sketch, editing: Editing, order: str) -> HttpResponse:
    """Save facts and texts and, if asked, send them to review, in one transaction.

    A draft is saved in any state; review and further moments need facts that fit together."""
    checked, words = editor.checked_for(person(request), sketch), words_form(request, sketch.book, editing)
    if error := _unfit(checked, words, order):
        return page(request, sketch, editing, checked=checked, error=error, status=422)
    author = person(request)
    written: dict[str, Any] = {"scenario": checked.scenario, "words": words.words(), "accepted": sketch.accepted}
    try:
        with transaction.atomic():
            kept = _stored(request, author, sketch, editing, order, written)
            if order == SEND:
                services.submit_for_review(kept, author)
            if order == NEXT:
                drafts.verify_next_moment(kept, author)
    except ChangedMeanwhile as refused:
        found = found_version(request, editing.version.pk) if editing.version else None
        clash = (
            conflict.rows(found, editing.number, sketch, words.words(), request.POST.get("base", ""), language())
            if found
            else []
        )
        said = str(refused.reason)
        return page(request, sketch, editing, checked=checked, error=said, clash=clash, status=refused.status)
    except services.Refused as refusal:
        untitled = order == SEND and not any(fields.get("title") for fields in written["words"].values())
        said, at = str(refusal.reason), TITLE if untitled and editing.number == 1 else ""
        return page(request, sketch, editing, checked=checked, error=said, error_at=at, status=refusal.status)
    if order == SAVE and htmx(request):
        return _saved(request, sketch, editing, kept, checked)
    messages.success(request, _told_kept(order, checked))
    address = reverse("next_moment" if order == NEXT else "version", args=[kept.pk])
    if not htmx(request):
        return redirect(address)
    return trigger_client_event(HttpResponseClientRedirect(address), "sabot:kept", {})


def _unfit(checked: editor.Checked, words: WordsForm, order: str) -> str:
    """Why this cannot be saved yet; empty if it can."""
    if not words.is_valid():
        return _("This cannot be saved yet: look at the words. Nothing you entered is lost.")
    if checked.scenario is None and order in (SEND, NEXT):
        return _("The facts do not fit together yet. Put them right, or save it as a draft and go on later.")
    if checked.asks_nothing:
        return _("Ask at least one question: a scenario without questions cannot be answered.")
    return ""


def _saved(
    request: HttpRequest, sketch: editor.Sketch, editing: Editing, kept: Version, checked: editor.Checked
) -> HttpResponse:
    """Answer with the same form, which now belongs to the saved draft."""
    now = Editing(found_version(request, kept.pk), editing.number)
    answer = page(request, sketch, now, checked=checked, saved=_told_kept(SAVE, checked))
    replace_url(answer, now.address)
    return trigger_client_event(answer, "sabot:saved", {})


def _stored(
    request: HttpRequest, author: User, sketch: editor.Sketch, editing: Editing, order: str, written: dict[str, Any]
) -> Version:
    """Store a sketch in its draft or, to `FORK`, in a new version of it."""
    if order == FORK and editing.version:
        made = drafts.fork(editing.version, author)
        return replace(editing, version=made).keep(author, sketch=sketch, seen=None, **written)
    return editing.keep(author, sketch=sketch, seen=_seen(request) if editing.version else None, **written)


def _told_kept(order: str, checked: editor.Checked) -> str:
    if order == SEND:
        return _("Sent to review. A second instructor publishes it.")
    if order == FORK:
        return _("Saved as a new version. The version that the others changed is still there.")
    if checked.scenario is None:
        return _("Saved as a draft. Its facts do not fit together yet.")
    return _("Saved as a draft, facts and words.")


def _seen(request: HttpRequest) -> datetime:
    try:
        return datetime.fromisoformat(request.POST.get("seen", ""))
    except ValueError:
        raise services.Refused(_("Reload the page: the form does not say which draft it belongs to.")) from None
