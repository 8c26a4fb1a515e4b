from django.apps import AppConfig


class AppealsConfig(AppConfig):
    name = "exams.appeals"
    label = "appeals"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.appeals.guard import GUARDS, REVIEWS
        from exams.appeals.selectors import contested_sittings
        from exams.results import hooks
        from training.platform.guards import protect, protect_far

        protect(self, GUARDS)
        protect_far(self, REVIEWS)
        hooks.contested_sittings.subscribe(contested_sittings)
