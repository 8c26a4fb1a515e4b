"""The signed credential: what it says, what it takes to trust it, and what no longer makes it good."""

import gzip
import hmac
import json
import struct
import subprocess
import sys
import zlib
from base64 import urlsafe_b64decode
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from joserfc import jws
from joserfc.jwk import RSAKey

from exams.certificates import badge, check, keys, services, statuslists
from exams.certificates.check import GOOD, UNASKED, UNTRUSTED, USAGE, WORTHLESS, Worthless
from exams.certificates.credential import credential, payload
from exams.certificates.models import Certificate, SigningKey
from exams.certificates.signature import NotGenuine, bit_of, open_signed, pack_bits, packed, sign
from rules_engine.narration import book_name
from tests.exams import making
from tests.exams.certifying import make_certificate
from tests.factories import PersonFactory, second_person
from training.people.models import Role, User

pytestmark = pytest.mark.django_db
SIGNATURE = b"\x89PNG\r\n\x1a\n"
SCHEMA = json.loads(Path(__file__).with_name("open_badge_3.schema.json").read_text())
BOOKS = ("pt-chemin-de-fer", "it-sanremo-chemin-de-fer", "es-chemin-de-fer")
REASON = {"reason": "x"}


@pytest.fixture
def hr(db: None) -> User:
    return PersonFactory(roles=[Role.HR])


@pytest.fixture
def certificate(db: None) -> Certificate:
    holder = PersonFactory(name="Inês Conceição", email="ines@casino.example", language="pt")
    return make_certificate(making.make_version(making.make_rules(rulebooks=BOOKS)), holder)


@pytest.fixture
def token(certificate: Certificate) -> str:
    return credential(certificate)


def today() -> date:
    return timezone.localdate()


def lists_of(certificate: Certificate) -> list[str]:
    texts = [statuslists.signed_list(name, 0) for name in statuslists.names_of(certificate).values()]
    assert all(texts)
    return [text for text in texts if text]


def checked(token: str, **changes: Any) -> check.Found:
    return check.check(token, keys.published(), **({"on": today()} | changes))


# ---- what it says


def test_it_has_the_structure_that_open_badges_require(certificate: Certificate, token: str) -> None:
    said = open_signed(token, keys.published())
    jsonschema.validate(said, SCHEMA)
    for name in ("issuer", "credentialSubject", "validFrom"):
        with pytest.raises(jsonschema.ValidationError, match="is a required property"):
            jsonschema.validate({key: value for key, value in said.items() if key != name}, SCHEMA)


def test_it_says_what_the_certificate_says_and_no_more(certificate: Certificate, token: str) -> None:
    found = checked(token)
    assert (found.holder, found.number) == ("Inês Conceição", certificate.number)
    assert all(book_name(book, "pt") in found.entitles for book in BOOKS)
    assert (found.valid_from, found.valid_until) == (certificate.valid_from, certificate.valid_until)
    said = json.dumps(open_signed(token, keys.published()))
    assert "ines@casino" not in said
    assert certificate.code not in said


def test_only_the_allowed_headers(token: str) -> None:
    assert set(jws.extract_compact(token.encode()).headers()) == {"alg", "typ", "kid"}


def test_the_achievement_is_the_same_for_all_who_hold_it(certificate: Certificate, hr: User) -> None:
    other = make_certificate(certificate.programme_version, PersonFactory(language="en"))
    services.reduce(certificate=other, actor=hr, scope=BOOKS[:1], **REASON)
    other.refresh_from_db()
    ours, theirs = payload(certificate)["credentialSubject"], payload(other)["credentialSubject"]
    assert ours["achievement"] == theirs["achievement"]
    assert (ours["licenseNumber"], theirs["licenseNumber"]) == (certificate.number, other.number)
    assert book_name(BOOKS[1], "pt") in ours["narrative"]
    assert book_name(BOOKS[1], "en") not in theirs["narrative"]
    assert not set(ours["achievement"]["tag"]) & set(BOOKS), "words, not codes"


def test_the_image_of_the_achievement_is_there(client: Client, certificate: Certificate) -> None:
    image = payload(certificate)["credentialSubject"]["achievement"]["image"]["id"]
    found = client.get(image.removeprefix("http://localhost:8000"))
    assert (found.status_code, found.headers["Content-Type"]) == (200, "image/png")
    assert found.content.startswith(SIGNATURE)
    unheld = making.make_version()
    assert client.get(f"/certificates/achievements/{unheld.programme_id}/{unheld.number}.png").status_code == 404


