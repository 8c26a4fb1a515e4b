from django.apps import AppConfig


class HouseOfficeConfig(AppConfig):
    """No tables of its own: those of the house are in `training.house`. Here for its commands."""

    name = "exams.house_office"
    label = "house_office"
