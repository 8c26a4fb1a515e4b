from typing import Any
from uuid import UUID

from django.apps import AppConfig


class CertificatesConfig(AppConfig):
    name = "exams.certificates"
    label = "certificates"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.certificates.guard import FAR_GUARDS, GUARDS
        from exams.certificates.keys import check_seal, reseal
        from exams.certificates.selectors import of_sitting
        from exams.results.certified import ask_for_certificate
        from exams.results.signals import annulled, decided
        from training.operations import health
        from training.platform import sealing
        from training.platform.guards import protect, protect_far

        protect(self, GUARDS)
        protect_far(self, FAR_GUARDS)
        ask_for_certificate(of_sitting)
        health.also("keys", check_seal)
        sealing.keep("signing keys", reseal)
        decided.connect(_wake, dispatch_uid="certificates follow results")
        annulled.connect(_wake, dispatch_uid="certificates follow annulments")


def _wake(result_id: UUID, **_: Any) -> None:
    from training.platform.broker import send_on_commit

    send_on_commit("exams.certificates.tasks.follow_result", str(result_id))
