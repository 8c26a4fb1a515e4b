from django.apps import AppConfig


class LiveTableConfig(AppConfig):
    name = "training.live_table"
    label = "live_table"
    default_auto_field = "django.db.models.BigAutoField"
