from django.apps import AppConfig


class HrConfig(AppConfig):
    name = "exams.hr"
    label = "hr"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.folded_text import teach_sqlite
        from exams.hr import exports
        from training.platform import pending

        teach_sqlite()
        pending.watch(
            "exports to be made",
            queue="background",
            waiting=exports.waiting,
            since="asked_at",
            given_up=exports.given_up,
            patience=exports.PATIENCE,
        )
