from django.apps import AppConfig


class MockConfig(AppConfig):
    name = "exams.mock"
    label = "mock"
    default_auto_field = "django.db.models.BigAutoField"
