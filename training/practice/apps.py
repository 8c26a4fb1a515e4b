from django.apps import AppConfig


class PracticeConfig(AppConfig):
    name = "training.practice"
    label = "practice"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from training.operations.metrics import gauges
        from training.platform import pending
        from training.practice import selectors

        pending.watch(
            "answers to be marked",
            queue="practice",
            waiting=selectors.unmarked,
            since="submitted_at",
            given_up=selectors.given_up,
        )
        gauges.time("answers", selectors.times_to_mark)
