from django.apps import AppConfig


class TrainingConfig(AppConfig):
    name = "training"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from training import owed, seal
        from training.guards import protect
        from training.metrics import readings
        from training.people import (
            demo,  # noqa: F401 (registers its system check)
            second_factor,
        )
        from training.people.guard import GUARDS
        from training.practice import selectors

        protect(self, GUARDS)
        seal.keep("second factors", second_factor.reseal)
        owed.watch(
            "answers to be marked",
            queue="practice",
            waiting=selectors.unmarked,
            since="submitted_at",
            given_up=selectors.given_up,
        )
        readings.time("answers", selectors.times_to_mark)
