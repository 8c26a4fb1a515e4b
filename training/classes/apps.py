from django.apps import AppConfig


class ClassesConfig(AppConfig):
    name = "training.classes"
    label = "classes"
    default_auto_field = "django.db.models.BigAutoField"
