from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "training.people"
    label = "people"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from training.operations import hooks as operations_hooks
        from training.people import (
            demo,  # noqa: F401 (registers its system check)
            second_factor,
            sign_on,
            spraying,
        )
        from training.people.guard import GUARDS
        from training.platform import hooks as platform_hooks
        from training.platform.guards import protect

        protect(self, GUARDS)
        sign_on.never_without_confirmation()
        platform_hooks.reseal_secrets.subscribe(second_factor.reseal)
        operations_hooks.counts.subscribe(spraying.counts)
