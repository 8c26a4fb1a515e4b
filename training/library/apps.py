from django.apps import AppConfig


class LibraryConfig(AppConfig):
    name = "training.library"
    label = "library"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from training.library.guard import FAR_GUARDS, GUARDS
        from training.platform.guards import protect, protect_far

        protect(self, GUARDS)
        protect_far(self, FAR_GUARDS)
