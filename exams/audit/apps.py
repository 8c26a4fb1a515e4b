from django.apps import AppConfig


class AuditConfig(AppConfig):
    name = "exams.audit"
    label = "audit"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.audit.guard import GUARDS
        from exams.audit.sealing import resealed
        from training import seal
        from training.guards import protect

        protect(self, GUARDS)
        seal.tell(resealed)
