"""What the house decides about its people: languages, the second factor, how long practice is kept."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from exams.accounts.forms import InvitationForm
from exams.audit.models import Entry
from exams.audit.words import describe
from exams.house_office import services
from exams.house_office.services import Policy
from tests.exams.test_house import png
from tests.factories import PASSWORD, PersonFactory
from training.house import selectors
from training.house.models import House
from training.mail.models import Mail
from training.people.accounts import enter_person
from training.people.models import Role, User
from training.people.second_factor import is_missing, seal

pytestmark = pytest.mark.django_db


@pytest.fixture
def administrator() -> User:
    person = PersonFactory(roles=[Role.ADMINISTRATOR], language="en", name="Zé Chefe")
    Authenticator.objects.create(user=person, type="totp", data={"secret": seal("x")})
    return person


def decide(by: User, **changes: Any) -> dict[str, list[Any]]:
    said: dict[str, Any] = {"languages": ["pt", "en"], "second_factor": False, "practice_kept_days": None} | changes
    return services.change(by=by, name="Casa", legal_name="", signatories=[], policy=Policy(**said))


# ---- languages


def test_before_anybody_says_anything_the_house_has_every_language() -> None:
    assert [code for code, _name in selectors.languages()] == ["pt", "en", "it", "es"]
    assert selectors.first_language() == "pt"


def test_who_reads_in_a_language_that_goes_gets_one_that_stays(administrator: User) -> None:
    reader = PersonFactory(language="pt")
    decide(administrator, languages=["en"])
    reader.refresh_from_db()
    assert reader.language == "en"
    assert enter_person(email="nova@sabot.example", name="Nova", roles=[Role.TRAINEE]).language == "en"
    assert [each.data["value"] for each in InvitationForm()["language"].subwidgets] == ["en"]


def test_nobody_chooses_a_language_that_the_house_has_not(administrator: User) -> None:
    decide(administrator, languages=["en"])
    client = Client()
    client.force_login(administrator)
    assert 'name="language"' not in client.get("/").content.decode(), "no choice of one"
    client.post("/language/", {"language": "pt"})
    administrator.refresh_from_db()
    assert administrator.language == "en"
    assert 'value="pt"' in Client().get("/account/login/").content.decode(), "strangers read in every language"


def test_all_languages_are_no_list_so_that_a_new_one_is_there_by_itself(administrator: User) -> None:
    decide(administrator, languages=["en"])
    assert decide(administrator, languages=["es", "en", "pt", "it"])["languages"] == [["en"], []]


@pytest.mark.parametrize("languages", [[], ["fr"], ["pt", "fr"]])
def test_a_house_has_at_least_one_language_and_none_that_sabot_does_not_speak(
    administrator: User, languages: list[str]
) -> None:
    with pytest.raises(services.UnfitLanguages):
        decide(administrator, languages=languages)


# ---- the second factor


def test_the_house_demands_it_where_the_installation_does_not(administrator: User) -> None:
    clerk, trainee = PersonFactory(roles=[Role.HR]), PersonFactory(roles=[Role.TRAINEE])
    assert lacking(clerk, trainee, administrator) == []
    decide(administrator, second_factor=True)
    assert lacking(clerk, trainee, administrator) == [clerk]
    decide(administrator)
    assert lacking(clerk, trainee, administrator) == []


def test_the_house_cannot_undo_what_the_installation_demands(administrator: User, settings: Any) -> None:
    settings.SECOND_FACTOR_REQUIRED = True
    client = Client()
    client.force_login(administrator)
    assert client.post("/house/", {"name": "Casa", "languages": ["pt", "en"]}).status_code == 302
    assert is_missing(PersonFactory(roles=[Role.HR]))
    assert "second_factor" not in Entry.objects.get(act="house.changed").details["changes"]
    page = client.get("/house/").content.decode()
    assert "Required by whoever operates Sabot here." in page


def test_who_demands_it_has_one() -> None:
    bare = PersonFactory(roles=[Role.ADMINISTRATOR])
    with pytest.raises(services.UnfitSecondFactor):
        decide(bare, second_factor=True)
    assert not selectors.second_factor_demanded()


def lacking(*people: User) -> list[User]:
    """As the next request of each finds it."""
    return [person for person in people if is_missing(User.objects.get(pk=person.pk))]


@pytest.mark.parametrize("role", [Role.TRAINEE, Role.HR])
def test_no_page_costs_a_look_at_the_house(role: Role) -> None:
    person = User.objects.get(pk=PersonFactory(roles=[role]).pk)
    assert person.roles == {role}
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert not is_missing(person)
        assert len(selectors.languages(person.house)) == 4
    assert len(asked) == 0


# ---- how long practice is kept


@pytest.mark.parametrize(
    ("house", "installation", "kept"), [(None, None, None), (30, None, 30), (None, 90, 90), (30, 90, 30)]
)
def test_practice_is_kept_for_the_shorter_of_both(
    administrator: User, settings: Any, house: int | None, installation: int | None, kept: int | None
) -> None:
    settings.PRACTICE_KEPT_DAYS = installation
    decide(administrator, practice_kept_days=house)
    assert selectors.practice_kept_days() == kept


def test_where_the_installation_becomes_stricter_it_holds_at_once(administrator: User, settings: Any) -> None:
    decide(administrator, practice_kept_days=400)
    settings.PRACTICE_KEPT_DAYS = 90
    assert selectors.practice_kept_days() == 90


def test_no_more_days_than_any_database_holds(administrator: User, settings: Any) -> None:
    settings.PRACTICE_KEPT_DAYS = 100_000
    with pytest.raises(services.UnfitDays, match="32767"):
        decide(administrator, practice_kept_days=32_768)


@pytest.mark.parametrize(
    ("installation", "days", "fits"),
    [(None, 0, False), (None, 1, True), (None, 3650, True), (None, 3651, False), (90, 90, True), (90, 91, False)],
)
def test_the_bounds_of_the_days(
    administrator: User, settings: Any, installation: int | None, days: int, fits: bool
) -> None:
    settings.PRACTICE_KEPT_DAYS = installation
    if fits:
        assert decide(administrator, practice_kept_days=days)["practice_kept_days"] == [None, days]
        return
    with pytest.raises(services.UnfitDays, match=str(installation or 3650)):
        decide(administrator, practice_kept_days=days)


# ---- on record, and on the page


def test_the_log_tells_old_and_new_in_words(administrator: User) -> None:
    decide(administrator)
    decide(administrator, languages=["en"], second_factor=True, practice_kept_days=365)
    with override("en"):
        lines = [str(line) for line in describe(Entry.objects.order_by("-number")[:1])[0].lines]
    assert lines == [
        "Languages: Português, English → English",
        "Two-step verification required of staff: no → yes",
        "Days for which the practice of people who left is kept: – → 365",
    ]


def confirmed(client: Client) -> None:
    """Has the password asked for again, as the page does."""
    assert client.post("/account/reauthenticate/", {"password": PASSWORD}).status_code == 302


def test_the_page_takes_it_and_says_what_does_not_fit(client: Client, administrator: User) -> None:
    client.force_login(administrator)
    confirmed(client)
    sent = {"name": "Casa", "languages": ["pt", "en", "it", "es"], "second_factor": "on", "practice_kept_days": "365"}
    assert client.post("/house/", sent).status_code == 302
    kept = selectors.current()
    assert (kept.languages, kept.second_factor, kept.practice_kept_days) == ([], True, 365)
    for wrong, words in (
        ({"practice_kept_days": "0"}, "From 1 to 3650 days"),
        ({"practice_kept_days": "99999999999999"}, "From 1 to 3650 days"),
        ({"practice_kept_days": "x"}, "Enter a whole number."),
        ({"languages": []}, "This field is required."),
    ):
        answer = client.post("/house/", sent | wrong)
        assert (answer.status_code, words in answer.content.decode()) == (422, True), wrong
    assert selectors.current().practice_kept_days == 365


# ---- a session left open, or taken, is not enough

SAFE = {"name": "Casa", "languages": ["pt", "en"], "second_factor": "on", "practice_kept_days": "365"}
SIGNED = {"signatory_1": "Amélia", "title_1_pt": "Diretora", "title_1_en": "Director"}


@pytest.fixture
def safe(administrator: User) -> User:
    """The administrator of a house that demands a second factor and keeps practice for a year."""
    decide(administrator, second_factor=True, practice_kept_days=365)
    Mail.objects.all().delete()
    return administrator


@pytest.mark.parametrize(
    "changes",
    [{"second_factor": ""}, {"practice_kept_days": "1"}, {"practice_kept_days": ""}, SIGNED],
    ids=["second factor", "fewer days", "more days", "signatory"],
)
def test_who_touches_security_proves_again_who_they_are_and_types_nothing_twice(
    client: Client, safe: User, changes: dict[str, str]
) -> None:
    client.force_login(safe)
    before = House.objects.values().get()
    asked = client.post("/house/", SAFE | changes)
    assert asked.status_code == 302
    assert asked["Location"] == "/account/reauthenticate/?next=%2Fhouse%2F"
    assert House.objects.values().get() == before
    wrong = client.post(asked["Location"], {"password": "wrong", "next": "/house/"})
    assert (wrong.status_code, House.objects.values().get()) == (200, before)
    done = client.post(asked["Location"], {"password": PASSWORD, "next": "/house/"})
    assert (done.status_code, done["Location"]) == (302, "/house/")
    assert House.objects.values().get() != before
    assert set(Entry.objects.filter(act="house.changed").latest("number").details["changes"]) < set(before)


def test_names_and_pictures_need_no_proof(client: Client, safe: User) -> None:
    client.force_login(safe)
    logo = SimpleUploadedFile("logo.png", png(), "image/png")
    assert client.post("/house/", SAFE | {"name": "Outra", "logo": logo})["Location"] == "/house/"
    assert (selectors.current().name, selectors.current().logo is None) == ("Outra", False)
    assert not Mail.objects.exists()


@pytest.mark.parametrize("proved", [True, False])
def test_a_picture_does_not_wait_and_the_page_says_so(client: Client, safe: User, proved: bool) -> None:
    client.force_login(safe)
    if proved:
        confirmed(client)
    logo = SimpleUploadedFile("logo.png", png(), "image/png")
    answer = client.post("/house/", SAFE | SIGNED | {"logo": logo})
    if not proved:
        client.post(answer["Location"], {"password": PASSWORD, "next": "/house/"})
    page = client.get("/house/").content.decode()
    assert 'value="Amélia"' in page
    assert ("The logo was not saved" not in page) is proved
    assert (selectors.current().logo is not None) is proved


def test_what_does_not_fit_after_the_proof_is_said_on_a_form_that_leads_back(
    client: Client, administrator: User, settings: Any
) -> None:
    client.force_login(administrator)
    asked = client.post("/house/", SAFE)
    settings.PRACTICE_KEPT_DAYS = 30
    answer = client.post(asked["Location"], {"password": PASSWORD, "next": "/house/"})
    assert answer.status_code == 422
    assert "From 1 to 30 days" in answer.content.decode()
    assert 'action="/house/" enctype' in answer.content.decode()


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"second_factor": False}, "Two-step verification required of staff: yes → no"),
        ({"practice_kept_days": 30}, "Days for which the practice of people who left is kept: 365 → 30"),
    ],
)
def test_every_administrator_is_told_of_what_got_weaker(safe: User, changes: dict[str, Any], line: str) -> None:
    other = PersonFactory(roles=[Role.ADMINISTRATOR], language="pt")
    PersonFactory(roles=[Role.ADMINISTRATOR], is_active=False)
    PersonFactory(roles=[Role.HR])
    decide(safe, **{"second_factor": True, "practice_kept_days": 365} | changes)
    bodies = {mail.person: mail.body for mail in Mail.objects.all()}
    assert set(bodies) == {safe, other}
    assert "Zé Chefe changed the settings of the house." in bodies[safe]
    assert line in bodies[safe]
    assert "Zé Chefe alterou as definições da casa." in bodies[other]


def test_other_signatories_are_told_and_what_got_stricter_is_not(safe: User) -> None:
    decide(safe, second_factor=True, practice_kept_days=400)
    decide(safe, second_factor=True, practice_kept_days=None)
    assert not Mail.objects.exists()
    services.change(
        by=safe, name="Casa", legal_name="", signatories=[services.Signatory("Ana", {"pt": "D", "en": "H"})]
    )
    assert "Signatories: – → Ana (H)" in Mail.objects.get().body


def test_passwords_guessed_there_are_counted_like_those_at_the_door(client: Client, safe: User) -> None:
    client.force_login(safe)
    asked = client.post("/house/", SAFE | SIGNED)["Location"]
    for number in range(30):
        client.post(asked, {"password": f"wrong {number}", "next": "/house/"})
    cache.clear()  # the library counts by the minute, in the cache: rows count for longer
    answer = client.post(asked, {"password": PASSWORD, "next": "/house/"})
    assert answer.status_code == 429
    assert not selectors.current().signatories
