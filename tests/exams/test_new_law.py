"""A new version of the law, from the folder to the certificate that cites it: with an amendment written for the tests,
and with the shipped pair of chemin de fer."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from exams.certificates import credential, issuance
from exams.certificates import services as certificates
from exams.certificates.document import _inputs
from exams.certificates.models import Certificate
from exams.exam_sessions import setup
from exams.hr import exports
from exams.hr.models import Export
from exams.invigilation import acts
from exams.programmes import law, refresher, services
from exams.programmes.editor_form import judged, sheet_of
from exams.programmes.models import ProgrammeVersion
from exams.programmes.rules import Line, Rules, Section
from exams.results import grading
from exams.sittings import sitting as sittings
from rules_engine import RULEBOOKS, Rulebook
from rules_engine.amendments import remove
from tests.amending import FOLDER, NEW, OLD, amended, copied
from tests.exams import making, setting_up
from tests.exams.certifying import make_certificate
from tests.factories import PersonFactory
from training.lessons import law_changes
from training.mastery.memory import Rule
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db

LISBON = ZoneInfo("Europe/Lisbon")
CDF, CDF_1995 = "pt-chemin-de-fer", "pt-chemin-de-fer-1995"


@pytest.fixture
def new() -> Iterator[Rulebook]:
    with amended() as book:
        yield book


def black_jack(book: str = OLD) -> Rules:
    lines = (Line(rulebook=book, topic="bets", items=2),)
    return making.make_rules(
        rulebooks=(book,), sections=(Section(key="bets", names={"pt": "Apostas", "en": "Bets"}, lines=lines),)
    )


def holder_of(book: str = OLD, **facts: Any) -> Certificate:
    """Somebody who passed the whole exam on a version."""
    return make_certificate(making.make_version(black_jack(book)), PersonFactory(roles=[Role.TRAINEE], **facts))


def signed(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def visit(role: Role, language: str = "en") -> Client:
    return signed(PersonFactory(roles=[role], language=language))


def text(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, address
    return answer.content.decode()


# ---- sessions


def test_a_session_is_refused_on_a_day_on_which_another_version_is_in_force(new: Rulebook) -> None:
    version, by = making.make_version(black_jack()), setting_up.examiner()
    with pytest.raises(Refused, match=r"está em vigor «Portugal 2026 .*», e este programa examina «Portugal 1995") as refused:
        setting_up.make(by, version)
    assert "nova versão do programa" in str(refused.value)
    made = services.new_version(version.programme, by)
    assert made.rules.rulebooks == (NEW,)
    assert {line.rulebook for line in made.rules.lines} == {NEW}
    services.publish(made, PersonFactory(roles=[Role.ADMINISTRATOR]), seen=made.changed_at)
    made.refresh_from_db()
    assert setting_up.make(by, made).programme_version == made


def test_the_day_of_the_change_decides(new: Rulebook) -> None:
    eve, day = (datetime(2026, month, number, 12, tzinfo=LISBON) for month, number in ((9, 30), (10, 1)))
    old, later = making.make_version(black_jack()), making.make_version(black_jack(NEW))
    setup.verify_in_force(old, eve)
    setup.verify_in_force(later, day)
    for version, moments in ((old, (eve, day)), (later, (eve, day)), (old, (day,)), (later, (eve,))):
        with pytest.raises(Refused):
            setup.verify_in_force(version, *moments)


def test_a_programme_on_the_replaced_text_of_1995_is_refused_and_brought_up_to_date() -> None:
    lines = (Line(rulebook=CDF_1995, topic="third_card", items=2),)
    rules = making.make_rules(
        rulebooks=(CDF_1995,), sections=(Section(key="coup", names={"pt": "O golpe"}, lines=lines),)
    )
    with pytest.raises(Refused, match="Portugal"):
        setting_up.make(version=making.make_version(rules))
    assert law.brought_up_to_date(rules, timezone.localdate()).rulebooks == (CDF,)
    assert law.brought_up_to_date(making.make_rules(), timezone.localdate()) == making.make_rules()


def test_the_programme_says_that_its_law_was_replaced(new: Rulebook) -> None:
    version = making.make_version(black_jack())
    page = text(visit(Role.INSTRUCTOR), f"/programmes/{version.programme_id}/")
    assert "is in force, and this programme examines" in page


# ---- what changed


def test_the_page_of_differences_shows_each_change_with_an_example(new: Rulebook) -> None:
    page = text(visit(Role.TRAINEE), f"/rulebooks/changes/{OLD}/{NEW}/")
    for expected in (
        "Maximum bet is 30 times the minimum.",
        "Maximum bet is 50 times the minimum.",
        "«Querem fazer seguro?»",
        "«Seguros, por favor»",
        "1 October 2026",
        "4 articles differ.",
        "difference: 3.",
    ):
        assert expected in page
    assert page.count("No visible difference") == 1
    assert "Refresher exam" not in page
    played = text(visit(Role.TRAINEE), f"/rulebooks/changes/{OLD}/{NEW}/37/")
    assert "Portugal 2026 · black jack/21 (amended)" in played
    for address in (
        f"/rulebooks/changes/{NEW}/{OLD}/",
        f"/rulebooks/changes/{OLD}/{CDF}/",
        f"/rulebooks/changes/{OLD}/{NEW}/38/",
        f"/rulebooks/changes/{OLD}/{NEW}/5/",
    ):
        text(visit(Role.TRAINEE), address, 404)


def test_the_shipped_pair_says_honestly_where_nothing_shows() -> None:
    page = text(visit(Role.HR, language="pt"), f"/rulebooks/changes/{CDF_1995}/{CDF}/")
    assert page.count("Sem diferença visível") == 2
    assert "1 de dezembro de 1995" in page.lower()
    assert "não indica a data de entrada em vigor" in page
    assert "data-article" not in page  # human resources may not open articles


def test_who_studied_or_holds_the_old_version_is_pointed_to_the_lesson(new: Rulebook) -> None:
    held = holder_of(language="en").holder
    page = text(signed(held), "/")
    assert f"/practice/changes/{OLD}/{NEW}/" in page
    assert "3 changed rules are new to you." in page
    lesson = text(signed(held), f"/practice/changes/{OLD}/{NEW}/")
    assert lesson.count("Try it") == 3
    begun = signed(held).post("/practice/lessons/", {"lesson": f"{NEW}/37", "this_rule": "1"})
    assert begun.status_code == 302
    assert held.drills.get().scenario.rulebook == NEW
    assert f"/practice/changes/{OLD}/{NEW}/" not in text(visit(Role.TRAINEE), "/")


def test_who_has_met_every_changed_rule_is_pointed_no_more(new: Rulebook) -> None:
    met = [Rule(NEW, cite) for cite in ("10", "33 s1", "37")]
    assert law_changes.pointers([OLD], met, "en") == []
    [left] = law_changes.pointers([OLD, OLD], met[:2], "en")
    assert (left.old, left.new, left.left) == (OLD, NEW, 1)
    assert law_changes.pointers([NEW, "pt-craps"], [], "en") == []


# ---- the refresher exam


def drafted(new: Rulebook, by: User | None = None) -> ProgrammeVersion:
    return refresher.draft(new, by or PersonFactory(roles=[Role.HR]))


def test_the_refresher_asks_only_what_changed(new: Rulebook) -> None:
    made = drafted(new)
    rules = made.rules
    assert {line.article for line in rules.lines} == {"10", "33 s1", "37"}
    assert (rules.rulebooks, rules.refreshes, made.state) == ((NEW,), (OLD,), ProgrammeVersion.State.DRAFT)
    assert made.programme.code == "R-PT-BLACK-JACK-2026"
    with pytest.raises(Refused, match="Já há"):
        drafted(new)
    for role in (Role.TRAINEE,):
        with pytest.raises(Refused):
            drafted(new, PersonFactory(roles=[role]))


def test_the_draft_is_made_by_a_button_and_can_be_edited(new: Rulebook) -> None:
    author = PersonFactory(roles=[Role.ADMINISTRATOR], language="en")
    client = signed(author)
    assert "only art. 37" in text(client, f"/programmes/refresher/{NEW}/")
    assert client.post(f"/programmes/refresher/{NEW}/").status_code == 302
    made = ProgrammeVersion.objects.get()
    sheet = text(client, f"/programmes/{made.programme_id}/draft/")
    assert f'value="{NEW}/bets/37"' in sheet
    assert client.post(f"/programmes/refresher/{NEW}/").status_code == 409
    text(client, f"/programmes/refresher/{OLD}/", 404)


def test_an_edited_refresher_keeps_its_articles(new: Rulebook) -> None:
    made = drafted(new, PersonFactory(roles=[Role.INSTRUCTOR]))
    sheet, data = sheet_of(made), QueryDict(mutable=True)
    for form in (
        sheet.form,
        *(part.form for part in sheet.parts),
        *(line for part in sheet.parts for _n, line in part.lines),
    ):
        for bound in form:
            value = bound.value()
            data.setlist(
                bound.html_name,
                list(value) if isinstance(value, tuple | list) else ["" if value is None or value is False else str(value)],
            )
    data.setlist("parts", [str(part.number) for part in sheet.parts])
    for part in sheet.parts:
        data.setlist(f"part{part.number}-lines", [str(number) for number, _form in part.lines])
    typed = judged(data, new=False)
    assert typed.is_valid(), typed.problems()
    assert typed.rules() == made.rules
    first = sheet.parts[0].lines[0][1].prefix
    data[f"{first}-topic"] = f"{NEW}/payout"
    moved = judged(data, new=False)
    assert moved.is_valid()
    assert moved.rules().lines[0].article == ""


# ---- the whole way


def sat(version: ProgrammeVersion, person: User) -> Certificate:
    """Somebody enters, sits and passes an exam that an examiner set up; the worker's steps are called."""
    opens = timezone.now() + timedelta(minutes=1)
    session = setting_up.make(version=version, opens_at=opens, entry_closes_at=opens + timedelta(hours=1))
    ready = setting_up.ready(session, person)
    candidate, now = ready.candidates.get(), opens + timedelta(minutes=1)
    begun = sittings.begin(candidate, ready.access_code, device="one", now=now)
    assert {item.item.scenario.rulebook for item in candidate.form.items.all()} == set(version.rules.rulebooks)
    acts.check_identity(begun, name=begun.name, by=session.created_by, now=now)
    making.answer(begun, right=99, at=now)
    making.close(begun, at=now + timedelta(minutes=5))
    result = grading.grade_sitting(begun.pk)
    assert result is not None
    assert result.passed
    type(result).objects.filter(pk=result.pk).update(released_at=result.decided_at)
    made = issuance.follow(result.pk)
    assert made is not None
    return made


