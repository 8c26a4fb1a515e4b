"""The schema of the API, its documentation page, and the answer for unknown addresses."""

from typing import Any

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView

from training.api.authentication import AsDeclared
from training.api.base import ApiView
from training.people.access import public, signed_in


@signed_in
class SchemaView(SpectacularAPIView):
    """The schema as YAML or, with `Accept: application/vnd.oai.openapi+json`, as JSON."""

    enforces_access = True
    permission_classes = [AsDeclared]


@signed_in
@require_safe
@csp_update({"style-src": [SELF, UNSAFE_INLINE]})  # the library uses inline styles
def docs(request: HttpRequest) -> HttpResponse:
    page = render(request, "api/docs.html")
    page.headers["Content-Language"] = "en"
    return page


@public
@extend_schema(exclude=True)
class UnknownView(ApiView):
    """Answers every other address with 404 in JSON."""

    def initial(self, *args: Any, **kwargs: Any) -> None:
        super().initial(*args, **kwargs)
        raise Http404
