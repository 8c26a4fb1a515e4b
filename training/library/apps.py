from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class LibraryConfig(AppConfig):
    name = "training.library"
    label = "library"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        post_migrate.connect(_guard, sender=self)


def _guard(using: str, **_: Any) -> None:
    from training.library.guard import install

    install(using)
