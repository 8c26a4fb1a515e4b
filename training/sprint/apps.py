from django.apps import AppConfig


class SprintConfig(AppConfig):
    name = "training.sprint"
    label = "sprint"
    default_auto_field = "django.db.models.BigAutoField"
