"""The printed certificate, read back from its bytes and from the rendered page."""

import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import zxingcpp
from asn1crypto import x509 as asn1_x509
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, pkcs12
from pyhanko.pdf_utils.generic import ArrayObject, DictionaryObject, IndirectObject
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko_certvalidator import ValidationContext

from exams.certificates import services
from exams.certificates.badge import drawn
from exams.certificates.document import LANGUAGES, document
from exams.certificates.models import Certificate
from exams.house_office.forms import MAX_NAME
from exams.programmes.models import Programme, ProgrammeVersion
from rules_engine import RULEBOOKS
from rules_engine.narration import book_name
from tests.exams.certifying import make_certificate
from tests.factories import PersonFactory, second_person
from training.people.models import Role

LONG = (
    "Maria Antonieta da Conceição Guimarães Vasconcelos de Albuquerque e Sousa "
    "Figueiredo Magalhães Trindade Brandão Falcão D"
)
ALL_BOOKS = list(RULEBOOKS)
# As many as a house could ever certify together.
MANY_BOOKS = (ALL_BOOKS * 3)[: max(18, len(ALL_BOOKS))]
PRINTER = 300 / 72  # dots for each point


def made(name: str = "Inês Conceição", language: str = "pt", **changes: Any) -> Certificate:
    version = ProgrammeVersion(
        programme=Programme(code="CDF-PT"), names={"pt": "Pagador de bancas", "it": "Croupier", "en": "Dealer"}
    )
    return Certificate(
        **{
            "number": "CDF-PT-2026-000123",
            "code": "7KQ2MXH9WTZ4",
            "holder_name": name,
            "language": language,
            "programme_version": version,
            "scope": ["pt-chemin-de-fer", "it-sanremo-chemin-de-fer"],
            "granted_at": datetime(2026, 11, 16, 9, tzinfo=UTC),
            "valid_from": date(2026, 11, 16),
            "valid_until": date(2028, 2, 29),
            "printed": {"issuer": "Escola de Jogo Sabot (demonstração)"},
        }
        | changes
    )


@pytest.fixture(autouse=True)
def on_its_first_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exams.clock.today", lambda: date(2026, 11, 16))


def words(content: bytes) -> str:
    with pypdfium2.PdfDocument(content) as opened:
        assert len(opened) == 1, "one page"
        page = opened[0]
        found = page.get_textpage().get_text_bounded()
    return " ".join(found.split())


def codes(content: bytes) -> list[str]:
    """What a phone reads from the printed page."""
    with pypdfium2.PdfDocument(content) as opened:
        drawn = opened[0].render(scale=PRINTER, grayscale=True)
        image = memoryview(bytes(drawn.buffer)).cast("B", shape=[drawn.height, drawn.stride])
        return [found.text for found in zxingcpp.read_barcodes(image)]


@pytest.mark.parametrize(
    ("language", "name", "expected"),
    [
        (
            "pt",
            "Inês Conceição",
            ["Certificado", "Pagador de bancas", "29 de fevereiro de 2028", "Sanremo · chemin de fer"],
        ),
        ("en", "Zoë O’Neill", ["Certificate", "Dealer", "29 February 2028", "Portugal · chemin de fer"]),
        ("it", "Niccolò D’Alò", ["Certificato", "Croupier", "29 febbraio 2028", "Portogallo · chemin de fer"]),
    ],
)
def test_it_reads_in_each_language(language: str, name: str, expected: list[str]) -> None:
    content = document(made(name, language))
    read = words(content)
    for phrase in (name, "CDF-PT-2026-000123", "7KQ2-MXH9-WTZ4", LANGUAGES[language]["certifies"], *expected):
        assert phrase in read, phrase
    assert codes(content) == ["http://localhost:8000/c/7KQ2MXH9WTZ4"]


PRINTED = {
    "issuer": "Casa do Jogo",
    "legal_name": "Casa do Jogo, S. A., NIPC 500000000",
    "signatories": [
        {"name": "Amélia Torrado", "title": "Diretora de Formação"},
        {"name": "Bento Farinha", "title": "Diretor de Jogos"},
        {"name": "Clara Seixal", "title": "Presidente do júri"},
    ],
    "regulations": {book.id: book.law.title for book in RULEBOOKS.values()},
}


