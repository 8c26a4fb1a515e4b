from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from training.house.selectors import languages
from training.people.access import public
from training.people.models import User


@csrf_exempt
@public
@require_POST
def choose_language(request: HttpRequest) -> HttpResponseBase:
    """Store the language with the person, or in a cookie for a visitor, and return to their page.

    Visitors send no CSRF token, which would need a cookie; only the language of their own page could be forged.
    """
    return _keep(request) if request.user.is_authenticated else set_language(request)


@csrf_protect
def _keep(request: HttpRequest) -> HttpResponseBase:
    language = request.POST.get("language", "")
    if isinstance(request.user, User) and language in dict(languages()):
        request.user.language = language
        request.user.save(update_fields=["language"])
    return set_language(request)
