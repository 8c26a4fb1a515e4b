from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "training.people"
    label = "people"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from training.operations.metrics import gauges
        from training.people import (
            demo,  # noqa: F401 (registers its system check)
            second_factor,
            spraying,
        )
        from training.people.guard import GUARDS
        from training.platform import sealing
        from training.platform.guards import protect

        protect(self, GUARDS)
        sealing.keep("second factors", second_factor.reseal)
        meaning = "Accounts on which a wrong password was typed from an unknown device, and no right one since, in"
        gauges.count("accounts_guessed_hour", f"{meaning} the last hour.", spraying.in_an_hour)
        gauges.count("accounts_guessed_day", f"{meaning} the last day.", spraying.in_a_day)
