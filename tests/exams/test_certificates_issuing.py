"""What a decided result means for certificates: issued, renewed, held back, suspended after a regrade."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from exams.audit.models import Entry
from exams.certificates import issuance, lifecycle, services
from exams.certificates.issuance import ALPHABET, CODE_LENGTH, HeldBack
from exams.certificates.models import Act, Certificate
from exams.results import hooks
from exams.results.models import Result
from tests.exams import making
from tests.exams.certifying import add_result, make_certificate, make_result
from tests.factories import PersonFactory, second_person
from tests.running import until
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def hr(db: None) -> User:
    return PersonFactory(roles=[Role.HR])


def turn(result: Result, **changes: object) -> Result:
    """A regrade: another result of the same sitting, decided now."""
    now = timezone.now()
    return add_result(result.sitting, **({"decided_at": now, "released_at": now} | changes))


def test_a_pass_gives_a_certificate_once() -> None:
    holder = PersonFactory(name="Inês Conceição", language="en")
    result = make_result(making.make_version(), holder, decided_at=datetime(2026, 8, 31, 23, 30, tzinfo=UTC))
    certificate = issuance.follow(result.pk)
    assert certificate is not None
    assert issuance.follow(result.pk) is None
    assert certificate.holder_name == "Inês Conceição"
    assert certificate.language == "en"
    assert certificate.scope == [making.BOOK]
    # Half past midnight in Lisbon: the decision is of the first of September.
    assert (certificate.valid_from, certificate.valid_until) == (date(2026, 9, 1), date(2028, 9, 1))
    assert len(certificate.code) == CODE_LENGTH
    assert set(certificate.code) <= set(ALPHABET)
    assert Act.objects.get().kind == "grant"


def test_numbers_count_for_each_programme_and_year(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = making.make_version(), making.make_version()
    year = timezone.localdate().year
    numbers = [make_certificate(version).number.rpartition("-")[0] for version in (one, one, other)]
    assert numbers == [f"CDF-1-{year}-000001", f"CDF-1-{year}-000002", f"CDF-2-{year}-000001"]
    monkeypatch.setattr("exams.clock.today", lambda: date(year + 1, 1, 1))
    assert make_certificate(one).number.startswith(f"CDF-1-{year + 1}-000001-")


@pytest.mark.parametrize(
    "changes",
    [{"passed": False}, {"in_force": False}, {"decided_at": None, "released_at": None}, {"released_at": None}],
)
def test_nothing_without_a_released_pass_in_force(changes: dict[str, object], hr: User) -> None:
    made = make_result(making.make_version())
    result = turn(made, **changes)
    Result.objects.filter(sitting=result.sitting).exclude(pk=result.pk).update(in_force=False)
    assert issuance.follow(result.pk) is None
    assert issuance.sweep() == 0
    with pytest.raises(Refused, match=r"O resultado ainda não foi|Só um exame já decidido e"):
        issuance.issue(result=result, actor=hr, reason="x")


def test_where_hr_decides_the_rule_waits(hr: User) -> None:
    result = make_result(making.make_version(making.make_rules(certificate="by_hr")))
    assert issuance.follow(result.pk) is None
    assert issuance.sweep() == 0
    assert list(issuance.waiting()) == [result]
    certificate = issuance.issue(result=result, actor=hr, reason="Processo completo")
    assert certificate.acts.get().actor == hr
    assert list(issuance.waiting()) == []
    with pytest.raises(Refused, match=r"Este exame já deu lugar a um certificado\."):
        issuance.issue(result=result, actor=hr, reason="outra vez")


def test_hr_issues_nothing_to_themselves() -> None:
    both = PersonFactory(roles=[Role.TRAINEE, Role.HR])
    result = make_result(making.make_version(making.make_rules(certificate="by_hr")), both)
    with pytest.raises(Refused, match=r"Ninguém decide sobre o seu próprio certificado\."):
        issuance.issue(result=result, actor=both, reason="x")


def test_the_sweep_finds_what_no_message_brought() -> None:
    version = making.make_version()
    results = [make_result(version) for _number in range(3)]
    issuance.follow(results[0].pk)
    assert [issuance.sweep(), issuance.sweep()] == [2, 0]
    assert Certificate.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_a_decision_wakes_the_worker(worker: None) -> None:
    result = make_result(making.make_version())
    hooks.result_decided(result.pk)
    until("there is a certificate", lambda: Certificate.objects.filter(result=result).exists())


# ---- renewal


@pytest.mark.parametrize(("left", "continues"), [(91, False), (90, True), (0, True)])
def test_renewal_makes_a_new_one_and_keeps_the_old(left: int, continues: bool) -> None:
    version, holder = making.make_version(), PersonFactory()
    today = timezone.localdate()
    old = made_to_end(version, holder, on=today + timedelta(days=left))
    new = make_certificate(version, holder)
    old.refresh_from_db()
    assert (old.state, new.replaces, new.state) == ("replaced", old, "granted")
    assert old.acts.last().kind == "renew"
    assert new.valid_from == today
    assert new.valid_until == lifecycle.add_months(old.valid_until if continues else today, 24)


def made_to_end(version: object, holder: User, *, on: date) -> Certificate:
    """A certificate whose last day is this one."""
    result = make_result(version, holder, decided_at=timezone.now() - timedelta(days=700))  # type: ignore[arg-type]
    return Certificate.objects.create(  # type: ignore[misc]
        number=f"OLD-{Certificate.objects.count()}",
        code=issuance.new_code(),
        holder=holder,
        holder_name=holder.name,
        language="pt",
        programme_version=version,
        result=result,
        scope=[making.BOOK],
        granted_at=timezone.now() - timedelta(days=700),
        valid_from=on - timedelta(days=700),
        valid_until=on,
        status_index=5,
        printed={"issuer": "Casa de Teste"},
    )


def test_after_the_end_it_is_a_new_certificate() -> None:
    version, holder = making.make_version(), PersonFactory()
    old = made_to_end(version, holder, on=timezone.localdate() - timedelta(days=1))
    new = make_certificate(version, holder)
    old.refresh_from_db()
    assert new.replaces is None
    assert old.state == "granted"  # its end is noted by the calendar
    assert lifecycle.standing(old, timezone.localdate()) == "expired"
    assert new.valid_until == lifecycle.add_months(timezone.localdate(), 24)


def test_another_programme_replaces_nothing() -> None:
    holder = PersonFactory()
    first, second = (make_certificate(making.make_version(), holder) for _each in range(2))
    first.refresh_from_db()
    assert (first.state, second.replaces) == ("granted", None)


def test_passing_again_does_not_undo_a_suspension(hr: User) -> None:
    version, holder = making.make_version(), PersonFactory()
    old = make_certificate(version, holder, decided_at=timezone.now() - timedelta(days=30))
    services.suspend(certificate=old, actor=hr, reason="x")
    again = make_result(version, holder)
    assert issuance.follow(again.pk) is None
    with pytest.raises(HeldBack, match="Um certificado anterior está suspenso: decida"):
        issuance.issue(result=again, actor=hr, reason="x")
    assert list(issuance.waiting()) == [again]
    services.reinstate(certificate=old, actor=hr, reason="x")
    assert issuance.sweep() == 1


def test_passing_again_does_not_undo_a_withdrawal_that_came_later(hr: User) -> None:
    version, holder = making.make_version(), PersonFactory()
    old = make_certificate(version, holder, decided_at=timezone.now() - timedelta(days=30))
    again = make_result(version, holder)
    services.withdraw(certificate=old, actor=hr, second=second_person(), reason="x")
    assert issuance.follow(again.pk) is None
    assert issuance.issue(result=again, actor=hr, reason="Falta sanada").state == "granted"


def test_an_exam_passed_after_a_withdrawal_counts(hr: User) -> None:
    version, holder = making.make_version(), PersonFactory()
    old = make_certificate(version, holder, decided_at=timezone.now() - timedelta(days=30))
    services.withdraw(certificate=old, actor=hr, second=second_person(), reason="x")
    begun_since = make_result(version, holder, decided_at=timezone.now() + timedelta(hours=3))
    assert issuance.follow(begun_since.pk) is not None


# ---- regrades


def test_a_pass_that_turns_to_a_fail_suspends(hr: User) -> None:
    certificate = make_certificate()
    assert certificate.result is not None
    failed = turn(certificate.result, passed=False)
    issuance.follow(failed.pk)
    certificate.refresh_from_db()
    act = certificate.acts.last()
    assert act is not None
    assert (certificate.state, act.kind, act.actor, bool(act.reason)) == ("suspended", "suspend", None, True)
    # HR decides further, and neither the message delivered again nor the sweep overrules them.
    services.reinstate(certificate=certificate, actor=hr, reason="Decisão do conselho")
    issuance.follow(failed.pk)
    assert issuance.sweep() == 0
    certificate.refresh_from_db()
    assert certificate.state == "granted"
    # A later regrade that fails again is another matter.
    turn(certificate.result, passed=False, decided_at=timezone.now() + 2 * issuance.SKEW)
    assert issuance.sweep() == 1


def test_a_fail_that_turns_to_a_pass_issues() -> None:
    failed = make_result(making.make_version(), passed=False)
    assert issuance.follow(failed.pk) is None
    certificate = issuance.follow(turn(failed).pk)
    assert certificate is not None


def test_a_pass_that_stays_a_pass_changes_nothing() -> None:
    certificate = make_certificate()
    assert certificate.result is not None
    assert issuance.follow(turn(certificate.result).pk) is None
    assert issuance.sweep() == 0
    assert Certificate.objects.count() == 1


def test_an_earlier_exam_that_passes_after_all_does_not_replace_a_later_one() -> None:
    version, holder = making.make_version(), PersonFactory()
    failed = make_result(version, holder, passed=False, decided_at=timezone.now() - timedelta(days=40))
    certificate = make_certificate(version, holder)
    assert issuance.follow(turn(failed).pk) is None
    certificate.refresh_from_db()
    assert certificate.state == "granted"


def test_the_house_enters_the_instrument_that_its_certificates_name_where_the_text_names_none() -> None:
    before = make_certificate()
    chief = PersonFactory(roles=[Role.ADMINISTRATOR])
    desk = Client()
    desk.force_login(chief)
    address, text = "/certificates/instruments/", "Portaria n.º 1/2020, de 2 de janeiro"
    page = desk.get(address).content.decode()
    assert 'value="pt-chemin-de-fer"' in page and 'value="pt-black-jack"' not in page
    assert desk.post(address, {"rulebook": "pt-chemin-de-fer", "text": text}).status_code == 302
    assert desk.post(address, {"rulebook": "pt-black-jack", "text": text}).status_code == 409
    assert desk.post(address, {"rulebook": "pt-chemin-de-fer", "text": "x" * 201}).status_code == 422
    after = make_certificate()
    assert after.printed["regulations"]["pt-chemin-de-fer"].startswith(f"{text}: ")
    before.refresh_from_db()
    assert text not in str(before.printed)
    entry = Entry.objects.get(act="instrument.entered")
    assert (entry.actor, entry.details["changes"]) == (chief, {"instrument": ["", text]})


def test_a_number_is_not_used_again_after_a_backup_was_restored() -> None:
    """After a restore the certificates issued since the backup are gone and counting starts again where it was then."""
    numbers = set()
    for _restored in range(3):
        with transaction.atomic():
            numbers.add(make_certificate().number)
            transaction.set_rollback(True)
    assert len(numbers) == 3 and len({number.rpartition("-")[0] for number in numbers}) == 1
