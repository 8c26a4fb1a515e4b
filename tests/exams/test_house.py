"""The settings of the house: who may change them, what is kept of a logo, and what is printed from then on."""

import re
import struct
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils.translation import override

from exams.audit.models import Entry
from exams.certificates.printing import printed
from exams.house_office import logo, services
from exams.house_office.services import Signatory
from tests.exams.certifying import make_certificate
from tests.factories import PASSWORD, PersonFactory
from training.house.models import House, Logo
from training.house.selectors import current
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db
DIRECTOR = Signatory("Amélia Torrado", {"pt": "Diretora de Formação", "en": "Head of Training"})


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    with override("en"):
        yield


def part(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(width: int = 3, height: int = 2, *, said: bytes = b"") -> bytes:
    """A picture of one colour, with words inside where there are any."""
    header = part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
    rows = zlib.compress((b"\0" + b"\x1f\x4d\x3a\xff" * width) * height)
    inside = part(b"tEXt", b"Comment\0" + said) if said else b""
    return logo.SIGNATURE + header + inside + part(b"IDAT", rows) + part(b"IEND", b"")


def size(content: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from(">II", content, 16)
    return width, height


@pytest.fixture
def administrator() -> User:
    return PersonFactory(roles=[Role.ADMINISTRATOR], language="en")


def change(by: User, **changes: Any) -> dict[str, list[Any]]:
    given = {"name": "Casa de Teste", "legal_name": "Casa de Teste, S. A.", "signatories": [DIRECTOR]} | changes
    return services.change(by=by, **given)


# ---- the logo


def test_a_logo_is_drawn_anew_and_only_its_pixels_are_kept() -> None:
    kept = logo.redrawn(png(said=b"<script>alert(1)</script>"))
    assert b"script" not in kept
    assert size(kept) == (3, 2)
    assert logo.redrawn(kept) == kept


def test_what_a_logo_carries_besides_its_pixels_is_never_unpacked() -> None:
    """A colour profile of many megabytes is a few kilobytes when packed."""
    whole = png()
    profile = part(b"iCCP", b"profile\0\0" + zlib.compress(b"\0" * 10_000_000))
    at = whole.index(b"IDAT") - 4
    assert logo.redrawn(whole[:at] + profile + whole[at:]) == logo.redrawn(whole)
    assert logo._needed(whole[:at] + profile + whole[at:]) == whole


@pytest.mark.parametrize(("width", "kept"), [(600, 600), (601, 600), (2000, 600)])
def test_a_large_logo_becomes_as_large_as_it_is_printed(width: int, kept: int) -> None:
    assert size(logo.redrawn(png(width, 10)))[0] == kept


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "Only a PNG"),
        (b"GIF89a" + b"\0" * 40, "Only a PNG"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "Only a PNG"),
        (logo.SIGNATURE, "Only a PNG"),
        (png(2001, 1), "at most 2000 pixels"),
        (png(1, 2001), "at most 2000 pixels"),
        (png(0, 1), "at most 2000 pixels"),
        (png()[:-20], "cannot be read"),
        (png().replace(b"IDAT", b"IDOT"), "cannot be read"),
        (png() + b"\0" * logo.MAX_BYTES, "larger than 256 KB"),
    ],
    ids=["nothing", "gif", "svg", "no header", "wide", "high", "empty", "cut off", "no pixels", "heavy"],
)
def test_what_is_no_fit_picture_is_refused_with_the_reason(content: bytes, why: str) -> None:
    with pytest.raises(logo.UnfitLogo, match=why):
        logo.redrawn(content)


def test_a_file_of_just_the_limit_is_taken() -> None:
    whole = png()
    padded = whole[:-12] + part(b"tEXt", b"c\0" + b"x" * (logo.MAX_BYTES - len(whole) - 14)) + whole[-12:]
    assert len(padded) == logo.MAX_BYTES
    assert size(logo.redrawn(padded)) == (3, 2)


# ---- the service


def test_before_anybody_says_anything_the_installation_does(settings: Any) -> None:
    settings.ISSUER_NAME = "Casa Instalada"
    assert current().name == "Casa Instalada"
    assert not House.objects.exists()


def test_a_change_is_on_record_with_old_and_new(administrator: User) -> None:
    first = change(administrator, logo=png())
    assert first["name"] == [settings.ISSUER_NAME, "Casa de Teste"]
    assert change(administrator) == {}, "the same again is no change, and the logo stays"
    again = change(administrator, name="Casa Nova", without_logo=True)
    assert again == {"name": ["Casa de Teste", "Casa Nova"], "logo_id": [Logo.objects.get().pk, None]}
    entries = Entry.objects.filter(act="house.changed").order_by("number")
    assert [entry.details["changes"]["name"] for entry in entries] == [first["name"], again["name"]]
    assert [entry.actor for entry in entries] == [administrator] * 2


