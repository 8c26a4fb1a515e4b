from django.apps import AppConfig


class HrConfig(AppConfig):
    name = "exams.hr"
    label = "hr"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.hr.folded import teach_sqlite

        teach_sqlite()