def test_from_the_folder_to_the_certificate(new: Rulebook) -> None:
    affected, other = holder_of(language="en"), holder_of(name="Zita Zagalo")
    hr = PersonFactory(roles=[Role.HR], language="en")
    page = text(signed(hr), f"/hr/law/?version={NEW}")
    assert page.count("not yet") == 2
    made = drafted(new, hr)
    services.publish(made, PersonFactory(roles=[Role.ADMINISTRATOR]), seen=made.changed_at)
    made.refresh_from_db()
    certificate = sat(made, affected.holder)
    page = text(signed(hr), f"/hr/law/?version={NEW}")
    assert (page.count("not yet"), page.count("passed on")) == (1, 1)
    assert other.holder.name in page
    cited = f"{new.law.title}, in force since 1 October 2026"
    assert cited in text(Client(headers={"accept-language": "en"}), f"/c/{certificate.code}")
    assert cited in text(signed(affected.holder), "/certificates/")
    assert cited in credential.payload(certificate)["credentialSubject"]["narrative"]
    assert f"{new.law.title}; in force since 1 October 2026" in [book["law"] for book in _inputs(certificate)["books"]]


def test_a_certificate_from_before_cites_what_it_cited() -> None:
    """Its stored values have no day; nothing about it changes."""
    certificate = make_certificate()
    kept = dict(certificate.printed)
    del kept["in_force_since"]
    certificate.printed = kept
    [book] = _inputs(certificate)["books"]
    assert book["law"] == "Regras do bacará chemin de fer em vigor em Portugal"
    assert "in force since" not in credential.payload(certificate)["credentialSubject"]["narrative"]


