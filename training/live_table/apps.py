from django.apps import AppConfig


class LiveTableConfig(AppConfig):
    name = "training.live_table"
    label = "live_table"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from training.classes import hooks
        from training.live_table.teaching import tables_set

        hooks.tables_set.subscribe(tables_set)