def test_the_key_is_found_from_the_token_alone(client: Client, token: str) -> None:
    kid = jws.extract_compact(token.encode()).headers()["kid"]
    assert kid.startswith("http://localhost:8000/")
    found = client.get(kid.removeprefix("http://localhost:8000"))
    assert found.json()["kid"] == kid
    assert jws.deserialize_compact(token, RSAKey.import_key(found.json()), algorithms=["RS256"])
    assert client.get("/.well-known/keys/another").status_code == 404


def test_keys_and_lists_can_be_read_from_other_hosts_and_nothing_else(client: Client, certificate: Certificate) -> None:
    kid = keys.key_in_use()[0].removeprefix("http://localhost:8000")
    for address in ("/.well-known/jwks.json", kid, "/certificates/status/revocation-0/0"):
        assert client.get(address).headers["Access-Control-Allow-Origin"] == "*", address
    for address in (f"/c/{certificate.code}", f"/c/{certificate.code}.json", "/register/", "/account/login/"):
        assert "Access-Control-Allow-Origin" not in client.get(address).headers, address


# ---- the badge with the credential inside


def test_a_png_carries_the_credential(certificate: Certificate) -> None:
    content = badge.baked(certificate, "png")
    parts, at = {}, len(SIGNATURE)
    while at < len(content):
        length, name = struct.unpack_from(">I4s", content, at)
        body = content[at + 8 : at + 8 + length]
        assert zlib.crc32(name + body) == struct.unpack_from(">I", content, at + 8 + length)[0]
        parts[name] = body
        at += 12 + length
    keyword, _, token = parts[b"iTXt"].partition(b"\0\0\0\0\0")
    assert keyword == b"openbadgecredential"
    assert checked(token.decode()).number == certificate.number
    assert list(parts)[-1] == b"IEND"


