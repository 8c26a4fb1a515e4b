from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "exams.accounts"
    label = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.accounts import credential_log
        from training.api import hooks

        hooks.tokens_changed.subscribe(credential_log.token_changed)
        credential_log.watch()
