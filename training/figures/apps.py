from django.apps import AppConfig


class FiguresConfig(AppConfig):
    name = "training.figures"
    label = "figures"
    default_auto_field = "django.db.models.BigAutoField"
