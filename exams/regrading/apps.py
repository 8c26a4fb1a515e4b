from django.apps import AppConfig


class RegradingConfig(AppConfig):
    name = "exams.regrading"
    label = "regrading"
    default_auto_field = "django.db.models.BigAutoField"
