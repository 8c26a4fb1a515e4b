from django.apps import AppConfig


class SittingsConfig(AppConfig):
    name = "exams.sittings"
    label = "sittings"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.guards import SITTINGS
        from training.guards import protect

        protect(self, SITTINGS)
