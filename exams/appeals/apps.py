from django.apps import AppConfig


class AppealsConfig(AppConfig):
    name = "exams.appeals"
    label = "appeals"
    default_auto_field = "django.db.models.BigAutoField"
