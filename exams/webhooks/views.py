"""Pages for webhooks, for administrators."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exams.webhooks import selectors, services
from exams.webhooks.models import Hook
from training.people.access import allow
from training.people.models import Role
from training.people.request import person
from training.platform.errors import Refused
from training.platform.line_breaks import breaking

PAGE = 50


class HookForm(forms.Form):
    address = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=500,
        help_text=gettext_lazy("Where the other system receives messages, such as https://hr.example.org/sabot."),
    )


@allow(Role.ADMINISTRATOR)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest) -> HttpResponse:
    """All webhooks, and a form to add one. Its secret is shown once, right after adding it."""
    form, secret = HookForm(request.POST or None), ""
    if request.method == "POST" and form.is_valid():
        try:
            _hook, secret = services.add(form.cleaned_data["address"], by=person(request))
            form = HookForm()
        except Refused as refusal:
            form.add_error("address", str(refusal))
    context = {"form": form, "secret": secret, "hooks": selectors.hooks()}
    return render(request, "webhooks/webhooks.html", context, status=422 if form.is_bound else 200)


@allow(Role.ADMINISTRATOR)
@require_safe
def webhook(request: HttpRequest, hook_id: UUID) -> HttpResponse:
    """The messages to one system and its answers."""
    hook = _found(hook_id)
    page = Paginator(selectors.messages(hook), PAGE).get_page(request.GET.get("page"))
    return render(request, "webhooks/webhook.html", {"hook": hook, "address": breaking(hook.address), "page": page})


@allow(Role.ADMINISTRATOR)
@require_POST
def stop_webhook(request: HttpRequest, hook_id: UUID) -> HttpResponse:
    hook = _found(hook_id)
    if services.stop(hook, by=person(request)):
        messages.success(request, _("%(address)s is no longer notified.") % {"address": hook.address})
    return redirect("webhooks")


@allow(Role.ADMINISTRATOR)
@require_POST
def try_webhook_again(request: HttpRequest, hook_id: UUID) -> HttpResponse:
    count = services.try_again(_found(hook_id).messages.all())
    message = ngettext("%(count)d message is being sent again.", "%(count)d messages are being sent again.", count)
    messages.success(request, message % {"count": count})
    return redirect("webhook", hook_id=hook_id)


def _found(hook_id: UUID) -> Hook:
    return get_object_or_404(Hook, pk=hook_id)
