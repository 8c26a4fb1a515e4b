"""The settings of the house, within the limits of the installation."""

from django.conf import settings

from training.house.models import ONLY, House


def current() -> House:
    """The settings of the house; until an administrator saves them, those of the installation (`ISSUER_NAME`)."""
    found = House.objects.select_related("logo").filter(pk=ONLY).first()
    return found or House(name=settings.ISSUER_NAME)


def languages(house: House | None = None) -> list[tuple[str, str]]:
    """The languages of the house as (code, name), at least one, in the installation's order."""
    chosen = (house or current()).languages
    all_of_them = [(code, str(name)) for code, name in settings.LANGUAGES]
    return [pair for pair in all_of_them if pair[0] in chosen] or all_of_them


def first_language() -> str:
    """The default language: the installation's if the house has it, else the first of the house."""
    offered = [code for code, _name in languages()]
    return settings.LANGUAGE_CODE if settings.LANGUAGE_CODE in offered else offered[0]


def second_factor_demanded(house: House | None = None) -> bool:
    """Whether the installation or the house requires a second factor."""
    return bool(settings.SECOND_FACTOR_REQUIRED) or (house or current()).second_factor


def practice_kept_days() -> int | None:
    """How long practice is kept after somebody left, the shorter of both settings; None: until erased."""
    said = [days for days in (current().practice_kept_days, settings.PRACTICE_KEPT_DAYS) if days is not None]
    return min(said, default=None)
