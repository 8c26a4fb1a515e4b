from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from training.people.access import public


@public
@require_POST
def choose_language(request: HttpRequest) -> HttpResponseBase:
    """Keep the choice with the person, or in a cookie for a visitor; then back to the page they were on."""
    language = request.POST.get("language", "")
    if request.user.is_authenticated and language in dict(settings.LANGUAGES):
        request.user.language = language
        request.user.save(update_fields=["language"])
    return set_language(request)
