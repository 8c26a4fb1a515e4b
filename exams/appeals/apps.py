from django.apps import AppConfig


class AppealsConfig(AppConfig):
    name = "exams.appeals"
    label = "appeals"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.appeals.guard import GUARDS, protect_reviews
        from training.guards import protect

        protect(self, GUARDS)
        protect_reviews(self)
