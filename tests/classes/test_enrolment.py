"""Who is in a class: by hand and by list."""

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tests.classes.rooms import instructor, make_class
from tests.factories import PersonFactory
from training.classes import enrolment, selectors, services
from training.classes.models import Enrolment, TrainingClass
from training.mail.courier import deliver
from training.people.models import Role, User
from training.platform.errors import Refused, UnfitList

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _in_english() -> Any:
    with translation.override("en"):
        yield


def names(room: TrainingClass) -> list[str]:
    return [who.name for who in selectors.trainees_of(room)]


def errors_of(room: TrainingClass, text: str, *, enter_unknown: bool = False) -> list[tuple[int, str, str]]:
    with pytest.raises(UnfitList) as unfit:
        enrolment.plan(room, text, enter_unknown=enter_unknown)
    return [(error.row, error.field, error.reason) for error in unfit.value.errors]


def test_who_left_comes_back_with_the_same_record() -> None:
    trainee = PersonFactory()
    room = make_class(None, trainee)
    services.remove(room, trainee, room.instructors.get())
    left = Enrolment.objects.get()
    assert left.left_at
    assert left.removed_by == room.instructors.get()
    assert services.enrol(room, [trainee], room.instructors.get()) == [trainee]
    assert Enrolment.objects.get().left_at is None
    assert services.enrol(room, [trainee], room.instructors.get()) == []


def test_only_trainees_are_enrolled_all_or_none() -> None:
    room = make_class()
    with pytest.raises(Refused, match="not a trainee"):
        services.enrol(room, [PersonFactory(), instructor()], room.instructors.get())
    assert names(room) == []


def test_a_class_holds_its_limit_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_TRAINEES", 2)
    room = make_class(None, PersonFactory())
    services.enrol(room, [PersonFactory()], room.instructors.get())
    with pytest.raises(Refused, match="at most 2"):
        services.enrol(room, [PersonFactory()], room.instructors.get())
    email = PersonFactory().email
    assert errors_of(room, f"email\n{email}") == [(0, "", "A class can have at most 2 trainees.")]


def test_a_closed_class_takes_nobody() -> None:
    room = make_class()
    services.close_class(room, room.instructors.get())
    room.refresh_from_db()
    with pytest.raises(Refused, match="closed"):
        services.enrol(room, [PersonFactory()], room.instructors.get())


@pytest.mark.parametrize(
    "text",
    [
        "email,name\r\nana@casino.example,Ana\r\n",
        "\N{BYTE ORDER MARK}email;name\nANA@casino.example ;Ana",
        "Nome\tE-mail\nAna\tana@casino.example\n\n",
        '\n"email","name"\n"ana@casino.example","Lopes; Ana"\n',
        "email\nana@casino.example",
        "Correio Eletrónico;NOME\nana@casino.example;Ana",
    ],
)
def test_a_list_as_spreadsheets_write_it(text: str) -> None:
    ana = PersonFactory(email="ana@casino.example")
    assert enrolment.plan(make_class(), text, enter_unknown=False).enrol == (ana,)


def test_columns_are_named_in_the_language_of_the_page() -> None:
    room = make_class()
    client = Client()
    client.force_login(room.instructors.get())
    User.objects.update(language="pt")
    address = reverse("enrol_list", args=[room.pk])
    assert "Com as colunas e-mail e nome" in client.get(address).content.decode()
    for text, told in (("x\ny", "às colunas: e-mail, nome"), ("nome;e-mail\nRui;", ">E-mail<")):
        page = client.post(address, {"text": text}).content.decode()
        assert told in page and "<code>" not in page


def test_every_error_has_its_row_and_field() -> None:
    PersonFactory(email="ana@casino.example")
    PersonFactory(email="gone@casino.example", is_active=False)
    PersonFactory(email="boss@casino.example", name="Chefe", roles=[Role.HR])
    text = (
        "email,name\nana@casino.example,Ana\nana@casino.example,Ana\n,Rui\nnot an address,Eva\n\n"
        "boss@casino.example,Chefe\ngone@casino.example,Foi\nnew@casino.example,Novo\n"
    )
    assert errors_of(make_class(), text) == [
        (3, "email", "is already in row 2"),
        (4, "email", "is missing"),
        (5, "email", "Enter a valid email address."),
        (7, "email", "Chefe is not a trainee"),
        (8, "email", "this person may no longer sign in"),
        (9, "email", "nobody here has this address"),
    ]


def test_a_new_trainee_needs_a_name_that_fits() -> None:
    text = f"email,name\na@casino.example,\nb@casino.example,{'x' * 121}\nc@casino.example,{'x' * 120}"
    found = errors_of(make_class(), text, enter_unknown=True)
    assert [(row, field) for row, field, _reason in found] == [(2, "name"), (3, "name")]


