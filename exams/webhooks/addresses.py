"""Where webhooks may be sent. People type these addresses, so they must not reach the platform itself or its private
network, unless the operator says that the house's systems are there."""

import ipaddress
import socket
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from training.platform.errors import Unfit

Place = ipaddress.IPv4Address | ipaddress.IPv6Address

# All public IPv6 addresses. NAT64 (64:ff9b::/96, 64:ff9b:1::/48) and IPv4 mapped to IPv6 are not.
UNICAST = ipaddress.ip_network("2000::/3")
# Teredo and the rest of 2001::/23, 6to4, documentation.
CARRYING = [ipaddress.ip_network(text) for text in ("2001::/23", "2002::/16", "2001:db8::/32", "3fff::/20")]
CARRYING_4 = [ipaddress.ip_network("192.88.99.0/24")]  # the former 6to4 relays
ISATAP = (0x0000_5EFE, 0x0200_5EFE)  # the third quarter of an address that ends in an IPv4 address


class UnfitAddress(Unfit):
    field = "address"


class Forbidden(OSError):
    """The name resolves to a forbidden address."""


def verify_address(address: str) -> None:
    """Raises UnfitAddress unless this is a valid URL that may be used, as far as its text shows."""
    try:
        parts = urlsplit(address)
        _port = parts.port
        # As it will be sent: reject names that cannot be resolved and paths that cannot be requested.
        (parts.hostname or "").encode("idna")
        f"{parts.path}{parts.query}".encode("ascii")
    except ValueError:
        raise UnfitAddress(_("This is not a web address.")) from None
    if not parts.hostname or parts.username or parts.fragment:
        raise UnfitAddress(_("This is not a web address."))
    if parts.scheme != "https" and not (parts.scheme == "http" and settings.WEBHOOKS_INSIDE):
        raise UnfitAddress(_("Only addresses that begin with https:// are allowed."))
    place = _read(parts.hostname)  # names are resolved when a message is sent
    try:
        if place is not None:
            verify_place(place)
    except Forbidden:
        raise UnfitAddress(_("This address leads into the platform's own network.")) from None


def verify_place(place: Place) -> None:
    """Raises Forbidden if this IP address may not be used."""
    if not settings.WEBHOOKS_INSIDE and not _is_outside(place):
        raise Forbidden(str(place))


def _is_outside(place: Place) -> bool:
    """Whether the address is public. One that embeds an IPv4 address may lead anywhere, so it is not."""
    if not place.is_global or place.is_multicast or place.is_reserved:
        return False
    if isinstance(place, ipaddress.IPv4Address):
        return not any(place in network for network in CARRYING_4)
    interface = (int(place) >> 32) & 0xFFFF_FFFF
    return place in UNICAST and interface not in ISATAP and not any(place in network for network in CARRYING)


def _read(host: str) -> Place | None:
    """The IP address a host is written as, including short forms such as 127.1; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except (OSError, ValueError):
        return None
