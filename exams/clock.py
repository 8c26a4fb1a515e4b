"""The clock for exams and certificates. Code that depends on the time takes it as an argument or asks here."""

from datetime import date, datetime

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

# The allowed range; leaves room for neighbouring days in every time zone.
FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2199, 12, 31)


def now() -> datetime:
    return timezone.now()


def today() -> date:
    """The date in the house's time zone."""
    return timezone.localdate(now(), timezone.get_default_timezone())


def verify_day(day: date) -> None:
    """Validator for form and API fields. Raises ValidationError."""
    if not FIRST_DAY <= day <= LAST_DAY:
        years = {"first": FIRST_DAY.year, "last": LAST_DAY.year}
        raise ValidationError(_("Choose a day in the years %(first)d to %(last)d.") % years)
