"""Idempotent writes: a request with an `Idempotency-Key` runs once, and a repeated one gets the same answer. A refused
request changed nothing, so its key can be used again."""

import hashlib
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec
from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from training.api.models import KeptAnswer
from training.api.problems import Problem, invalid

if TYPE_CHECKING:
    from training.api.base import ApiView

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
LONGEST = 255
KEPT_FOR = timedelta(hours=24)
# A request without an answer after this time was cut off, and its transaction rolled back.
CUT_OFF = timedelta(minutes=2)


class Again(Exception):
    """The request was carried out before; `response` is its answer."""

    def __init__(self, kept: KeptAnswer) -> None:
        headers = {REPLAYED: "true"}
        self.response = HttpResponse(bytes(kept.body), "application/json", status=kept.status, headers=headers)
        super().__init__(kept.key)


def once(view: "ApiView", request: Request) -> None:
    """Make the view's handler run only once for the key of the request, if it has one."""
    key = request.headers.get(HEADER)
    if key is None or not request.user.is_authenticated:
        return
    if not 1 <= len(key) <= LONGEST or not (key.isascii() and key.isprintable()):
        raise invalid({HEADER: [_("must be 1 to %(limit)d printable ASCII characters") % {"limit": LONGEST}]})
    name = (request.method or "").lower()
    handler = getattr(view, name, None)
    if handler is None:
        return
    claimed = _claim(request, key)

    def carried_out(*args: Any, **kwargs: Any) -> Response:
        return _carry_out(claimed, handler, *args, **kwargs)

    setattr(view, name, carried_out)


def _claim(request: Request, key: str) -> KeptAnswer:
    """Reserve the key for this request. Raises Again if it was carried out before, Problem if it may not be."""
    now = timezone.now()
    owner = request.user
    assert owner.is_authenticated  # noqa: S101 (checked by `once`)
    mine = KeptAnswer(owner=owner, key=key, request_digest=_digest(request), began_at=now)
    KeptAnswer.objects.filter(owner=owner, key=key, began_at__lte=now - KEPT_FOR).delete()
    KeptAnswer.objects.filter(owner=owner, key=key, status=None, began_at__lte=now - CUT_OFF).delete()
    try:
        with transaction.atomic():
            mine.save(force_insert=True)
    except IntegrityError:
        kept = KeptAnswer.objects.filter(owner=owner, key=key).first()
        if kept is not None and kept.request_digest != mine.request_digest:
            raise Problem("key_reused", _("This key was sent with another request.")) from None
        if kept is None or kept.status is None:
            raise Problem("in_progress", _("The request with this key is already being carried out.")) from None
        raise Again(kept) from None
    return mine


def _carry_out(claimed: KeptAnswer, handler: Callable[..., Response], *args: Any, **kwargs: Any) -> Response:
    """Run the handler and store its answer in one transaction."""
    try:
        with transaction.atomic():
            response = handler(*args, **kwargs)
            claimed.status, claimed.body = response.status_code, JSONRenderer().render(response.data)
            claimed.save(update_fields=["status", "body"])
    except BaseException:
        KeptAnswer.objects.filter(pk=claimed.pk).delete()
        raise
    return response


def _digest(request: Request) -> str:
    asked = [request.method, request.get_full_path(), msgspec.json.encode(request.data, order="deterministic")]
    return hashlib.sha256(msgspec.json.encode(asked)).hexdigest()


def forget_old() -> int:
    """Delete expired answers. Returns how many."""
    return KeptAnswer.objects.filter(began_at__lte=timezone.now() - KEPT_FOR).delete()[0]
