"""What a browser needs to install Sabot on a phone, and the offline page."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from training.people.access import public
from training.people.request import language

COLOUR = "#211c18"
SIZES = (192, 512)


@public
@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    told = {
        "id": "/",
        "name": "Sabot",
        "short_name": "Sabot",
        "description": _("Training and certification for croupiers"),
        "lang": language(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": COLOUR,
        "theme_color": COLOUR,
        "icons": [
            {"src": static(f"sabot/icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"} for size in SIZES
        ],
    }
    return JsonResponse(told, content_type="application/manifest+json")


@public
@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker, served from the root so that it covers every page. It caches only the offline page;
    an open exam keeps its own questions."""
    return render(request, "phone/service-worker.js", content_type="text/javascript")


@public
@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    return render(request, "phone/offline.html")
