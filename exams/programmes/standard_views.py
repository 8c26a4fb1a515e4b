"""Judging the pass mark of a draft: one form for a judge, and what the others said."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from exams.programmes import standard, words
from exams.programmes.models import ProgrammeVersion
from exams.programmes.views import found, numbered, read
from training.people.request import language, person
from training.platform.errors import Refused, why_not


class JudgementForm(forms.Form):
    """A percentage for every line of the blueprint."""

    def __init__(self, *args: Any, version: ProgrammeVersion, fixed: dict[str, int], **kwargs: Any) -> None:
        """`fixed` are ratings that can no longer change, by what the line asks."""
        super().__init__(*args, **kwargs)
        for number, (line, asks) in enumerate(zip(version.rules.lines, standard.asked_by(version.rules), strict=True)):
            field = forms.IntegerField(label=words.kind_of_line(line, version.rules), min_value=0, max_value=100)
            if asks in fixed:
                field.disabled, field.initial = True, fixed[asks]
                field.help_text = _("You have judged this line already, before the blueprint changed.")
                self.initial.pop(f"line{number}", None)
            self.fields[f"line{number}"] = field

    def ratings(self) -> list[int]:
        return [self.cleaned_data[name] for name in self.fields]


@read
@require_http_methods(["GET", "HEAD", "POST"])
def standard_page(request: HttpRequest, programme_id: UUID, version_number: int) -> HttpResponse:
    history, who = found(request, programme_id), person(request)
    version = numbered(history, str(version_number))
    panel, hindrance = standard.panel(version), why_not(standard.verify_judge, version, who)
    last = panel.last_of(who)
    before = {f"line{number}": rating for number, rating in enumerate(last.ratings)} if last else None
    posted = request.POST if request.method == "POST" else None
    form = JudgementForm(posted, version=version, fixed=standard.settled(version, who), initial=before or {})
    error = ""
    if request.method == "POST" and form.is_valid():
        try:
            standard.judge(version, who, form.ratings())
        except Refused as refusal:
            error = str(refusal)
        else:
            messages.success(request, _("Your judgement is recorded."))
            return redirect("standard", programme_id, version_number)
    # Nobody sees the others' figures before giving their own; a version in force is open to all who may write.
    shown = panel.judgements if last or version.state != ProgrammeVersion.State.DRAFT else []
    lines = [words.kind_of_line(line, version.rules) for line in version.rules.lines]
    context = {
        "history": history,
        "name": history.latest.name(language()),
        "version": version,
        "panel": panel,
        "judges": [one.judge.name for one in panel.judgements if one.round == 1],
        "shown": shown,
        "rows": [(line, [one.ratings[number] for one in shown]) for number, line in enumerate(lines)],
        "again": last is not None,
        "form": form,
        "hindrance": hindrance,
        "error": error,
        "least": standard.LEAST_JUDGES,
    }
    return render(request, "programmes/standard.html", context, status=422 if request.method == "POST" else 200)
