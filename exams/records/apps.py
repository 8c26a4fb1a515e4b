from django.apps import AppConfig


class RecordsConfig(AppConfig):
    name = "exams.records"
    label = "records"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.records.guard import FAR_GUARDS, GUARDS
        from training.platform.guards import protect, protect_far

        protect(self, GUARDS)
        protect_far(self, FAR_GUARDS)
