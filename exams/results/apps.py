from django.apps import AppConfig


class ResultsConfig(AppConfig):
    name = "exams.results"
    label = "results"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.results import grading, selectors
        from exams.results.guard import FAR_GUARDS, GUARDS
        from exams.sittings.signals import closed
        from training.operations.metrics import gauges
        from training.platform import pending
        from training.platform.guards import protect, protect_far

        protect(self, GUARDS)
        protect_far(self, FAR_GUARDS)
        closed.connect(grading.wake_grader, dispatch_uid="grade what was closed")
        pending.watch(
            "exams to be graded",
            queue="exams",
            waiting=grading.ungraded,
            since="closed_at",
            given_up=selectors.given_up,
        )
        pending.watch("letters of results", queue="exams", waiting=selectors.letters_owed, since="released_at")
        gauges.time("exams", selectors.times_to_grade)
