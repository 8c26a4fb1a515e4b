from django.apps import AppConfig


class ProgrammesConfig(AppConfig):
    name = "exams.programmes"
    label = "programmes"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.programmes.guard import GUARDS
        from training.platform.guards import protect

        protect(self, GUARDS)
