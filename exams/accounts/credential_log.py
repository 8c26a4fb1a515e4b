"""Audits every API token and second factor that is created, renewed or removed, without its secret."""

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added, authenticator_removed, authenticator_reset

from exams.audit.services import record
from training.api.hooks import TokenChange
from training.people.models import User


def watch() -> None:
    """Record every change of a second factor from now on. For `AppConfig.ready`."""
    authenticator_added.connect(_set_up, dispatch_uid="second factor set up")
    authenticator_reset.connect(_renewed, dispatch_uid="second factor renewed")
    authenticator_removed.connect(_taken_away, dispatch_uid="second factor taken away")


def token_changed(change: TokenChange) -> None:
    about = {"tokens": change.tokens} | ({"scopes": change.scopes} if change.made else {})
    record(change.by, "token.made" if change.made else "token.revoked", f"person:{change.owner.pk}", **about)


def _set_up(user: User, authenticator: Authenticator, **_: Any) -> None:
    record(user, "second_factor.set_up", f"person:{user.pk}", kind=authenticator.type)


def _renewed(user: User, authenticator: Authenticator, **_: Any) -> None:
    record(user, "second_factor.renewed", f"person:{user.pk}", kind=authenticator.type)


def _taken_away(user: User, authenticator: Authenticator, **_: Any) -> None:
    record(user, "second_factor.taken_away", f"person:{user.pk}", kind=authenticator.type)
