"""Uploaded logos: checked, measured and redrawn, so that only the pixels are kept."""

import base64
import struct
from pathlib import Path

from django.utils.translation import gettext_lazy as _

from training.platform.errors import Unfit
from training.platform.uploads import reader

TEMPLATE = Path(__file__).with_name("logo.typ")
MAX_BYTES = 256 * 1024
MAX_SIDE = 2000  # pixels, as uploaded
KEPT_SIDE = 600  # pixels, as kept: 50 mm at the finest print
SIGNATURE = b"\x89PNG\r\n\x1a\n"
HEADER = struct.Struct(">I4sII")  # length and name of the first chunk, width, height
PART = struct.Struct(">I4s")
NEEDED = {b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"}


class UnfitLogo(Unfit):
    field = "logo"


def redrawn(content: bytes) -> bytes:
    """The image as a PNG of our own making, no larger than printed. Raises UnfitLogo if it is not a usable image."""
    width, height = _measured(content)
    scale = min(1, KEPT_SIDE / max(width, height))
    drawn = {"width": max(1, round(width * scale)), "height": max(1, round(height * scale))}
    try:
        made = reader.read("picture", _needed(content), template=str(TEMPLATE), **drawn)
    except reader.Unreadable:
        raise UnfitLogo(_("This PNG image cannot be read.")) from None
    except reader.TooCostly:
        raise UnfitLogo(reader.too_costly()) from None
    return base64.b64decode(made)


def _needed(content: bytes) -> bytes:
    """Header, palette, transparency and pixels only. Other chunks may unpack to a thousand times their size."""
    kept, at = [SIGNATURE], len(SIGNATURE)
    while at + 12 <= len(content):
        length, name = PART.unpack_from(content, at)
        end = at + 12 + length
        if name in NEEDED:
            kept.append(content[at:end])
        at = end
    return b"".join(kept)


def _measured(content: bytes) -> tuple[int, int]:
    """Width and height from the header, before anything is unpacked. Raises UnfitLogo."""
    if len(content) > MAX_BYTES:
        raise UnfitLogo(_("The image is larger than %(limit)d KB.") % {"limit": MAX_BYTES // 1024})
    if not content.startswith(SIGNATURE) or len(content) < len(SIGNATURE) + HEADER.size:
        raise UnfitLogo(_("Only a PNG image can be the logo."))
    _length, name, width, height = HEADER.unpack_from(content, len(SIGNATURE))
    if name != b"IHDR" or not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE):
        raise UnfitLogo(_("The image may be at most %(limit)d pixels wide and high.") % {"limit": MAX_SIDE})
    return width, height
