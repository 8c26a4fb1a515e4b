"""A refresher exam from the folder of an amendment to the certificate that cites it, and the holders affected."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from msgspec.structs import replace

from exams.certificates import credential, issuance
from exams.certificates import services as certificates
from exams.certificates.document import _inputs
from exams.certificates.models import Certificate
from exams.exam_sessions import candidacy
from exams.hr import exports
from exams.hr.models import Export
from exams.invigilation import acts
from exams.programmes import refresher, services
from exams.programmes.editor_form import judged, sheet_of
from exams.programmes.models import ProgrammeVersion
from exams.results import grading
from exams.sittings import sitting as sittings
from rules_engine import Rulebook, rulebook
from tests.amending import NEW, OLD, amended
from tests.exams import making, setting_up
from tests.exams.certifying import make_certificate, make_result
from tests.exams.new_law import CDF, black_jack, drafted, holder_of, signed, text, visit
from tests.factories import PersonFactory, second_person
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def new() -> Iterator[Rulebook]:
    with amended() as book:
        yield book


# ---- the refresher exam


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


@pytest.mark.parametrize("book", [CDF, "pt-ponto-banca-macau"])
def test_the_shipped_pairs_have_a_refresher_too(book: str) -> None:
    """It asks what can be asked of what the later text says differently, and says what cannot."""
    new = rulebook(book)
    rules = drafted(new).rules
    assert rules.refreshes == (f"{book}-1995",)
    assert {line.article for line in rules.lines}.isdisjoint(refresher.not_asked(new))
    assert all(line.rulebook == book and line.article in new.law for line in rules.lines)
    assert rules.lines


def test_the_draft_is_made_by_a_button_and_can_be_edited(new: Rulebook) -> None:
    author = PersonFactory(roles=[Role.ADMINISTRATOR], language="en")
    client = signed(author)
    assert "only art. V 37" in text(client, f"/programmes/refresher/{NEW}/")
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
                list(value)
                if isinstance(value, tuple | list)
                else ["" if value is None or value is False else str(value)],
            )
    data.setlist("parts", [str(part.number) for part in sheet.parts])
    for part in sheet.parts:
        data.setlist(f"part{part.number}-lines", [str(number) for number, _form in part.lines])
    typed = judged(data, made)
    assert typed.is_valid(), typed.problems()
    assert typed.rules() == made.rules
    first = sheet.parts[0].lines[0][1].prefix
    data[f"{first}-topic"] = f"{NEW}/payout"
    moved = judged(data, made)
    assert moved.is_valid()
    assert moved.rules().lines[0].article == ""


def test_a_refresher_cannot_be_made_an_exam_for_everybody(new: Rulebook) -> None:
    author = PersonFactory(roles=[Role.INSTRUCTOR])
    made = drafted(new, author)
    rules = replace(made.rules, refreshes=(), pass_mark=70)
    changed = services.change_draft(made, author, names=made.names, rules=rules, seen=made.changed_at)
    assert (changed.rules.refreshes, changed.rules.pass_mark) == ((OLD,), 70)


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
    services.publish(making.judged(made), PersonFactory(roles=[Role.ADMINISTRATOR]), seen=made.changed_at)
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


def test_the_refresher_is_only_for_holders_and_lasts_as_long_as_what_they_hold(new: Rulebook) -> None:
    made = drafted(new)
    services.publish(making.judged(made), PersonFactory(roles=[Role.ADMINISTRATOR]), seen=made.changed_at)
    made.refresh_from_db()
    session = setting_up.make(version=made)
    with pytest.raises(Refused, match="não basta"):
        candidacy.enter(session, PersonFactory(roles=[Role.TRAINEE]), session.created_by)
    held = holder_of(valid_months=3)
    certificate = sat(made, held.holder)
    assert certificate.valid_until == held.valid_until
    other = holder_of()
    certificates.suspend(certificate=other, actor=None, reason="Queixa")
    with pytest.raises(issuance.HeldBack, match="não está válido"):
        issuance.verify_gives(make_result(made, other.holder), None)


def test_a_refresher_falls_with_the_certificate_it_brought_up_to_date(new: Rulebook) -> None:
    """It asked only what changed; the exam on everything else no longer counts."""
    made = drafted(new)
    services.publish(making.judged(made), PersonFactory(roles=[Role.ADMINISTRATOR]), seen=made.changed_at)
    made.refresh_from_db()
    held, hr = holder_of(), PersonFactory(roles=[Role.HR])
    refreshed = make_certificate(made, held.holder)
    certificates.suspend(certificate=held, actor=None, reason="Exame anulado")
    refreshed.refresh_from_db()
    assert refreshed.state == Certificate.State.SUSPENDED
    assert held.number in refreshed.acts.order_by("number").last().reason
    with pytest.raises(Refused, match="não está válido"):
        certificates.reinstate(certificate=refreshed, actor=hr, reason="Engano")
    certificates.reinstate(certificate=held, actor=hr, reason="Engano")
    certificates.reinstate(certificate=refreshed, actor=hr, reason="Engano")
    holder_of(OLD)  # somebody else's counts for nothing
    certificates.withdraw(certificate=held, actor=hr, second=second_person(), reason="Fraude")
    refreshed.refresh_from_db()
    assert refreshed.state == Certificate.State.SUSPENDED


def test_a_refresher_stays_while_another_certificate_supports_it(new: Rulebook) -> None:
    made = drafted(new)
    services.publish(making.judged(made), PersonFactory(roles=[Role.ADMINISTRATOR]), seen=made.changed_at)
    made.refresh_from_db()
    held, hr = holder_of(), PersonFactory(roles=[Role.HR])
    other = make_certificate(making.make_version(black_jack()), held.holder)
    refreshed = make_certificate(made, held.holder)
    certificates.withdraw(certificate=other, actor=hr, second=second_person(), reason="Engano")
    refreshed.refresh_from_db()
    assert refreshed.state == Certificate.State.GRANTED


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
