"""The badge: an image of the programme with the holder's credential baked in, as in Open Badges 3.0."""

import json
import struct
import zlib
from hashlib import sha256
from pathlib import Path
from typing import Literal

from django.conf import settings
from django.core.cache import cache

from exams.certificates.credential import credential
from exams.certificates.models import Certificate
from exams.programmes.models import ProgrammeVersion
from exams.typesetting import compiler, one_file

Kind = Literal["png", "svg"]
TEMPLATE = Path(__file__).with_name("badge.typ")
CONTENT_TYPES: dict[Kind, str] = {"png": "image/png", "svg": "image/svg+xml"}
KEYWORD = b"openbadgecredential"
NAMESPACE = "https://purl.imsglobal.org/ob/v3p0"
DAY = 24 * 60 * 60
END = b"\0\0\0\0IEND"  # the start of a PNG's last chunk


def baked(certificate: Certificate, kind: Kind) -> bytes:
    """The image with the signed credential inside, in one file."""
    picture, token = drawn(certificate.programme_version, kind), credential(certificate)
    return _into_png(picture, token) if kind == "png" else _into_svg(picture, token)


def drawn(version: ProgrammeVersion, kind: Kind) -> bytes:
    """The plain image, the same for everybody certified in the programme. Cached, because it is public."""
    data = json.dumps({"name": version.name(settings.LANGUAGE_CODE), "language": settings.LANGUAGE_CODE})
    key = f"badge:{kind}:{sha256(TEMPLATE.read_bytes() + data.encode()).hexdigest()}"
    kept: bytes | None = cache.get(key)
    if kept is None:
        kept = one_file(compiler(TEMPLATE).compile(format=kind, ppi=144, sys_inputs={"data": data}))
        cache.set(key, kept, DAY)
    return kept


def _into_png(picture: bytes, token: str) -> bytes:
    """Adds the token as an uncompressed text chunk before the last chunk."""
    body = b"iTXt" + KEYWORD + b"\0\0\0\0\0" + token.encode()
    part = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    at = picture.rindex(END)
    return picture[:at] + part + picture[at:]


def _into_svg(picture: bytes, token: str) -> bytes:
    """Adds the token as an element right after the opening tag. Tokens need no XML escaping."""
    opening, closing, rest = picture.decode().partition(">")
    inside = f'<openbadges:credential verify="{token}"></openbadges:credential>'
    return f'{opening} xmlns:openbadges="{NAMESPACE}">{inside}{rest}'.encode() if closing else picture
