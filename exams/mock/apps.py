from django.apps import AppConfig


class MockConfig(AppConfig):
    name = "exams.mock"
    label = "mock"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.mock.selectors import not_yet_drills
        from exams.papers.knowledge import ask_what_was_met

        ask_what_was_met(not_yet_drills)
