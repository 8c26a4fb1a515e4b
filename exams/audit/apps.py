from django.apps import AppConfig


class AuditConfig(AppConfig):
    name = "exams.audit"
    label = "audit"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.audit.guard import GUARDS
        from exams.audit.resealing import resealed
        from training.platform import hooks
        from training.platform.guards import protect

        protect(self, GUARDS)
        hooks.secrets_resealed.subscribe(resealed)
