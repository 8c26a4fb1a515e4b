"""The official wording of a regulation: found article by article, checked, confirmed, shown beside our summary."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from exams.audit.models import Entry
from exams.house_office import official_texts
from rules_engine import rulebook
from tests.factories import PersonFactory
from training.house.models import OfficialText, PendingText
from training.house.official_texts import expected, official, read_wording
from training.people.models import Role, User
from training.platform.errors import Refused, Unfit

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    with override("en"):
        yield


@pytest.fixture
def instructor() -> User:
    return PersonFactory(roles=[Role.INSTRUCTOR], email="rita@example.org", language="en")


def invented(
    book: str, form: str = "{number} — Texto inventado da regra {number}, que se que-\nbra.", skip: str = ""
) -> str:
    numbers = [article.split()[-1] for article in expected(rulebook(book))]
    return "\n\n".join(form.format(number=number) for number in numbers if number != skip)


@pytest.mark.parametrize(
    "form",
    [
        "{number} - Texto {number}.",
        "#### {number} — Texto {number}.",
        "Articolo {number}\n\nTexto {number}.",
        "Art. {number}.º\nTexto {number}.",
        "{number}. Texto {number}.",
    ],
)
def test_articles_are_found_however_they_are_headed(form: str) -> None:
    found = read_wording(invented("pt-chemin-de-fer", form), rulebook("pt-chemin-de-fer"))
    assert not found.missing and not found.surplus
    assert found.articles["104"] == "Texto 104."


def test_missing_and_surplus_articles_are_named() -> None:
    text = invented("pt-cussec", skip="6") + "\n\n12 — Regra a mais."
    found = read_wording(text, rulebook("pt-cussec"))
    assert (found.missing, found.surplus) == (["VII 6"], ["12"])
    assert found.articles["VII 5"] == "Texto inventado da regra 5, que se quebra."


@pytest.mark.parametrize("misread", ["§ —", "— ", "65 —", "S -—", "6§ —"])
def test_an_article_whose_number_was_misread_is_found_between_its_neighbours(misread: str) -> None:
    text = invented("pt-cussec").replace("6 — Texto", f"{misread} Texto")
    found = read_wording(text, rulebook("pt-cussec"))
    assert not found.missing and not found.surplus
    assert found.articles["VII 6"] == "Texto inventado da regra 6, que se quebra."
    assert found.articles["VII 5"] == "Texto inventado da regra 5, que se quebra."


def test_of_several_paragraphs_that_may_be_the_lost_article_none_is_taken() -> None:
    text = invented("pt-cussec").replace("6 — Texto", "— Uma alínea;\n\n— Texto")
    assert read_wording(text, rulebook("pt-cussec")).missing == ["VII 6"]


def test_the_next_part_begins_at_its_number_however_it_was_read() -> None:
    text = invented("pt-cussec") + "\n\nv\n\nBlack jack/21\n\n1 — Outro jogo."
    last = read_wording(text, rulebook("pt-cussec")).articles["VII 11"]
    assert last == "Texto inventado da regra 11, que se quebra."


def test_numbers_that_begin_no_article_are_left_in_the_text() -> None:
    text = invented("pt-cussec").replace(
        "7 — Texto", "7 — Paga-se assim:\n\n1-20-14-31\n\n12 vezes se sair 7;\n\nTexto"
    )
    found = read_wording(text, rulebook("pt-cussec"))
    assert not found.missing and "12 vezes se sair 7;" in found.articles["VII 7"]


def test_of_several_regulations_in_one_file_the_one_that_says_the_same_is_taken() -> None:
    macau, plain = rulebook("pt-ponto-banca-macau-1995"), rulebook("pt-ponto-banca-1995")
    parts = []
    for book in (plain, macau):
        said = {row.article: book.law.summary(row.cite, "pt") for row in book.law.clauses.values()}
        parts.append("\n\n".join(f"{article} — {said[article]}" for article in expected(book)))
    text = f"I\n\nUm jogo\n\n{parts[0]}\n\nII\n\nOutro jogo\n\n{parts[1]}"
    for book in (plain, macau):
        found = read_wording(text, book)
        assert not found.missing
        assert not found.articles[expected(book)[-1]].endswith("Outro jogo")
        assert found.articles["11"] == next(
            book.law.summary(row.cite, "pt") for row in reversed(book.law.clauses.values()) if row.article == "11"
        )


def test_articles_under_headings_are_found_in_their_order() -> None:
    book = rulebook("pt-ponto-banca-macau")
    wanted = expected(book)
    text = "Do que se trata.\n\n" + "\n\n".join(f"A PARTE {name.upper()}\n\nDiz {name}." for name in wanted[1:])
    found = read_wording(text, book)
    assert not found.missing and found.articles["limites"] == "Diz limites." and found.articles[wanted[0]]


def test_a_text_that_leaves_articles_to_another_is_completed_from_that(instructor: User) -> None:
    for book in ("pt-roleta-americana", "pt-roleta-francesa"):
        official_texts.propose(
            rulebook(book), invented(book, f"{{number}} — {book} {{number}}."), source="DR", by=instructor
        )
        official_texts.confirm(rulebook(book), instructor)
    american = rulebook("pt-roleta-americana")
    shown = [official(american, article) for article in ("IX 2", "X 2")]
    assert [one.text for one in shown if one] == ["pt-roleta-americana 2.", "pt-roleta-francesa 2."]


def test_nothing_is_shown_before_it_is_confirmed_and_it_can_be_removed(instructor: User) -> None:
    book, reader = rulebook("pt-cussec"), Client()
    reader.force_login(PersonFactory(roles=[Role.TRAINEE], language="en"))
    page = reverse("article", args=[book.id, "VII 5 s4"])
    official_texts.propose(book, invented(book.id), source="Diário, 1995", by=instructor)
    assert "regra 5" not in reader.get(page).content.decode()
    official_texts.confirm(book, instructor)
    shown = reader.get(page).content.decode()
    assert "Texto inventado da regra 5, que se quebra." in shown and "Diário, 1995" in shown
    assert "regra 5" in reader.get(page, headers={"HX-Request": "true"}).content.decode()
    assert not PendingText.objects.exists()
    official_texts.remove(book, instructor)
    assert "regra 5" not in reader.get(page).content.decode()
    assert [entry.act for entry in Entry.objects.order_by("number")] == ["text.loaded", "text.removed"]


def test_a_text_is_loaded_on_its_page(instructor: User) -> None:
    client = Client()
    client.force_login(instructor)
    page = reverse("official_text", args=["pt-cussec"])
    upload = SimpleUploadedFile("cussec.txt", invented("pt-cussec", skip="6").encode())
    assert client.post(page, {"file": upload}).status_code == 422
    upload.seek(0)
    assert client.post(page, {"file": upload, "source": "Diário, 1995"}).status_code == 302
    assert "10 of 11 articles found." in client.get(page).content.decode()
    assert client.post(page, {"do": "confirm"}).status_code == 302
    assert len(OfficialText.objects.get().articles) == 10
    assert client.post(page, {"text": "nothing at all", "source": "x"}).status_code == 422


def test_what_was_not_looked_at_is_not_confirmed(instructor: User) -> None:
    client, page = Client(), reverse("official_text", args=["pt-cussec"])
    client.force_login(instructor)
    official_texts.propose(rulebook("pt-cussec"), invented("pt-cussec"), source="Diário, 1995", by=instructor)
    seen = client.get(page).context["seen"]
    other = PersonFactory(roles=[Role.INSTRUCTOR])
    official_texts.propose(rulebook("pt-cussec"), invented("pt-cussec", skip="6"), source="Outro", by=other)
    assert client.post(page, {"do": "confirm", "seen": seen}).status_code == 409
    assert not OfficialText.objects.exists()
    assert client.post(page, {"do": "confirm", "seen": client.get(page).context["seen"]}).status_code == 302
    assert OfficialText.objects.get().source == "Outro"


def pdf(line: str) -> bytes:
    """A page with one line on it, as small as a PDF can be."""
    content = f"BT /F1 12 Tf 20 100 Td ({line}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    body = b"%PDF-1.4\n" + b"".join(b"%d 0 obj\n%s\nendobj\n" % (at, one) for at, one in enumerate(objects, 1))
    return body + b"trailer << /Root 1 0 R /Size 6 >>\n%%EOF\n"


def test_the_text_of_a_pdf_is_read_and_what_has_none_is_refused() -> None:
    assert "1 - Uma regra." in official_texts.text_of(pdf("1 - Uma regra."))
    assert official_texts.text_of("1 — Régua".encode("cp1252")) == "1 — Régua"
    for content in (b"", pdf(""), b"%PDF-1.4 broken", b"x" * (official_texts.MAX_BYTES + 1)):
        with pytest.raises(Unfit):
            official_texts.text_of(content)


def test_who_neither_teaches_nor_administers_loads_nothing() -> None:
    with pytest.raises(Refused, match="Only instructors"):
        official_texts.propose(rulebook("pt-cussec"), "1 — x", source="x", by=PersonFactory(roles=[Role.HR]))


def test_the_command_says_what_is_missing_and_loads_when_told(tmp_path: Path, instructor: User) -> None:
    file, out = tmp_path / "cussec.txt", io.StringIO()
    file.write_text(invented("pt-cussec", skip="6"))
    call_command("load_regulation", "pt-cussec", str(file), by="rita@example.org", stdout=out)
    assert "10 of 11 articles found." in out.getvalue() and "Missing: VII 6." in out.getvalue()
    assert not OfficialText.objects.exists()
    call_command("load_regulation", "pt-cussec", str(file), by="rita@example.org", confirm=True, stdout=out)
    assert OfficialText.objects.get().source == "cussec.txt"
    with pytest.raises(CommandError, match="Nobody has the address"):
        call_command("load_regulation", "pt-cussec", str(file), by="who@example.org")
    with override("pt"), pytest.raises(CommandError, match="Only instructors"):
        call_command("load_regulation", "pt-cussec", str(file), by=PersonFactory(roles=[Role.HR]).email)
