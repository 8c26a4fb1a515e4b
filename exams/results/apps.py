from django.apps import AppConfig


class ResultsConfig(AppConfig):
    name = "exams.results"
    label = "results"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.guards import RESULTS
        from training.guards import protect

        protect(self, RESULTS)
