from django.apps import AppConfig


class ResultsConfig(AppConfig):
    name = "exams.results"
    label = "results"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.results import grading, selectors
        from exams.results.guard import FAR_GUARDS, GUARDS
        from exams.sittings import hooks as sittings_hooks
        from training.operations import hooks as operations_hooks
        from training.platform import hooks as platform_hooks
        from training.platform.guards import protect, protect_far

        protect(self, GUARDS)
        protect_far(self, FAR_GUARDS)
        sittings_hooks.sitting_closed.subscribe(grading.wake_grader)
        platform_hooks.owed_work.subscribe(selectors.owed_work)
        operations_hooks.grading_times.subscribe(selectors.grading_times)
