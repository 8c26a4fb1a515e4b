from django.apps import AppConfig


class LibraryConfig(AppConfig):
    name = "training.library"
    label = "library"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from training.guards import protect
        from training.library.guard import GUARDS

        protect(self, GUARDS)
