"""`/metrics`, for clients with the token or an address from the settings; 404 for everyone else."""

import ipaddress
import os
import secrets

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder
from prometheus_client.multiprocess import MultiProcessCollector

from training.operations.metrics import proxy, queueing
from training.operations.metrics.gauges import Readings
from training.operations.metrics.requests import COUNTED
from training.people.access import public


@public
@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    if not (has_token(request) or is_from_known_address(request)):
        raise Http404
    encode, kind = choose_encoder(request.headers.get("Accept", ""))
    return HttpResponse(encode(everything()), content_type=kind)


def has_token(request: HttpRequest) -> bool:
    kind, _, given = request.headers.get("Authorization", "").partition(" ")
    token = settings.METRICS_TOKEN
    return bool(token) and kind == "Bearer" and secrets.compare_digest(given.encode(), token.encode())


def is_from_known_address(request: HttpRequest) -> bool:
    """False for a request through an untrusted proxy, since it has the address of the proxy."""
    forwarded = "X-Forwarded-For" in request.headers or "Forwarded" in request.headers
    if not settings.METRICS_ADDRESSES or (forwarded and not settings.TRUSTED_PROXIES):
        return False
    address = ipaddress.ip_address(get_adapter().get_client_ip(request))
    return any(address in network for network in settings.METRICS_ADDRESSES)


def everything() -> CollectorRegistry:
    registry = CollectorRegistry()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        for counted in (*COUNTED, *queueing.COUNTED, proxy.REFUSED):
            registry.register(counted)
    registry.register(Readings())
    return registry
