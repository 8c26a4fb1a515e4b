from django.apps import AppConfig


class HomeConfig(AppConfig):
    name = "training.home"
    label = "home"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from training.home import hooks
        from training.home.instructors import work_of_instructors

        hooks.work_waiting.subscribe(work_of_instructors)
