"""Where messages may be sent. An address is typed by a person, so it must not lead the platform to talk to itself or
to what only its own network reaches, unless whoever runs it says that the house's systems are there."""

import http.client
import ipaddress
import socket
import ssl
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from training.refusal import Unfit

TIMEOUT = 10.0  # seconds for each word of the other system


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
        raise UnfitAddress(_("This is not an address of the web.")) from None
    if not parts.hostname or parts.username or parts.fragment:
        raise UnfitAddress(_("This is not an address of the web."))
    if parts.scheme != "https" and not (parts.scheme == "http" and settings.WEBHOOKS_INSIDE):
        raise UnfitAddress(_("Only addresses that begin with https:// are written to."))
    try:
        _verify_place(ipaddress.ip_address(parts.hostname))
    except Forbidden:
        raise UnfitAddress(_("This address leads into the platform's own network.")) from None
    except ValueError:
        pass  # a name, which is looked up when a message goes out


def connection(parts: SplitResult) -> http.client.HTTPConnection:
    """To the machine that the name leads to now, looked at before it is spoken to and not looked up again."""
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    place = str(found[0][4][0])
    _verify_place(ipaddress.ip_address(place))
    made = http.client.HTTPConnection(host, port, timeout=TIMEOUT)
    made.sock = socket.create_connection((place, port), timeout=TIMEOUT)
    if parts.scheme == "https":
        made.sock = ssl.create_default_context().wrap_socket(made.sock, server_hostname=host)
    return made


def _verify_place(place: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    if not place.is_global and not settings.WEBHOOKS_INSIDE:
        raise Forbidden(str(place))
