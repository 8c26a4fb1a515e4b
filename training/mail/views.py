"""The outbox for HR and administrators: waiting, failed and sent mail. Texts are never shown."""

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from training.mail import outbox, selectors
from training.mail.models import Mail
from training.people.access import allow
from training.people.models import Role

PAGE = 50


@allow(Role.HR, Role.ADMINISTRATOR)
@require_safe
def mail(request: HttpRequest) -> HttpResponse:
    counts = selectors.counts()
    asked = request.GET.get("state", "")
    # By default the first state that has any mail.
    state = asked if asked in selectors.STATES else next((one for one in selectors.STATES if counts[one]), "waiting")
    context = {
        "state": state,
        "tabs": [(name, label, counts[name]) for name, (label, _which) in selectors.STATES.items()],
        "page": Paginator(selectors.mails(state), PAGE).get_page(request.GET.get("page")),
        "query": f"state={state}",
        "days": outbox.KEPT.days,
    }
    return render(request, "mail/mail.html", context)


@allow(Role.HR, Role.ADMINISTRATOR)
@require_POST
def try_again(request: HttpRequest, mail_id: UUID) -> HttpResponse:
    if not Mail.objects.filter(pk=mail_id).exclude(person=None).exists():
        raise Http404
    if outbox.try_again(Mail.objects.filter(pk=mail_id)):
        messages.success(request, _("The e-mail is being sent again."))
    else:
        messages.info(request, _("The e-mail has been sent or is being sent: there is nothing to retry."))
    return redirect("mail")


@allow(Role.HR, Role.ADMINISTRATOR)
@require_POST
def try_all_again(request: HttpRequest) -> HttpResponse:
    count = outbox.try_again(Mail.objects.all())
    told = ngettext("%(count)d e-mail is being sent again.", "%(count)d e-mails are being sent again.", count)
    messages.success(request, told % {"count": count})
    return redirect("mail")
