from django.apps import AppConfig


class PracticalConfig(AppConfig):
    name = "exams.practical"
    label = "practical"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.papers import hooks
        from exams.practical import preparing
        from exams.practical.guard import FAR_GUARDS, GUARDS
        from training.platform.guards import protect, protect_far

        protect(self, GUARDS)
        protect_far(self, FAR_GUARDS)
        hooks.tables_made.subscribe(preparing.make_tables)
        hooks.tables_dropped.subscribe(preparing.drop_tables)