def test_an_svg_carries_the_credential(certificate: Certificate) -> None:
    root = ElementTree.fromstring(badge.baked(certificate, "svg"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root[0].tag == "{https://purl.imsglobal.org/ob/v3p0}credential"
    assert checked(root[0].attrib["verify"]).number == certificate.number


# ---- any change


def test_every_changed_bit_of_every_byte_is_noticed(token: str) -> None:
    published = keys.published()
    assert check.check(token, published, on=today())
    whole = token.encode("latin-1")
    passed = []
    for place in range(len(whole)):
        for bit in range(8):
            changed = bytearray(whole)
            changed[place] ^= 1 << bit
            try:
                check.check(changed.decode("latin-1"), published, on=today())
            except NotGenuine:
                continue
            passed.append((place, bit))
    assert passed == []


@pytest.mark.parametrize(
    "change", [lambda t: t + "=", lambda t: t + ".", lambda t: t[:-1], lambda t: " " + t, lambda t: ""]
)
def test_nothing_may_be_added_or_left_out(token: str, change: Callable[[str], str]) -> None:
    with pytest.raises(NotGenuine, match=r"it is not a signed|it is not written as it"):
        checked(change(token))


def forged(certificate: Certificate, header: dict[str, Any], key: Any) -> str:
    body = json.dumps(payload(certificate)).encode()
    return jws.serialize_compact(header, body, key, algorithms=[header["alg"]])


def test_other_ways_of_signing_are_refused(certificate: Certificate, token: str) -> None:
    kid, key = keys.key_in_use()
    _header, body, signature = token.split(".")
    none = packed(json.dumps({"alg": "none", "typ": "JWT", "kid": kid}).encode())
    shared = packed(json.dumps({"alg": "HS256", "typ": "JWT", "kid": kid}).encode()) + f".{body}"
    secret = key.as_pem(private=False)
    refused = [
        f"{none}.{body}.",
        f"{none}.{body}.{signature}",
        # The public key taken for a shared secret.
        f"{shared}.{packed(hmac.digest(secret, shared.encode(), 'sha256'))}",
        forged(certificate, {"alg": "RS512", "typ": "JWT", "kid": kid}, key),
        forged(certificate, {"alg": "RS256", "typ": "vc+jwt", "kid": kid}, key),
        forged(certificate, {"alg": "RS256", "kid": kid}, key),
        forged(certificate, {"alg": "RS256", "typ": "JWT", "kid": kid, "jwk": key.as_dict(private=False)}, key),
        forged(certificate, {"alg": "RS256", "typ": "JWT", "kid": kid}, RSAKey.generate_key(2048)),
        forged(certificate, {"alg": "RS256", "typ": "JWT", "kid": "another"}, key),
    ]
    assert checked(forged(certificate, {"alg": "RS256", "typ": "JWT", "kid": kid}, key))
    for text in refused:
        with pytest.raises(NotGenuine, match=r"other headers|not signed as JWT|no such key|signature does not fit"):
            checked(text)


# ---- issuer, keys, dates


def test_another_issuer(certificate: Certificate, token: str) -> None:
    assert checked(token, issuer="http://localhost:8000")
    with pytest.raises(NotGenuine, match="another issuer"):
        checked(token, issuer="https://elsewhere.example")
    kid, key = keys.key_in_use()
    said = payload(certificate)
    for change in (
        {"iss": "https://elsewhere.example"},
        {"issuer": {**said["issuer"], "id": "https://elsewhere.example"}},
    ):
        with pytest.raises(NotGenuine, match="another issuer"):
            checked(sign(said | change, key, kid))
    with pytest.raises(NotGenuine, match="another issuer"):
        check.check(token, {"keys": keys.published()["keys"]}, on=today())  # nobody says who the issuer should be


@pytest.mark.parametrize(
    "change",
    [
        {"jti": "urn:uuid:x"},
        {"sub": "urn:uuid:x"},
        {"exp": 1},
        {"type": ["VerifiableCredential"]},
        {"credentialSubject": {}},
        {"validUntil": "soon"},
    ],
)
def test_a_credential_that_contradicts_itself(certificate: Certificate, change: dict[str, Any]) -> None:
    kid, key = keys.key_in_use()
    with pytest.raises(NotGenuine, match=r"it contradicts itself|it does not have the|it is not a certificate"):
        checked(sign(payload(certificate) | change, key, kid))


def test_rotation_keeps_what_was_signed_before(certificate: Certificate, token: str) -> None:
    call_command("rotate_signing_key")
    new = credential(certificate)
    assert checked(token).number == checked(new).number
    old, current = SigningKey.objects.order_by("pk")
    assert (old.private_sealed, bool(current.private_sealed)) == ("", True)
    assert jws.extract_compact(new.encode()).headers()["kid"] == keys.address(current.kid)


def test_a_retired_key_vouches_for_nothing_new(certificate: Certificate) -> None:
    kid, key = keys.key_in_use()
    keys.rotate()
    later = int(timezone.now().timestamp())
    before = sign(payload(certificate) | {"iat": later - 1}, key, kid)
    published = keys.published()
    published["keys"][0] |= {"iat": later - 10, "exp": later - 1}
    assert check.check(before, published, on=today())
    for moment in (later, later - 11):
        with pytest.raises(NotGenuine, match="not in use"):
            check.check(sign(payload(certificate) | {"iat": moment}, key, kid), published, on=today())


def test_a_key_that_is_not_published(token: str) -> None:
    with pytest.raises(NotGenuine, match="published no such key"):
        check.check(token, {"issuer": "http://localhost:8000", "keys": []}, on=today())


def test_the_private_key_is_sealed(token: str, settings: Any) -> None:
    row = SigningKey.objects.get()
    assert "PRIVATE" not in row.private_sealed
    assert "d" not in row.public_jwk
    assert "private" not in json.dumps(keys.published()).lower()
    keys._unsealed.cache_clear()
    settings.SECRET_KEY = "another"
    with pytest.raises(ImproperlyConfigured, match="rotate_signing_key"):
        keys.key_in_use()
    keys.rotate()
    assert keys.key_in_use()


def test_first_and_last_day(certificate: Certificate, token: str) -> None:
    day = timedelta(days=1)
    assert checked(token, on=certificate.valid_from)
    assert checked(token, on=certificate.valid_until)
    with pytest.raises(Worthless, match="only from"):
        checked(token, on=certificate.valid_from - day)
    with pytest.raises(Worthless, match="last day"):
        checked(token, on=certificate.valid_until + day)


# ---- status


def test_bits_are_where_the_specification_wants_them() -> None:
    encoded = pack_bits(131_072, [0, 9, 131_071])
    assert [index for index in (0, 1, 8, 9, 10, 131_070, 131_071) if bit_of(encoded, index)] == [0, 9, 131_071]
    with pytest.raises(NotGenuine, match="the status list is too short"):
        bit_of(encoded, 131_072)


def test_a_suspension_shows_at_once_and_a_reinstatement_too(certificate: Certificate, token: str, hr: User) -> None:
    assert checked(token, lists=lists_of(certificate)).asked
    services.suspend(certificate=certificate, actor=hr, **REASON)
    with pytest.raises(Worthless, match="suspended"):
        checked(token, lists=lists_of(certificate))
    services.reinstate(certificate=certificate, actor=hr, **REASON)
    assert checked(token, lists=lists_of(certificate))
    services.withdraw(certificate=certificate, actor=hr, second=second_person(), **REASON)
    with pytest.raises(Worthless, match="withdrawn"):
        checked(token, lists=lists_of(certificate))


def test_who_renewed_shows_the_new_one(certificate: Certificate, token: str) -> None:
    new = make_certificate(certificate.programme_version, certificate.holder)
    with pytest.raises(Worthless, match="replaced"):
        checked(token, lists=lists_of(certificate))
    assert checked(credential(new), lists=lists_of(new))


def test_a_reduced_scope_spoils_what_was_signed_before(certificate: Certificate, token: str, hr: User) -> None:
    before = statuslists.names_of(certificate)["revocation"]
    services.reduce(certificate=certificate, actor=hr, scope=BOOKS[:2], **REASON)
    certificate.refresh_from_db()
    second = credential(certificate)
    with pytest.raises(Worthless, match="reduced"):
        checked(token, lists=[statuslists.signed_list(before, 0) or ""])
    entitles = checked(second, lists=lists_of(certificate)).entitles
    assert [book_name(book, "pt") in entitles for book in BOOKS] == [True, True, False]
    named = statuslists.names_of(certificate)["revocation"]
    services.reduce(certificate=certificate, actor=hr, scope=BOOKS[:1], **REASON)
    with pytest.raises(Worthless, match="reduced"):
        checked(second, lists=[statuslists.signed_list(named, 0) or ""])


def test_the_wrong_list(certificate: Certificate, token: str) -> None:
    kid, key = keys.key_in_use()
    good = statuslists._payload("revocation-0", 0)
    assert checked(token, lists=[sign(good, key, kid)])
    subject = good["credentialSubject"]
    for change in (
        {"id": "http://localhost:8000/certificates/status/revocation-0/1"},
        {"iss": "https://elsewhere.example"},
        {"type": ["VerifiableCredential"]},
        {"credentialSubject": subject | {"statusPurpose": "suspension"}},
        {"credentialSubject": subject | {"encodedList": "uAAAA"}},
    ):
        with pytest.raises(NotGenuine, match=r"the status list cannot be|the status list is not"):
            checked(token, lists=[sign(good | change, key, kid)])
    with pytest.raises(NotGenuine, match="the status list is not the one that the"):
        checked(token, lists=[token])
    with pytest.raises(NotGenuine, match="the signature does not fit"):
        checked(token, lists=[sign(good, RSAKey.generate_key(2048), kid)])


def test_an_old_list_says_nothing_about_today(token: str) -> None:
    old = statuslists.signed_list("revocation-0", 0)
    assert old is not None
    assert checked(token, lists=[old], on=today() + timedelta(days=1))
    with pytest.raises(NotGenuine, match="out of date"):
        checked(token, lists=[old], on=today() + timedelta(days=2))


def test_lists_and_keys_are_published(client: Client, certificate: Certificate, token: str, hr: User) -> None:
    published = client.get("/.well-known/jwks.json")
    assert published.json() == keys.published()
    entries = open_signed(token, published.json())["credentialStatus"]
    addresses = [entry["statusListCredential"].removeprefix("http://localhost:8000") for entry in entries]
    assert checked(token, lists=[client.get(address).content.decode() for address in addresses])
    services.suspend(certificate=certificate, actor=hr, **REASON)
    with pytest.raises(Worthless, match="it is suspended"):
        checked(token, lists=[client.get(address).content.decode() for address in addresses])


def set_bits(client: Client, token: str) -> list[str]:
    """The purposes whose bit is set, read as the specifications say, with nothing of Sabot but what it publishes."""

    def opened(text: str) -> dict[str, Any]:
        head, body, signature = text.split(".")
        header = json.loads(urlsafe_b64decode(head + "=="))
        number = client.get(header["kid"].removeprefix("http://localhost:8000")).json()
        public = {name: int.from_bytes(urlsafe_b64decode(number[name] + "=="), "big") for name in ("n", "e")}
        key = rsa.RSAPublicNumbers(public["e"], public["n"]).public_key()
        key.verify(urlsafe_b64decode(signature + "=="), f"{head}.{body}".encode(), PKCS1v15(), SHA256())
        return dict(json.loads(urlsafe_b64decode(body + "==")))

    found = []
    for entry in opened(token)["credentialStatus"]:
        address = entry["statusListCredential"].removeprefix("http://localhost:8000")
        subject = opened(client.get(address).content.decode())["credentialSubject"]
        assert subject["statusPurpose"] == entry["statusPurpose"] and subject["encodedList"][0] == "u"
        bits = gzip.decompress(urlsafe_b64decode(subject["encodedList"][1:] + "=="))
        place = int(entry["statusListIndex"])
        assert len(bits) * 8 >= 131_072
        if bits[place // 8] >> 7 - place % 8 & 1:
            found.append(entry["statusPurpose"])
    return found


def test_a_stranger_tells_suspended_from_withdrawn(
    client: Client, certificate: Certificate, token: str, hr: User
) -> None:
    assert set_bits(client, token) == []
    services.suspend(certificate=certificate, actor=hr, **REASON)
    assert set_bits(client, token) == ["suspension"]
    services.reinstate(certificate=certificate, actor=hr, **REASON)
    assert set_bits(client, token) == []
    services.withdraw(certificate=certificate, actor=hr, second=second_person(), **REASON)
    assert set_bits(client, token) == ["revocation"]


def test_a_credential_of_before_names_one_list_for_everything(certificate: Certificate, hr: User) -> None:
    kid, key = keys.key_in_use()
    claims = payload(certificate)
    where = statuslists.address("standing-0", 0)
    entry = claims["credentialStatus"][1] | {"id": f"{where}#x", "statusListCredential": where}
    token = sign(claims | {"credentialStatus": entry}, key, kid)
    services.withdraw(certificate=certificate, actor=hr, second=second_person(), **REASON)
    with pytest.raises(Worthless, match="withdrawn or replaced"):
        checked(token, lists=[statuslists.signed_list("standing-0", 0) or ""])


def test_an_expired_credential_is_called_expired_and_not_its_list(certificate: Certificate, token: str) -> None:
    old = lists_of(certificate)
    with pytest.raises(Worthless, match="expired"):
        checked(token, lists=old, on=certificate.valid_until + timedelta(days=1))


@pytest.mark.parametrize(
    "address",
    [
        *("revocation/1", "revocation-1/0", "suspension/1", "suspension-0/0", "nonsense/0"),
        *("revocation/0", "revocation-01/0", "revocation-99999/0", "refresh-0/0"),
        *("standing-1/0", "standing/0", "standing-0/1"),
    ],
)
def test_no_other_lists(client: Client, certificate: Certificate, address: str) -> None:
    assert client.get(f"/certificates/status/{address}").status_code == 404


# ---- the command


def command(*arguments: Any) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "exams.certificates.check", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )


def test_the_command_checks_offline(certificate: Certificate, token: str, tmp_path: Path, hr: User) -> None:
    paper, published, listed, other = (tmp_path / name for name in ("mine.jwt", "jwks.json", "list.jwt", "other.jwt"))
    paper.write_text(token + "\n")
    published.write_text(json.dumps(keys.published()))
    for path, text in zip((listed, other), lists_of(certificate), strict=True):
        path.write_text(text)
    unasked = command(paper, "--keys", published)
    assert (unasked.returncode, unasked.stdout) == (UNASKED, "")
    assert "STATUS WAS NOT CHECKED" in unasked.stderr
    assert command(paper, "--keys", published, "--status", listed).returncode == UNASKED, "one of two"
    good = command(paper, "--keys", published, "--status", listed, "--status", other)
    assert (good.returncode, good.stderr) == (GOOD, "")
    assert "VALID" in good.stdout
    assert certificate.number in good.stdout
    late = command(paper, "--keys", published, "--on", certificate.valid_until + timedelta(days=1))
    assert (late.returncode, late.stdout) == (WORTHLESS, "")
    assert "last day" in late.stderr
    paper.write_text(token[:-10] + ("B" if token[-10] == "A" else "A") + token[-9:])  # one letter of the signature
    assert command(paper, "--keys", published).returncode == UNTRUSTED
    assert command(tmp_path / "nothing", "--keys", published).returncode == USAGE


def test_the_command_needs_no_django() -> None:
    asked = "import sys, exams.certificates.check; print([m for m in sys.modules if m.split('.')[0] == 'django'])"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert done.stdout == "[]\n"
