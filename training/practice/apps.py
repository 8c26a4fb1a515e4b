from django.apps import AppConfig


class PracticeConfig(AppConfig):
    name = "training.practice"
    label = "practice"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from training.operations import hooks as operations_hooks
        from training.platform import hooks as platform_hooks
        from training.practice import selectors

        platform_hooks.owed_work.subscribe(selectors.owed_work)
        operations_hooks.grading_times.subscribe(selectors.grading_times)
