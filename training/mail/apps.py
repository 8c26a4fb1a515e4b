from datetime import timedelta

from django.apps import AppConfig


class MailConfig(AppConfig):
    name = "training.mail"
    label = "mail"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from training.mail import selectors
        from training.mail.guard import GUARDS
        from training.platform import pending
        from training.platform.guards import protect

        protect(self, GUARDS)
        # One that failed is due again later: a mail server that is away does not make the platform unready.
        pending.watch(
            "mails to be sent",
            queue="background",
            waiting=selectors.waiting,
            since="due_at",
            given_up=selectors.given_up,
            patience=timedelta(minutes=30),
        )
