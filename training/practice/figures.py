"""Whether the figures of a cloth are drawn as printed, facing the players, or turned to the reader."""

from django.http import HttpRequest

COOKIE = "figures"  # a choice of the device, which drill-table.js writes
CHOICES = {"printed": True, "reader": False}
PRINTED_FROM = 3  # the level from which a trainee reads the cloth as it lies there


def as_printed(request: HttpRequest, level: int) -> bool:
    """What the reader has chosen, else what suits the level."""
    return CHOICES.get(request.COOKIES.get(COOKIE, ""), level >= PRINTED_FROM)
