from django.apps import AppConfig


class HomeConfig(AppConfig):
    name = "training.home"
    label = "home"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from training.home.instructors import work_of_instructors
        from training.home.worklist import ask_what_waits

        ask_what_waits(work_of_instructors)