def test_a_text_without_a_date_is_cited_as_such() -> None:
    [book] = _inputs(make_certificate())["books"]
    assert book["law"].endswith("; o texto não indica a data de entrada em vigor")


# ---- human resources


def test_the_list_can_be_exported(new: Rulebook) -> None:
    held = holder_of(name="Ana Prates")
    hr = PersonFactory(roles=[Role.HR], language="en")
    asked = signed(hr).post("/hr/exports/", {"what": "affected", "format": "csv", "query": f"rulebook={NEW}"})
    assert asked.status_code == 302
    export = Export.objects.get()
    exports.make(export.pk)
    export.refresh_from_db()
    path = exports.file_of(export)
    assert path is not None
    [head, row] = path.read_text("utf-8-sig").splitlines()
    assert "Exam on the new version passed on" in head
    for expected in (held.number, "Ana Prates", "2026-10-01"):
        assert expected in row
    refused = signed(hr).post("/hr/exports/", {"what": "affected", "format": "csv", "query": ""})
    assert refused.status_code == 422


def test_the_list_leaves_out_who_is_not_affected(new: Rulebook) -> None:
    holder_of(NEW, name="Tem Novo")
    certificates.suspend(certificate=holder_of(name="Está Suspenso"), actor=None, reason="Queixa")
    make_certificate(person=PersonFactory(name="Outro Jogo"))
    page = text(visit(Role.HR), f"/hr/law/?version={NEW}")
    assert "Nobody is affected" in page
    text(visit(Role.HR), "/hr/law/?version=nonsense", 404)


def test_the_pages_take_a_constant_number_of_queries(new: Rulebook) -> None:
    client = visit(Role.HR)
    holder_of()
    counts = []
    for _more in range(2):
        with CaptureQueriesContext(connection) as queries:
            text(client, f"/hr/law/?version={NEW}")
        counts.append(len(queries))
        for _person in range(3):
            holder_of()
    assert counts[0] == counts[1]


# ---- the command


def test_the_command_checks_an_amendment(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("check_amendment", str(FOLDER))
    told = capsys.readouterr().out
    remove(RULEBOOKS[NEW])
    assert "article 37: maximum_times_minimum: shows in largest_bet" in told
    assert "article 38: wording: NO CASE SHOWS A DIFFERENCE" in told
    broken = copied(tmp_path)
    (broken / "law.toml").unlink()
    with pytest.raises(CommandError, match=r"law\.toml"):
        call_command("check_amendment", str(broken))
