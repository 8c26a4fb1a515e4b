"""Reading the house's settings: what an administrator has said, within what the installation was given."""

from django.conf import settings

from training.house.models import ONLY, House


def current() -> House:
    """As it is now; before an administrator has said anything, what the installation was given (`ISSUER_NAME`)."""
    found = House.objects.select_related("logo").filter(pk=ONLY).first()
    return found or House(name=settings.ISSUER_NAME)


def languages(house: House | None = None) -> list[tuple[str, str]]:
    """In which its people read and are written to: codes with names, at least one, in the installation's order."""
    chosen = (house or current()).languages
    all_of_them = [(code, str(name)) for code, name in settings.LANGUAGES]
    return [pair for pair in all_of_them if pair[0] in chosen] or all_of_them


def first_language() -> str:
    """Of who has not chosen one: the installation's where the house has it, else the first it has."""
    offered = [code for code, _name in languages()]
    return settings.LANGUAGE_CODE if settings.LANGUAGE_CODE in offered else offered[0]


def second_factor_demanded(house: House | None = None) -> bool:
    """The installation may demand it whatever the house says; the house may where the installation does not."""
    return bool(settings.SECOND_FACTOR_REQUIRED) or (house or current()).second_factor


def practice_kept_days() -> int | None:
    """How long practice is kept after somebody left, by the shorter of both; None: until the person is erased."""
    said = [days for days in (current().practice_kept_days, settings.PRACTICE_KEPT_DAYS) if days is not None]
    return min(said, default=None)
