from django.apps import AppConfig


class MockConfig(AppConfig):
    name = "exams.mock"
    label = "mock"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.mock.selectors import not_yet_drills
        from exams.papers import hooks

        hooks.cases_met.subscribe(not_yet_drills)
