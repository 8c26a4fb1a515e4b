"""The one clock of exams and certificates. Everything that depends on the time takes it as a value or asks here."""

from datetime import date, datetime

from django.utils import timezone


def now() -> datetime:
    return timezone.now()


def today() -> date:
    """The date in the house's time zone."""
    return timezone.localdate(now(), timezone.get_default_timezone())
