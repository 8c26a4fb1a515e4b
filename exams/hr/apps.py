from django.apps import AppConfig


class HrConfig(AppConfig):
    name = "exams.hr"
    label = "hr"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.hr import exports, staff_import
        from training.platform import hooks
        from training.platform.folded_text import teach_sqlite

        teach_sqlite()
        hooks.owed_work.subscribe(exports.owed_work)
        hooks.owed_work.subscribe(staff_import.owed_work)
