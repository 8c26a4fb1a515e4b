from django.apps import AppConfig


class MailConfig(AppConfig):
    name = "training.mail"
    label = "mail"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from training.mail import selectors
        from training.mail.guard import GUARDS
        from training.platform import hooks
        from training.platform.guards import protect

        protect(self, GUARDS)
        hooks.owed_work.subscribe(selectors.owed_work)
