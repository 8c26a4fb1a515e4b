from django.apps import AppConfig


class SignOnConfig(AppConfig):
    name = "exams.sign_on"
    label = "sign_on"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.sign_on import (
            checks,  # noqa: F401 (registers its system check)
            local_passwords,
        )
        from training.people import hooks

        hooks.break_glass_used.subscribe(local_passwords.note_use)