def test_it_names_the_house_who_signs_and_every_regulation_by_its_title() -> None:
    read = words(document(made(printed=PRINTED)))
    for signatory in PRINTED["signatories"]:
        assert signatory["name"] in read  # type: ignore[index]
        assert signatory["title"] in read  # type: ignore[index]
    for phrase in (
        *("C A S A D O J O G O", "Casa do Jogo, S. A., NIPC 500000000", "versão 1", "habilita a dar jogo"),
        *("Regras do bacará chemin de fer em vigor em Portugal", "Regolamento per la partita dello chemin de fer"),
    ):
        assert phrase in read, phrase


def test_its_properties_name_the_release_that_granted_it() -> None:
    with pypdfium2.PdfDocument(document(made(printed=PRINTED | {"release": "9.8.7"}))) as opened:
        assert opened.get_metadata_dict()["Keywords"].endswith("Sabot 9.8.7")


def test_a_logo_is_drawn_and_told_to_who_cannot_see_it(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = document(made(printed=PRINTED))
    monkeypatch.setattr("exams.certificates.printing.logo_of", lambda _of: drawn(made().programme_version, "png"))
    content = document(made(printed=PRINTED))
    assert len(content) > len(plain) + 1000
    found = dictionaries(PdfFileReader(BytesIO(content)).trailer.raw_get("/Root"), set())
    told = [str(one["/Alt"]) for one in found if one.get("/S") == "/Figure"]
    assert any("Casa do Jogo" in one for one in told)
    assert codes(content) == ["http://localhost:8000/c/7KQ2MXH9WTZ4"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("act", "language", "expected"),
    [
        ("suspend", "pt", "Suspenso em 16 de novembro de 2026: não habilita a nada até ser reposto."),
        ("withdraw", "en", "Withdrawn on 16 November 2026: it no longer entitles its holder to deal."),
        ("withdraw", "pt", "Retirado em 16 de novembro de 2026: já não habilita a nada."),
    ],
)
def test_one_without_force_says_so_plainly(
    act: str, language: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exams.clock.now", lambda: datetime(2026, 11, 16, 9, tzinfo=UTC))
    holder = PersonFactory(language=language)
    certificate = make_certificate(person=holder, decided_at=datetime(2026, 11, 15, tzinfo=UTC))
    good = document(certificate)
    assert expected not in words(good)
    hr = PersonFactory(roles=[Role.HR])
    second = {"second": second_person()} if act == "withdraw" else {}
    certificate = getattr(services, act)(certificate=certificate, actor=hr, reason="x", **second)
    read = words(document(certificate))
    assert expected in read
    assert certificate.holder_name in read
    assert read.count(expected.split()[0].upper()) == 1, "and across the page"
    if act == "suspend":
        assert document(services.reinstate(certificate=certificate, actor=hr, reason="x")) == good


@pytest.mark.django_db
def test_one_that_was_replaced_or_has_ended_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exams.clock.now", lambda: datetime(2026, 11, 16, 9, tzinfo=UTC))
    former = make_certificate(person=PersonFactory(language="en"), decided_at=datetime(2026, 11, 14, tzinfo=UTC))
    new = make_certificate(former.programme_version, former.holder, decided_at=datetime(2026, 11, 15, tzinfo=UTC))
    former.refresh_from_db()
    assert "Replaced by a newer one on 16 November 2026" in words(document(former))
    monkeypatch.setattr("exams.clock.today", lambda: new.valid_until)
    assert "EXPIRED" not in words(document(new))
    monkeypatch.setattr("exams.clock.today", lambda: new.valid_until + timedelta(days=1))
    assert f"Expired: its last day was {new.valid_until.day} November 2028" in words(document(new))


@pytest.mark.parametrize("scope", [ALL_BOOKS[:count] for count in (1, 2, 3, 6, 7)] + [MANY_BOOKS], ids=len)
@pytest.mark.parametrize("stamped", [False, True])
def test_all_of_it_fits_on_one_page(scope: list[str], stamped: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exams.certificates.printing.logo_of", lambda _of: drawn(made().programme_version, "png"))
    if stamped:
        told = {"stamp": "Substituído", "sentence": "Substituído por outro mais recente: este já não vale."}
        monkeypatch.setattr("exams.certificates.document._ended", lambda *_args: told)
    long = {"name": LONG[:MAX_NAME].strip(), "title": "Diretora " + "de formação e de jogos " * 3}
    printed = PRINTED | {"issuer": LONG[:MAX_NAME], "legal_name": (LONG * 2)[: 2 * MAX_NAME], "signatories": [long] * 3}
    content = document(made(LONG, printed=printed, scope=scope))
    assert words(content).count("Diretora") == 3
    assert codes(content) == ["http://localhost:8000/c/7KQ2MXH9WTZ4"]
    with pypdfium2.PdfDocument(content) as opened:
        width, height = opened[0].get_size()
        for thing in opened[0].get_objects():
            left, bottom, right, top = thing.get_bounds()
            assert left >= -1 and bottom >= -1 and right <= width + 1 and top <= height + 1


def test_another_language_falls_back_to_english() -> None:
    assert "Certificate" in words(document(made(language="fr")))


@pytest.mark.parametrize("name", [LONG, "Wenceslau " * 12, "X" * 120, "Y"], ids=["long", "many", "one word", "short"])
def test_any_name_fits_on_the_page(name: str) -> None:
    assert len(LONG) == 120
    content = document(made(name.strip(), scope=MANY_BOOKS))
    for book in ALL_BOOKS:
        assert "".join(book_name(book, "pt").split()) in "".join(words(content).split())
    assert "".join(name.split()) in "".join(words(content).split())
    with pypdfium2.PdfDocument(content) as opened:
        page = opened[0]
        width, height = page.get_size()
        for thing in page.get_objects():
            left, bottom, right, top = thing.get_bounds()
            assert left >= -1 and bottom >= -1 and right <= width + 1 and top <= height + 1
    assert codes(content) == ["http://localhost:8000/c/7KQ2MXH9WTZ4"]


def test_the_data_is_never_markup() -> None:
    name = '#panic("x") *Rui* $x$ `y` "; \\'
    assert name in words(document(made(name)))


def test_the_same_certificate_gives_the_same_bytes() -> None:
    assert document(made()) == document(made())
    assert document(made()) != document(made("Outra"))


def test_letters_that_no_font_has_leave_nobody_without() -> None:
    content = document(made("王小明 Wang"))
    assert "CDF-PT-2026-000123" in words(content)
    assert codes(content)


# ---- archival: what PDF/A-2a asks, as far as a test can look


def dictionaries(value: Any, seen: set[int]) -> Iterator[DictionaryObject]:
    if isinstance(value, IndirectObject):
        if value.idnum in seen:
            return
        seen.add(value.idnum)
        value = value.get_object()
    if isinstance(value, DictionaryObject):
        yield value
        for inner in value.values():
            yield from dictionaries(inner, seen)
    elif isinstance(value, ArrayObject):
        for inner in value:
            yield from dictionaries(inner, seen)


def test_it_is_made_for_the_archive() -> None:
    reader = PdfFileReader(BytesIO(document(made())))
    root = reader.root
    assert root["/MarkInfo"]["/Marked"]
    assert "/StructTreeRoot" in root
    assert root["/Lang"] == "pt"
    assert [intent.get_object()["/S"] for intent in root["/OutputIntents"]] == ["/GTS_PDFA1"]
    told = root["/Metadata"].data
    assert b"<pdfaid:part>2</pdfaid:part>" in told
    assert b"<pdfaid:conformance>A</pdfaid:conformance>" in told
    assert b"<pdfuaid:part>1</pdfuaid:part>" in told
    assert "/Encrypt" not in reader.trailer
    assert "/ID" in reader.trailer
    found = list(dictionaries(reader.trailer.raw_get("/Root"), set()))
    assert not [one for one in found if {"/JS", "/AA", "/OpenAction", "/EmbeddedFiles"} & set(one)]
    fonts = [one for one in found if one.get("/Type") == "/FontDescriptor"]
    assert fonts
    assert all({"/FontFile", "/FontFile2", "/FontFile3"} & set(font) for font in fonts)
    figures = [one for one in found if one.get("/S") == "/Figure"]
    assert [bool(figure.get("/Alt")) for figure in figures] == [True]


# ---- the signature of the house


@pytest.fixture
def house_key(tmp_path: Path, settings: Any) -> x509.Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Casa de Teste")])
    usage = x509.KeyUsage(True, True, *[False] * 7)
    own = (
        x509.CertificateBuilder(name, name, key.public_key(), 7, datetime(2026, 1, 1), datetime(2046, 1, 1))  # noqa: DTZ001
        .add_extension(usage, critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "house.p12"
    path.write_bytes(
        pkcs12.serialize_key_and_certificates(b"house", key, own, None, BestAvailableEncryption(b"segredo"))
    )
    settings.CERTIFICATE_SIGNING_KEY, settings.CERTIFICATE_SIGNING_PASSWORD = str(path), "segredo"
    return own


def test_with_a_key_of_the_house_it_is_signed(house_key: x509.Certificate) -> None:
    content = document(made())
    assert is_whole(content, house_key)
    at = content.index(b"/MarkInfo")
    assert not is_whole(content[: at + 1] + b"Q" + content[at + 2 :], house_key)
    assert "Inês Conceição" in words(content)


def is_whole(content: bytes, house: x509.Certificate) -> bool:
    root = asn1_x509.Certificate.load(house.public_bytes(Encoding.DER))
    signature = PdfFileReader(BytesIO(content), strict=False).embedded_signatures[0]
    context = ValidationContext(trust_roots=[root], allow_fetching=False)
    # A browser test before this one may have left a running event loop in this thread.
    with ThreadPoolExecutor(max_workers=1) as apart:
        status = apart.submit(validate_pdf_signature, signature, context).result()
    return bool(status.intact and status.valid)


def test_openssl_verifies_the_signature_with_nothing_of_ours(house_key: x509.Certificate, tmp_path: Path) -> None:
    """As docs/operating.md says to do it; openssl shares no line with Sabot or pyHanko."""
    content = document(made())
    root, signature, covered = (tmp_path / name for name in ("root.pem", "signature.der", "covered"))
    root.write_bytes(house_key.public_bytes(Encoding.PEM))

    def verified(content: bytes) -> bool:
        found = re.search(rb"/ByteRange ?\[ ?(\d+) (\d+) (\d+) (\d+)", content)
        assert found and b"/SubFilter /ETSI.CAdES.detached" in content
        first, one, second, two = map(int, found.groups())
        assert (first, second + two) == (0, len(content)), "it covers the whole file but itself"
        covered.write_bytes(content[:one] + content[second:])
        signature.write_bytes(bytes.fromhex(content[one + 1 : second - 1].decode()))
        command = ["openssl", "cms", "-verify", "-binary", "-inform", "DER", "-in", str(signature), "-content"]
        command += [str(covered), "-CAfile", str(root), "-purpose", "any", "-out", "/dev/null"]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    assert verified(content)
    at = content.index(b"/MarkInfo")
    assert not verified(content[: at + 1] + b"Q" + content[at + 2 :])


# ---- processes

FORK = """
import os, sys
os.environ.update(DJANGO_SETTINGS_MODULE="tests.settings")
import django; django.setup()
from exams.certificates.document import document
from tests.exams.test_document import made
document(made())
child = os.fork()
if child == 0:
    try:
        document(made())
    except RuntimeError as refused:
        os._exit(7 if "forked" in str(refused) else 1)
    os._exit(0)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_child_of_a_process_that_compiled_refuses_instead_of_hanging() -> None:
    done = subprocess.run([sys.executable, "-c", FORK], timeout=60, cwd=Path(__file__).parents[2], check=False)
    assert done.returncode == 7
