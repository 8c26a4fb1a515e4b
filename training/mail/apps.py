from datetime import timedelta

from django.apps import AppConfig


class MailConfig(AppConfig):
    name = "training.mail"
    label = "mail"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from training import owed
        from training.guards import protect
        from training.mail import selectors
        from training.mail.guard import GUARDS

        protect(self, GUARDS)
        # One that failed is due again later: a mail server that is away does not make the platform unready.
        owed.watch(
            "mails to be sent",
            queue="background",
            waiting=selectors.waiting,
            since="due_at",
            given_up=selectors.given_up,
            patience=timedelta(minutes=30),
        )
