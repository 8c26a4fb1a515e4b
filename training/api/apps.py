from typing import Any

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "training.api"
    label = "api"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from allauth.account import signals as accounts
        from allauth.mfa import signals as factors

        # Whoever changes how they sign in may do so because somebody else could: programs must be let in anew.
        for changed in (accounts.password_changed, accounts.password_reset, factors.authenticator_removed):
            changed.connect(_forget_tokens, dispatch_uid="training.api.forget_tokens")


def _forget_tokens(user: Any, **_kwargs: Any) -> None:
    from training.api.tokens import revoke_all

    revoke_all(user)
