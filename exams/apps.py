from django.apps import AppConfig


class ExamsConfig(AppConfig):
    name = "exams"
    default_auto_field = "django.db.models.BigAutoField"
