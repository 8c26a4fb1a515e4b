from django.apps import AppConfig


class MasteryConfig(AppConfig):
    name = "training.mastery"
    label = "mastery"
    default_auto_field = "django.db.models.BigAutoField"
