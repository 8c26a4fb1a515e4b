from django.apps import AppConfig


class PlatformConfig(AppConfig):
    name = "training.platform"
    label = "platform"
    default_auto_field = "django.db.models.BigAutoField"
