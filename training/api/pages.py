"""The page for a person's own tokens: list, create, revoke."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from training.api import tokens
from training.api.scopes import scopes_for
from training.people.access import signed_in
from training.people.models import User
from training.people.request import person
from training.platform.errors import Refused

LIFETIMES = [
    (30, gettext_lazy("30 days")),
    (90, gettext_lazy("90 days")),
    (365, gettext_lazy("a year")),
]


class TokenForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=80,
        help_text=gettext_lazy("What it is for, e.g. the school's learning platform"),
    )
    scopes = forms.MultipleChoiceField(label=gettext_lazy("It may"), widget=forms.CheckboxSelectMultiple)
    days = forms.TypedChoiceField(label=pgettext_lazy("token", "Valid for"), choices=LIFETIMES, coerce=int, initial=90)

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["scopes"].choices = [  # type: ignore[attr-defined]
            (name, format_html("{} <code>{}</code>", label, name)) for name, label in scopes_for(person)
        ]


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own_tokens(request: HttpRequest) -> HttpResponse:
    """The person's tokens. A new one is shown on this page once and never again."""
    if request.method != "POST":
        return _page(request, TokenForm(person=person(request)))
    form = TokenForm(request.POST, person=person(request))
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        made, text = tokens.issue(person(request), **form.cleaned_data)
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return _page(request, form, status=409)
    return _page(request, TokenForm(person=person(request)), made=made, text=text)


@signed_in
@require_POST
def revoke_token(request: HttpRequest, token_id: int) -> HttpResponse:
    token = tokens.tokens_of(person(request)).filter(pk=token_id).first()
    if token is None:
        raise Http404
    tokens.revoke(token)
    messages.success(
        request, _("“%(name)s” has been revoked: whatever used it no longer has access.") % {"name": token.name}
    )
    return redirect("own_tokens")


def _page(request: HttpRequest, form: TokenForm, *, status: int = 200, **more: Any) -> HttpResponse:
    context = {"form": form, "tokens": tokens.tokens_of(person(request)), "now": timezone.now()} | more
    return render(request, "api/tokens.html", context, status=status)