@pytest.mark.parametrize("role", [role for role in Role if role != Role.ADMINISTRATOR])
def test_nobody_else_changes_them(role: Role) -> None:
    with pytest.raises(Refused, match="Only administrators"):
        change(PersonFactory(roles=[role]))
    assert not House.objects.exists()


def test_the_database_keeps_logos_and_one_house(administrator: User) -> None:
    change(administrator, logo=png())
    for act in (lambda: Logo.objects.all().delete(), lambda: Logo.objects.update(png=b"x")):
        with pytest.raises(IntegrityError, match="logo"), transaction.atomic():
            act()
    with pytest.raises(IntegrityError), transaction.atomic():
        House.objects.create(pk=2, name="Outra")


# ---- what is printed


def test_a_certificate_keeps_what_was_printed_on_it(administrator: User) -> None:
    change(administrator, logo=png())
    certificate = make_certificate(person=PersonFactory(language="en"))
    change(administrator, name="Casa Nova", signatories=[], without_logo=True)
    certificate.refresh_from_db()
    kept = printed(certificate.printed)
    assert (kept.issuer, kept.legal_name) == ("Casa de Teste", "Casa de Teste, S. A.")
    assert [(one.name, one.title) for one in kept.signatories] == [("Amélia Torrado", "Head of Training")]
    assert kept.logo == Logo.objects.get().pk
    assert kept.regulations == {"pt-chemin-de-fer": "Regras do bacará chemin de fer em vigor em Portugal"}
    with pytest.raises(IntegrityError, match="a certificate never changes"), transaction.atomic():
        type(certificate).objects.filter(pk=certificate.pk).update(printed=None)
    later = make_certificate(person=PersonFactory(language="pt"))
    assert printed(later.printed).issuer == "Casa Nova"


# ---- the page


def filled(**changes: Any) -> dict[str, Any]:
    return {
        "name": "Casa de Teste",
        "legal_name": "",
        "signatory_1": "Amélia Torrado",
        "title_1_pt": "Diretora",
        "title_1_en": "Director",
        "languages": ["pt", "en"],
    } | changes


def test_the_page_saves_and_shows(client: Client, administrator: User) -> None:
    client.force_login(administrator)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    upload = SimpleUploadedFile("logo.png", png(), "image/png")
    assert client.post("/house/", filled(logo=upload)).status_code == 302
    page = client.get("/house/").content.decode()
    assert 'value="Amélia Torrado"' in page
    assert client.get("/house/logo.png").content == bytes(Logo.objects.get().png)
    client.post("/house/", filled(without_logo="on"))
    assert client.get("/house/logo.png").status_code == 404


def test_only_what_may_really_be_left_empty_is_called_optional(client: Client, administrator: User) -> None:
    """A title is asked for wherever there is a name."""
    client.force_login(administrator)
    labels = re.findall(r"<label[^>]*>(.*?)</label>", client.get("/house/").content.decode(), re.DOTALL)
    optional = {label.partition("<")[0].strip() for label in labels if "optional" in label}
    assert {"Legal name", "Name of signatory 1"} <= optional
    assert not any(label.startswith("Title") for label in optional)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"name": ""}, "This field is required."),
        ({"title_1_en": ""}, "Say in what capacity this person signs"),
        ({"signatory_1": ""}, "Say who signs"),
        ({"logo": SimpleUploadedFile("logo.png", b"nothing of the kind")}, "Only a PNG image"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_typed_is_lost(
    client: Client, administrator: User, changes: dict[str, Any], told: str
) -> None:
    client.force_login(administrator)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    answer = client.post("/house/", filled(legal_name="Casa de Teste, Lda.", **changes))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert told in page
    assert 'value="Casa de Teste, Lda."' in page
    assert not House.objects.exists()


def test_all_that_is_wrong_is_said_at_once_each_at_its_field(client: Client) -> None:
    client.force_login(PersonFactory(roles=[Role.ADMINISTRATOR], language="en"))
    sent = filled(
        name="",
        legal_name="Casa de Teste, Lda.",
        title_1_en="",
        title_1_pt="D" * 81,
        second_factor="on",
        practice_kept_days="-5",
        logo=SimpleUploadedFile("logo.png", png()[:60]),
    )
    answer = client.post("/house/", sent)
    assert answer.status_code == 422
    assert {name: len(told) for name, told in answer.context["form"].errors.items()} == dict.fromkeys(
        ["name", "logo", "second_factor", "practice_kept_days", "title_1_pt", "title_1_en"], 1
    )
    page = answer.content.decode()
    for words in (
        "This PNG image cannot be read.",
        "From 1 to 3650 days",
        "Set up your own two-step verification first.",
    ):
        assert words in page
    for typed in ("Casa de Teste, Lda.", "D" * 81, "-5"):
        assert f'value="{typed}"' in page
