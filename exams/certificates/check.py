"""Checks a credential offline, with nothing but the issuer's published keys:

    python -m exams.certificates.check CREDENTIAL.jwt --keys jwks.json [--status LIST.jwt …] [--on 2026-11-16]

Prints the outcome and exits with 0 if the credential is valid, 3 if it is genuine but not valid on that date, 4 if it
cannot be trusted, 5 if it is genuine and in date but its status was not checked (it may be suspended or withdrawn), and
2 if the command line is wrong. Needs neither Django nor a network.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import msgspec

from exams.certificates.signature import NotGenuine, bit_of, open_signed

GOOD, USAGE, WORTHLESS, UNTRUSTED, UNASKED = 0, 2, 3, 4, 5
# What a set bit means in each list.
MEANING = {
    "revocation": "it was withdrawn or replaced, or its scope was reduced: ask the holder for the present one",
    "suspension": "it is suspended",
}
# In credentials signed before November 2026, which name one list.
ALL_IN_ONE = "it is suspended, withdrawn or replaced, or its scope was reduced"


class Worthless(Exception):
    """Genuine, but not valid on that date; the message says why."""


@dataclass(frozen=True)
class Found:
    """The contents of a valid credential."""

    holder: str
    number: str
    programme: str
    entitles: str
    issuer: str
    valid_from: date
    valid_until: date
    # The purposes of the status lists that were checked.
    statuses: tuple[str, ...]
    # Whether all lists named by the credential were checked.
    asked: bool


def check(token: str, keys: Mapping[str, Any], *, on: date, lists: Sequence[str] = (), issuer: str = "") -> Found:
    """Returns what the credential says. Raises NotGenuine or Worthless if it is not valid."""
    claims = open_signed(token, keys)
    expected = issuer or keys.get("issuer")
    try:
        begins, ends = _verify_credential(claims, expected)
        if on > ends:  # whatever the lists say, and however old they are
            raise Worthless(f"it expired: its last day was {ends}")
        subject = claims["credentialSubject"]
        statuses = [_status(claims, keys, text, on) for text in lists]
        found = Found(
            holder=subject["identifier"][0]["identityHash"],
            number=subject["licenseNumber"],
            programme=claims["name"],
            entitles=subject["narrative"],
            issuer=claims["issuer"]["name"],
            valid_from=begins,
            valid_until=ends,
            statuses=tuple(statuses),
            asked=len(set(statuses)) == len(_entries(claims)),
        )
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        raise NotGenuine("it does not have the shape of a certificate") from None
    if on < begins:
        raise Worthless(f"it is valid only from {begins}")
    return found


def _verify_credential(claims: Mapping[str, Any], expected: object) -> tuple[date, date]:
    if not expected or claims["iss"] != expected or claims["issuer"]["id"] != expected:
        raise NotGenuine("it is from another issuer")
    if "OpenBadgeCredential" not in claims["type"]:
        raise NotGenuine("it is not a certificate")
    if claims["jti"] != claims["id"] or claims["sub"] != claims["credentialSubject"]["id"]:
        raise NotGenuine("it contradicts itself")
    return _days(claims)


def _days(claims: Mapping[str, Any]) -> tuple[date, date]:
    """The first and last day, in the issuer's time zone."""
    begins, ends = (datetime.fromisoformat(claims[name]) for name in ("validFrom", "validUntil"))
    if (int(begins.timestamp()), int(ends.timestamp())) != (claims["nbf"], claims["exp"]):
        raise NotGenuine("it contradicts itself")
    return begins.date(), ends.date()


def _status(claims: Mapping[str, Any], keys: Mapping[str, Any], text: str, on: date) -> str:
    """Looks the credential up in one status list and returns that list's purpose. Raises Worthless if its bit is
    set."""
    status_list = open_signed(text, keys)
    entries = [entry for entry in _entries(claims) if entry["statusListCredential"] == status_list["id"]]
    subject = status_list["credentialSubject"]
    if status_list["iss"] != claims["iss"] or "BitstringStatusListCredential" not in status_list["type"] or not entries:
        raise NotGenuine("the status list is not the one that the credential names")
    entry = entries[0]
    purpose: str = entry["statusPurpose"]
    meaning = ALL_IN_ONE if len(_entries(claims)) == 1 else MEANING.get(purpose, f"its status says {purpose}")
    if subject["statusPurpose"] != purpose:
        raise NotGenuine("the status list is not the one that the credential names")
    _begins, ends = _days(status_list)
    if on > ends:
        raise NotGenuine(f"the status list is out of date: it was good until {ends}; fetch {status_list['id']} again")
    if bit_of(subject["encodedList"], int(entry["statusListIndex"])):
        raise Worthless(meaning)
    return purpose


def _entries(claims: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The status entries: one, or a list of them."""
    entries = claims["credentialStatus"]
    return entries if isinstance(entries, list) else [entries]


# ---- the command


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m exams.certificates.check", description="Check a credential offline."
    )
    parser.add_argument("credential", type=Path, help="the credential (.jwt file)")
    parser.add_argument("--keys", type=Path, required=True, help="the issuer's keys: /.well-known/jwks.json")
    parser.add_argument(
        "--status",
        type=Path,
        action="append",
        default=[],
        help="a status list named by the credential; may be repeated",
    )
    parser.add_argument("--on", type=date.fromisoformat, help="the date to check (default: today)")
    parser.add_argument("--issuer", default="", help="the issuer's URL (default: the one in the key file)")
    given = parser.parse_args(arguments)
    on = given.on or datetime.now(UTC).astimezone().date()
    try:
        keys = msgspec.json.decode(given.keys.read_bytes(), type=dict)
        token, lists = _read(given.credential), [_read(path) for path in given.status]
    except (OSError, msgspec.DecodeError) as error:
        return _say(USAGE, f"Cannot read: {error}")
    try:
        found = check(token, keys, on=on, lists=lists, issuer=given.issuer)
    except NotGenuine as why:
        return _say(UNTRUSTED, f"NOT TO BE TRUSTED: {why}.")
    except Worthless as why:
        return _say(WORTHLESS, f"NOT VALID on {on}: {why}.")
    return _say(GOOD if found.asked else UNASKED, "\n".join(_words(found, on)))


def _words(found: Found, on: date) -> list[str]:
    return [
        f"VALID on {on}." if found.asked else f"GENUINE and in date on {on}, but its STATUS WAS NOT CHECKED.",
        f"{found.holder}, certificate {found.number}: {found.programme}",
        found.entitles,
        f"issued by {found.issuer}, valid from {found.valid_from} until {found.valid_until}",
        f"status lists checked: {', '.join(found.statuses)}"
        if found.asked
        else "it may be suspended or withdrawn: give what it names in credentialStatus with --status",
    ]


def _read(path: Path) -> str:
    # Anything but plain text is rejected as a credential later.
    return path.read_bytes().decode("latin-1").removesuffix("\n")


def _say(code: int, words: str) -> int:
    (sys.stdout if code == GOOD else sys.stderr).write(f"{words}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
