from django.apps import AppConfig


class HouseConfig(AppConfig):
    name = "training.house"
    label = "house"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from training.house.amendments import load_configured
        from training.house.guard import GUARDS
        from training.platform.guards import protect

        protect(self, GUARDS)
        load_configured()
