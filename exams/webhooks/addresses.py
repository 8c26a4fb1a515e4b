"""Where messages may be sent. An address is typed by a person, so it must not lead the platform to talk to itself or
to what only its own network reaches, unless whoever runs it says that the house's systems are there."""

import ipaddress
import socket
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from training.platform.errors import Unfit

Place = ipaddress.IPv4Address | ipaddress.IPv6Address

# Every public IPv6 machine is in here. NAT64 (64:ff9b::/96, 64:ff9b:1::/48) and IPv4 written as IPv6 are not.
UNICAST = ipaddress.ip_network("2000::/3")
# Teredo and the rest of 2001::/23, 6to4, documentation.
CARRYING = [ipaddress.ip_network(text) for text in ("2001::/23", "2002::/16", "2001:db8::/32", "3fff::/20")]
CARRYING_4 = [ipaddress.ip_network("192.88.99.0/24")]  # where 6to4 was relayed
ISATAP = (0x0000_5EFE, 0x0200_5EFE)  # the third quarter of an address that ends in one of IPv4


class UnfitAddress(Unfit):
    field = "address"


class Forbidden(OSError):
    """The name leads to a place that may not be written to."""


def verify_address(address: str) -> None:
    """Whether this is an address at all, and one that may be written to as far as its text says."""
    try:
        parts = urlsplit(address)
        _port = parts.port
        # As it will be spoken: a name that cannot be looked up, or a path that cannot be asked for.
        (parts.hostname or "").encode("idna")
        f"{parts.path}{parts.query}".encode("ascii")
    except ValueError:
        raise UnfitAddress(_("This is not a web address.")) from None
    if not parts.hostname or parts.username or parts.fragment:
        raise UnfitAddress(_("This is not a web address."))
    if parts.scheme != "https" and not (parts.scheme == "http" and settings.WEBHOOKS_INSIDE):
        raise UnfitAddress(_("Only addresses that begin with https:// are allowed."))
    place = _read(parts.hostname)  # a name is looked up when a message goes out
    try:
        if place is not None:
            verify_place(place)
    except Forbidden:
        raise UnfitAddress(_("This address leads into the platform's own network.")) from None


def verify_place(place: Place) -> None:
    """Raises Forbidden if this machine may not be written to."""
    if not settings.WEBHOOKS_INSIDE and not _is_outside(place):
        raise Forbidden(str(place))


def _is_outside(place: Place) -> bool:
    """Whether the address is on the public network. One that carries an IPv4 address inside may lead anywhere."""
    if not place.is_global or place.is_multicast or place.is_reserved:
        return False
    if isinstance(place, ipaddress.IPv4Address):
        return not any(place in network for network in CARRYING_4)
    interface = (int(place) >> 32) & 0xFFFF_FFFF
    return place in UNICAST and interface not in ISATAP and not any(place in network for network in CARRYING)


def _read(host: str) -> Place | None:
    """The IP address that a host is written as, including old short forms such as 127.1; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except (OSError, ValueError):
        return None
