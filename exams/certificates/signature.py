"""Signs credentials and opens them with nothing but the published keys. No Django.

Strict on purpose: there is exactly one way to write a credential (no padding, no spare bits, exactly three headers), so
that no byte can change unnoticed.
"""

import base64
import binascii
import gzip
import zlib
from collections.abc import Mapping
from typing import Any

import msgspec
from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import RSAKey

ALGORITHM = "RS256"  # required by Open Badges 3.0, so every verifier supports it
TYPE = "JWT"
MAX_TOKEN = 512 * 1024
MAX_LIST = 4 * 1024 * 1024  # bytes of an unpacked status list


class NotGenuine(Exception):
    """It was not signed this way by the issuer; the message says what is wrong."""


def sign(payload: Mapping[str, Any], key: RSAKey, kid: str) -> str:
    header = {"alg": ALGORITHM, "typ": TYPE, "kid": kid}
    return jws.serialize_compact(header, msgspec.json.encode(payload), key, algorithms=[ALGORITHM])


def open_signed(token: str, keys: Mapping[str, Any]) -> dict[str, Any]:
    """The payload of a genuine token; `keys` is the published key set. Raises NotGenuine."""
    if len(token) > MAX_TOKEN or token.count(".") != 2:
        raise NotGenuine("it is not a signed credential")
    parts = [_unpacked(part) for part in token.split(".")]
    header = _json(parts[0], "header")
    if set(header) != {"alg", "typ", "kid"}:
        raise NotGenuine("it has other headers than alg, typ and kid")
    if header["alg"] != ALGORITHM or header["typ"] != TYPE:
        raise NotGenuine(f"it is not signed as {TYPE} with {ALGORITHM}")
    published = published_key(keys, header["kid"])
    try:
        key = RSAKey.import_key({name: published[name] for name in ("kty", "n", "e")})
        jws.deserialize_compact(token, key, algorithms=[ALGORITHM])
    except (JoseError, KeyError, TypeError, ValueError):
        raise NotGenuine("the signature does not fit") from None
    payload = _json(parts[1], "content")
    _verify_key_was_in_use(published, payload.get("iat"))
    return payload


def published_key(keys: Mapping[str, Any], kid: object) -> Mapping[str, Any]:
    found = [key for key in keys.get("keys", ()) if isinstance(key, Mapping) and kid == key.get("kid")]
    if len(found) != 1 or found[0].get("kty") != "RSA":
        raise NotGenuine("the issuer has published no such key")
    return found[0]


def _verify_key_was_in_use(key: Mapping[str, Any], signed_at: object) -> None:
    """Raises NotGenuine if the token was signed before the key existed or after it was retired."""
    if type(signed_at) is not int:
        raise NotGenuine("it does not say when it was signed")
    if signed_at < key.get("iat", 0) or signed_at > key.get("exp", signed_at):
        raise NotGenuine("its key was not in use when it was signed")


def _unpacked(part: str) -> bytes:
    try:
        content = base64.urlsafe_b64decode(part.encode("ascii") + b"=" * (-len(part) % 4))
    except (binascii.Error, UnicodeEncodeError):
        raise NotGenuine("it is not a signed credential") from None
    if packed(content) != part:
        raise NotGenuine("it is not written as it was signed")
    return content


def packed(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def _json(content: bytes, what: str) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise NotGenuine(f"its {what} cannot be read")
    return value


# ---- status lists: one bit per certificate, leftmost first


def pack_bits(size: int, ones: list[int]) -> str:
    bits = bytearray(size // 8)
    for index in ones:
        bits[index // 8] |= 0x80 >> index % 8
    return "u" + packed(gzip.compress(bytes(bits), mtime=0))


def bit_of(encoded: str, index: int) -> bool:
    try:
        unpacker = zlib.decompressobj(wbits=31)
        bits = unpacker.decompress(_unpacked(encoded.removeprefix("u")), MAX_LIST)
    except zlib.error:
        raise NotGenuine("the status list cannot be read") from None
    if not 0 <= index < len(bits) * 8:
        raise NotGenuine("the status list is too short")
    return bool(bits[index // 8] & 0x80 >> index % 8)
