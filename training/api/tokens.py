"""Issues, checks and revokes API tokens."""

import hashlib
import secrets
from collections.abc import Collection, Iterable
from datetime import timedelta

import structlog
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from training.api import hooks
from training.api.models import ApiToken
from training.api.scopes import SCOPES
from training.people import sign_on
from training.people.models import User
from training.platform.errors import Refused

log = structlog.get_logger(__name__)

PREFIX = "sabot_"
SECRET_BYTES = 32
SHOWN = len(PREFIX) + 4
MOST = 20  # valid tokens per person
# Recording every use would turn each read into a write.
USE_NOTED_EVERY = timedelta(minutes=1)


def issue(owner: User, *, name: str, scopes: Iterable[str], days: int) -> tuple[ApiToken, str]:
    """Issue a token. Returns it with its secret text, which is not stored. Raises Refused at the limit."""
    wanted = sorted(set(scopes))
    if not wanted or not set(wanted) <= SCOPES.keys():
        raise ValueError(f"scopes must be among {', '.join(SCOPES)}")
    text = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
    with transaction.atomic():
        # Two concurrent requests must not exceed the limit, and the account may have been closed meanwhile.
        if not User.objects.select_for_update().get(pk=owner.pk).is_active:
            raise Refused(_("The account is closed."))
        if len([token for token in tokens_of(owner) if token.good_at(timezone.now())]) >= MOST:
            raise Refused(_("At most %(limit)d tokens at a time; revoke one first.") % {"limit": MOST})
        token = ApiToken.objects.create(
            owner=owner,
            name=name,
            scopes=wanted,
            digest=digest(text),
            hint=text[:SHOWN],
            expires_at=timezone.now() + timedelta(days=days),
        )
        hooks.tokens_changed(hooks.TokenChange(owner, owner, made=True, tokens=[token.pk], scopes=wanted))
    log.info("api_token_issued", token=token.pk, owner=owner.pk, scopes=wanted)
    return token, text


def digest(text: str) -> str:
    """A plain digest is enough, because a token has 256 random bits and cannot be guessed."""
    return hashlib.sha256(text.encode()).hexdigest()


def known(text: str) -> ApiToken | None:
    """The valid token with this text, if its owner may sign in, else None. Records its use."""
    now = timezone.now()
    token = ApiToken.objects.select_related("owner").filter(digest=digest(text)).first()
    if token is None or not token.good_at(now) or not token.owner.is_active or sign_on.tokens_rest(token.owner):
        return None
    if token.last_used_at is None or now - token.last_used_at >= USE_NOTED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token


def tokens_of(owner: User) -> QuerySet[ApiToken]:
    """A person's tokens that are not revoked, the newest first."""
    return ApiToken.objects.filter(owner=owner, revoked_at=None).order_by("-created_at", "-pk")


def revoke_all(owner: User, *, by: User | None = None) -> int:
    """Revoke every token of a person. Returns how many."""
    return _revoke(owner, ApiToken.objects.filter(owner=owner), by)


def revoke_all_of(owners: Collection[User], *, by: User | None) -> None:
    """Revoke every token of many people, most of whom have none."""
    holding = set(ApiToken.objects.filter(owner__in=owners, revoked_at=None).values_list("owner_id", flat=True))
    for owner in owners:
        if owner.pk in holding:
            revoke_all(owner, by=by)


def revoke(token: ApiToken) -> None:
    """Revoke a token on behalf of its owner."""
    _revoke(token.owner, ApiToken.objects.filter(pk=token.pk), token.owner)


@transaction.atomic
def _revoke(owner: User, found: QuerySet[ApiToken], by: User | None) -> int:
    good = found.filter(revoked_at=None).select_for_update(no_key=True)
    keys = list(good.order_by("pk").values_list("pk", flat=True))
    if keys:
        ApiToken.objects.filter(pk__in=keys).update(revoked_at=timezone.now())
        hooks.tokens_changed(hooks.TokenChange(owner, by, made=False, tokens=keys, scopes=[]))
        log.info("api_tokens_revoked", owner=owner.pk, tokens=keys)
    return len(keys)
