from datetime import timedelta
from typing import Any

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "exams.webhooks"
    label = "webhooks"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.certificates.signals import acted
        from exams.webhooks import selectors, services
        from training.platform import pending, sealing

        sealing.keep("secrets of other systems", services.reseal)
        acted.connect(_tell, dispatch_uid="webhooks tell of certificates")
        # A system that is away is tried again later and does not make the platform unready.
        pending.watch(
            "messages to other systems",
            queue="background",
            waiting=selectors.waiting,
            since="due_at",
            given_up=selectors.given_up,
            patience=timedelta(minutes=30),
        )


def _tell(act: Any, **_: Any) -> None:
    from exams.webhooks.services import write

    write(act)
