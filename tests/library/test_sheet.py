"""Scenarios as a table: out as a workbook and back the same; a row without facts is made by the engine."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from tests.library.versions import instructor, make_draft
from training.library import import_export, spreadsheet, tags
from training.library.models import Version
from training.people.models import Role
from training.platform.errors import UnfitList

pytestmark = pytest.mark.django_db
CSV = "Regulamento;Tema;Dificuldade;Título (pt);Etiquetas\n"
THIRD = "Portugal · chemin de fer;A terceira carta do banqueiro"


def test_a_workbook_goes_out_and_comes_back_the_same() -> None:
    words = {"pt": {"title": "-5 €, e agora?", "story": "Linha\noutra"}, "en": {"note": "=Why"}}
    one = make_draft(seed="1", words=words)
    tags.add([one.item], ["Exame", "Noite"], one.author)
    file = spreadsheet.workbook([one, make_draft(seed="2")], "pt")
    taker = instructor()
    import_export.dry_run(taker, file)
    first, second = import_export.confirm(taker)
    assert first.words == words
    assert [tag.name for tag in first.item.tags.all()] == ["Exame", "Noite"]
    assert first.scenario.situation == one.scenario.situation and first.difficulty == one.difficulty
    assert (second.rulebook, second.topic) == (one.rulebook, one.topic)


def test_titles_are_read_in_every_language_and_a_row_without_facts_is_made_once() -> None:
    taker = instructor()
    content = f"{CSV}{THIRD};3;Noite;a, b\n".encode()
    [entry] = import_export.dry_run(taker, content)
    [made] = import_export.confirm(taker)
    assert made.scenario.situation == entry.scenario.situation, "what was shown is what is kept"
    assert (made.difficulty, made.words) == (3, {"pt": {"title": "Noite"}})
    english = "Rulebook,Topic,Title (en)\nPortugal · chemin de fer,The banker's third card,Night\n"
    assert import_export.read(english.encode())[0].scenario.topic == "third_card"


def test_errors_name_the_row_of_the_table() -> None:
    bad = f"{CSV}{THIRD};2;Um;\n\n{THIRD};9;Dois;\nPoker;x;2;Três;\n"
    with pytest.raises(UnfitList) as unfit:
        import_export.read(bad.encode())
    assert {(error.row, error.field) for error in unfit.value.errors} >= {(5, "rulebook")}
    assert {error.row for error in unfit.value.errors} == {4, 5}
    assert [(error.name, error.reason) for error in unfit.value.errors] == [
        ("Dificuldade", "O nível é um número de 1 a 5."),
        ("Regulamento", "Não existe o regulamento «Poker». Escreva-o tal como está na biblioteca."),
    ]
    with pytest.raises(UnfitList) as unfit:
        import_export.read(f"{CSV}Portugal · chemin de fer;Poker;2;Um;\n".encode())
    assert [(error.field, error.name) for error in unfit.value.errors] == [("topic", "Tema")]
    for nonsense in (b"poker", b"a;b\n1;2\n", b"PK\x03\x04broken", b""):
        with pytest.raises(UnfitList):
            import_export.read(nonsense)


def test_the_pages_give_a_template_and_take_it_filled_in(signed_in: Callable[..., Client]) -> None:
    client = signed_in(Role.INSTRUCTOR)
    book: Any = load_workbook(io.BytesIO(client.get(reverse("import_template")).content))
    assert [cell.value for cell in book.active[1]][:3] == ["Regulamento", "Tema", "Dificuldade"]
    book.active.append(["Portugal · chemin de fer", "A terceira carta do banqueiro", 2])
    filled = io.BytesIO()
    book.save(filled)
    upload = SimpleUploadedFile("lista.xlsx", filled.getvalue())
    assert client.post(reverse("import_scenarios"), {"file": upload}).status_code == 200
    client.post(reverse("confirm_import"))
    assert Version.objects.get().source == "imported"
    assert client.get(reverse("export_scenarios_xlsx")).status_code == 200
