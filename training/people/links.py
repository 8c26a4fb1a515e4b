"""Links for setting a password without knowing the current one.

A link expires when the password or the address changes, at the next sign-in, and when all sessions of the account are
ended (closing and reopening it does that). It never sets the password of a closed account, nor of anybody who may not
use one (`people.sign_on`).
"""

import time
from datetime import datetime, timedelta

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db.models import Q

from training.people import sign_on
from training.people.models import User

# A newer link ends an older one, but not at once: otherwise a stranger who keeps requesting links could stop the owner
# from using any.
OVERLAP = timedelta(hours=1)
_signer = Signer(salt="sabot password link")


class LinkTokens:
    """Makes and checks the token of a link, with the interface that django-allauth expects."""

    def make_token(self, user: User, made: int | None = None) -> str:
        """The token of a link made now, or at the given second."""
        made = int(time.time()) if made is None else made
        return f"{made:x}-{_signer.signature(_state(user, made))}"

    def check_token(self, user: User | None, token: str | None) -> bool:
        """Whether the link may set this person's password now."""
        stamp, dash, signature = (token or "").partition("-")
        try:
            made = int(stamp, 16)
        except ValueError:
            return False
        if user is None or not dash or not user.is_active or _is_over(user, made):
            return False
        if not sign_on.may_use_password(user):
            return False
        try:
            _signer.unsign(f"{_state(user, made)}{_signer.sep}{signature}")
        except BadSignature:
            return False
        return True


def went_out(user: User, made: int) -> None:
    """Record that a mail with a link made at that second was sent, so that older links expire soon."""
    at = datetime.fromtimestamp(made).astimezone()
    User.objects.filter(Q(link_sent_at=None) | Q(link_sent_at__lt=at), pk=user.pk).update(link_sent_at=at)


def _is_over(user: User, made: int) -> bool:
    newest = int(user.link_sent_at.timestamp()) if user.link_sent_at else 0
    return int(time.time()) - made > settings.PASSWORD_RESET_TIMEOUT or made + OVERLAP // timedelta(seconds=1) < newest


def _state(user: User, made: int) -> str:
    parts = (user.pk, user.password, user.email.lower(), user.last_login, user.sessions_ended, made)
    return "|".join(str(part) for part in parts)
