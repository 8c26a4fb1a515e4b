from typing import Any
from uuid import UUID

from django.apps import AppConfig


class CertificatesConfig(AppConfig):
    name = "exams.certificates"
    label = "certificates"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.certificates.guard import GUARDS
        from exams.results.signals import decided
        from training.guards import protect

        protect(self, GUARDS)
        decided.connect(_wake, dispatch_uid="certificates follow results")


def _wake(result_id: UUID, **_: Any) -> None:
    from training.broker import send_on_commit

    send_on_commit("exams.certificates.tasks.follow_result", str(result_id))