@pytest.mark.parametrize(
    ("text", "row", "reason"),
    [
        ("", 0, "empty"),
        ("email,name\n", 0, "nobody under them"),
        ("ana@casino.example,Ana\n", 1, "must name the columns"),
        ("email\n" + "a@casino.example\n" * 201, 0, "more than 200 rows"),
        ("email\n" + "x" * enrolment.MAX_BYTES, 0, "larger than 64 KB"),
        ('email\n"ana@casino.example"x\n', 2, "cannot be read"),
        ("email\n\x00", 0, "cannot be stored"),
    ],
)
def test_a_list_that_is_none(text: str, row: int, reason: str) -> None:
    [(found, _field, why)] = errors_of(make_class(), text)
    assert found == row
    assert reason in why


def test_a_file_in_another_encoding_says_what_to_do() -> None:
    with pytest.raises(UnfitList) as unfit:
        enrolment.decode("email,name\na@b.example,João".encode("latin-1"))
    assert "UTF-8" in unfit.value.errors[0].reason


def page(room: TrainingClass) -> str:
    return f"/classes/{room.pk}/people/list/"


def test_a_bad_row_changes_nothing_and_the_list_comes_back(signed_in: Callable[..., Client]) -> None:
    client = signed_in(Role.INSTRUCTOR)
    ana = PersonFactory(email="ana@casino.example")
    room = make_class(client.person)  # type: ignore[attr-defined]
    file = SimpleUploadedFile("turma.csv", f"email;name\n{ana.email};Ana\nnobody;Rui\n".encode("utf-8-sig"))
    response = client.post(page(room), {"file": file, "enter_unknown": "on"})
    assert response.status_code == 422
    assert [(error.row, error.field) for error in response.context["errors"]] == [(3, "email")]
    assert "nobody;Rui" in response.content.decode()
    again = client.post(page(room), {"text": f"email;name\n{ana.email};Ana\nnobody;Rui\n", "confirm": "yes"})
    assert again.status_code == 422
    assert names(room) == []


def test_dry_run_then_all_are_enrolled_and_the_new_ones_get_their_mail(
    signed_in: Callable[..., Client], client: Client
) -> None:
    teacher = signed_in(Role.INSTRUCTOR)
    room = make_class(teacher.person)  # type: ignore[attr-defined]
    PersonFactory(email="ana@casino.example", name="Ana")
    listed = {"text": "email,name\nana@casino.example,Ana\nrui@casino.example,Rui Vaz\n", "enter_unknown": "on"}
    checked = teacher.post(page(room), listed)
    assert checked.status_code == 200
    assert [row.name for row in checked.context["plan"].enter] == ["Rui Vaz"]
    assert (names(room), User.objects.filter(email="rui@casino.example").count(), mail.outbox) == ([], 0, [])

    assert teacher.post(page(room), listed | {"confirm": "yes"}).status_code == 302
    assert names(room) == ["Ana", "Rui Vaz"]
    rui = User.objects.get(email="rui@casino.example")
    assert rui.roles == {Role.TRAINEE}
    assert rui.role_grants.get().granted_by == teacher.person  # type: ignore[attr-defined]
    deliver()
    [sent] = mail.outbox
    assert sent.to == ["rui@casino.example"]
    link = next(word for word in str(sent.body).split() if word.startswith("http"))
    assert client.get(link.removeprefix(settings.PUBLIC_URL), follow=True).status_code == 200


def test_by_hand_whatever_the_accents(signed_in: Callable[..., Client]) -> None:
    teacher = signed_in(Role.INSTRUCTOR)
    room = make_class(teacher.person)  # type: ignore[attr-defined]
    ines = PersonFactory(name="Inês Varela")
    PersonFactory(name="Ines Chefe", roles=[Role.HR])
    found = teacher.get(f"/classes/{room.pk}/people/?q=INES")
    assert found.context["found"] == [ines]
    teacher.post(f"/classes/{room.pk}/people/enrol/", {"trainee": ines.pk})
    assert names(room) == ["Inês Varela"]
    teacher.post(f"/classes/{room.pk}/people/remove/", {"trainee": ines.pk})
    assert names(room) == []


@pytest.mark.parametrize("number", ["", "x", "0", "9" * 40, "²"])
def test_a_number_that_is_nobody(signed_in: Callable[..., Client], number: str) -> None:
    teacher = signed_in(Role.INSTRUCTOR)
    room = make_class(teacher.person)  # type: ignore[attr-defined]
    assert teacher.post(f"/classes/{room.pk}/people/enrol/", {"trainee": number}).status_code == 404
