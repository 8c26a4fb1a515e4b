from django.apps import AppConfig


class ResultsConfig(AppConfig):
    name = "exams.results"
    label = "results"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.results.grading import wake_grader
        from exams.results.guard import GUARDS
        from exams.sittings.signals import closed
        from training.guards import protect

        protect(self, GUARDS)
        closed.connect(wake_grader, dispatch_uid="grade what was closed")
