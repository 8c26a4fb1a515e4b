"""The separation of duties: what is in force, and waiving a rule with two signatures."""

import re

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from exams.audit.models import Entry
from exams.certificates import services, withdrawal
from exams.certificates.models import Certificate
from exams.programmes import duties, standard
from exams.programmes import services as programmes
from exams.programmes.models import ProgrammeVersion, Relaxation
from exams.records.models import ActRequest
from exams.regrading import services as regrading
from exams.regrading.models import Regrade
from exams.results import services as results
from exams.results.models import Result
from tests.exams import making
from tests.exams.certifying import make_certificate, make_result
from tests.factories import PersonFactory, second_person
from training.people.models import Role, User
from training.platform.engine_json import document
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db


def visitor(who: User) -> Client:
    client = Client()
    client.force_login(who)
    return client


WHY = "Só há dois examinadores na casa."


def administrator() -> User:
    return PersonFactory(roles=[Role.ADMINISTRATOR])


def lifted(key: str) -> Relaxation:
    made = duties.ask(key, by=administrator(), reason=WHY)
    duties.sign(made, by=administrator())
    made.refresh_from_db()
    return made


def test_a_line_is_lifted_by_two_administrators_and_ended_by_one() -> None:
    one = administrator()
    asked = duties.ask(duties.WITHDRAW, by=one, reason=WHY)
    assert duties.applies(duties.WITHDRAW)
    for signer in (one, PersonFactory(roles=[Role.HR])):
        with pytest.raises(Refused):
            duties.sign(asked, by=signer)
    duties.sign(asked, by=administrator())
    assert not duties.applies(duties.WITHDRAW)
    assert duties.applies(duties.REGRADE)
    with pytest.raises(Refused):
        duties.ask(duties.WITHDRAW, by=administrator(), reason=WHY)
    duties.end(asked, by=one)
    assert duties.applies(duties.WITHDRAW)
    acts = Entry.objects.filter(act__startswith="duty.").order_by("number").values_list("act", flat=True)
    assert list(acts) == ["duty.asked", "duty.lifted", "duty.restored"]


def test_the_lines_that_always_hold_cannot_be_lifted() -> None:
    with pytest.raises(Refused):
        duties.ask("", by=administrator(), reason=WHY)
    with pytest.raises(Refused):
        duties.ask(duties.REGRADE, by=administrator(), reason="Porque sim.")


def test_a_certificate_is_withdrawn_by_two() -> None:
    certificate, hr = make_certificate(), PersonFactory(roles=[Role.HR])
    with pytest.raises(Refused):
        services.withdraw(certificate=certificate, actor=hr, reason="Fraude")
    with pytest.raises(Refused):
        services.withdraw(certificate=certificate, actor=hr, reason="Fraude", second=hr)
    asked = withdrawal.withdraw_or_ask(certificate=certificate, actor=hr, reason="Fraude")
    assert isinstance(asked, ActRequest)
    for signer in (hr, PersonFactory(roles=[Role.INSTRUCTOR]), certificate.holder):
        with pytest.raises(Refused):
            withdrawal.confirm(asked, by=signer)
    assert Certificate.objects.get().state == "granted"
    withdrawal.confirm(asked, by=second_person())
    assert Certificate.objects.get().state == "withdrawn"
    assert certificate.acts.get(kind="withdraw").actor == hr
    with pytest.raises(Refused):
        withdrawal.confirm(asked, by=second_person())


def test_where_the_line_is_lifted_one_withdraws_and_the_log_says_so() -> None:
    lifted(duties.WITHDRAW)
    certificate, hr = make_certificate(), PersonFactory(roles=[Role.HR])
    assert isinstance(withdrawal.withdraw_or_ask(certificate=certificate, actor=hr, reason="Fraude"), Certificate)
    assert Entry.objects.get(act="certificate.withdraw").details["lifted"] == ["withdraw"]


def test_whoever_decided_does_not_decide_again() -> None:
    version = making.make_version(making.make_rules(decision="by_examiner"))
    first = make_result(version, decided_by=PersonFactory(roles=[Role.INSTRUCTOR]))
    examiner = first.decided_by
    assert examiner
    Result.objects.filter(pk=first.pk).update(in_force=False)
    again = Result.objects.create(
        sitting=first.sitting,
        number=2,
        programme_version=first.programme_version,
        score=first.score,
        passed=True,
        outcome=first.outcome,
        computed_at=first.computed_at,
    )
    with pytest.raises(Refused, match="decid"):
        results.verify_decide(examiner, again)
    results.verify_decide(PersonFactory(roles=[Role.INSTRUCTOR]), again)
    lifted(duties.REDECIDE)
    results.verify_decide(examiner, again)


def test_whoever_starts_a_regrade_does_not_publish_it() -> None:
    result = make_result(making.make_version())
    starter = administrator()
    made = regrading.start(starter, result.programme_version.programme, "Uma correção do motor.")
    Regrade.objects.filter(pk=made.pk).update(state=Regrade.State.READY)
    made.refresh_from_db()
    with pytest.raises(Refused):
        regrading.verify_publish(made, starter)
    regrading.verify_publish(made, administrator())
    lifted(duties.REGRADE)
    regrading.verify_publish(made, starter)


def draft(**changes: int) -> ProgrammeVersion:
    author = PersonFactory(roles=[Role.INSTRUCTOR])
    return programmes.create_programme(
        author, code="CDF-X", names={"pt": "Chemin de fer"}, rules=making.make_rules(**changes)
    )


def test_two_judges_set_the_pass_mark_before_a_programme_is_put_in_force() -> None:
    made = draft(pass_mark=70)
    one, other = PersonFactory(roles=[Role.INSTRUCTOR]), PersonFactory(roles=[Role.INSTRUCTOR])
    standard.judge(made, one, [60, 70])
    with pytest.raises(Refused):
        programmes.verify_publish(made, administrator())
    with pytest.raises(Refused):
        standard.judge(made, one, [80, 80])  # before a second judge there is nothing to see
    standard.judge(made, other, [81, 81])
    # Two lines of six points each: (60 + 70) / 2 = 65 and 81; rounded down.
    assert standard.panel(made).cut == 73
    with pytest.raises(Refused, match="73"):
        programmes.verify_publish(made, administrator())
    standard.judge(made, other, [75, 75])
    assert standard.panel(made).cut == 70
    programmes.verify_publish(made, administrator())
    with pytest.raises(Refused):
        standard.judge(made, other, [10, 10])
    published = programmes.publish(made, administrator(), seen=made.changed_at)
    assert Entry.objects.get(act="programme.published").details["recommended"] == 70
    with pytest.raises(Refused):
        standard.judge(published, PersonFactory(roles=[Role.INSTRUCTOR]), [1, 1])


def test_judgements_of_another_blueprint_do_not_count() -> None:
    made = making.judged(draft(), 50, 50)
    assert standard.panel(made).cut == 50
    rules = making.mixed_rules(rulebooks=(making.BOOK,), sections=making.make_rules().sections[:1])
    programmes.change_draft(made, made.author, names=made.names, rules=rules, seen=made.changed_at)
    made.refresh_from_db()
    assert standard.panel(made).cut is None


def told(page: str) -> bool:
    """Whether a page says what the others judged."""
    return bool(re.search(r"\b61\s?%", page))


def test_the_pages_of_duties_and_of_the_pass_mark() -> None:
    keeper, second = visitor(administrator()), visitor(administrator())
    page = reverse("duties")
    assert keeper.post(page, {"ask": "regrade", "reason": "curto"}).status_code == 409
    assert keeper.post(page, {"ask": "regrade", "reason": WHY}).status_code == 302
    assert WHY in visitor(PersonFactory(roles=[Role.HR])).get(page).content.decode()
    assert keeper.post(page, {"sign": "regrade"}).status_code == 409
    assert second.post(page, {"sign": "regrade"}).status_code == 302
    assert not duties.applies(duties.REGRADE)
    made = making.judged(draft(), 61)
    judge = visitor(PersonFactory(roles=[Role.INSTRUCTOR]))
    address = reverse("standard", args=[made.programme_id, made.number])
    making.judged(made, 61)
    for page in (address, reverse("programme", args=[made.programme_id])):
        assert not told(judge.get(page).content.decode()), "nobody sees the others' figures before judging"
    assert judge.post(address, {"line0": "101", "line1": "5"}).status_code == 422
    assert judge.post(address, {"line0": "63", "line1": "63"}).status_code == 302
    assert told(judge.get(address).content.decode())


def test_a_change_of_the_blueprint_lets_nobody_judge_a_line_again() -> None:
    """The author changes the blueprint once the judges have seen each other's figures, and changes it back."""
    made = draft()
    one, other = PersonFactory(roles=[Role.INSTRUCTOR]), PersonFactory(roles=[Role.INSTRUCTOR])
    standard.judge(made, one, [60, 70])
    standard.judge(made, other, [20, 30])
    old, [section, *more] = made.rules, made.rules.sections
    [first, *_rest] = section.lines
    dearer = msgspec.structs.replace(first, points=first.points + 1)
    new = msgspec.structs.replace(first, difficulty=first.difficulty + 1)
    changed = msgspec.structs.replace(old, sections=(msgspec.structs.replace(section, lines=(dearer, new)), *more))
    for rules, given, expected in ((changed, [99, 50], [60, 50]), (old, [1, 1], [60, 70])):
        ProgrammeVersion.objects.filter(pk=made.pk).update(rules_document=document(rules))
        made.refresh_from_db()
        given += [70] * (len(rules.lines) - 2)
        if standard.panel(made).last_of(one) is None:
            standard.judge(made, one, given)
        last = standard.panel(made).last_of(one)
        assert last and last.ratings[: len(expected)] == expected


def test_the_log_does_not_tell_a_judge_what_another_said() -> None:
    made = draft()
    standard.judge(made, PersonFactory(roles=[Role.INSTRUCTOR]), [63, 64])
    entry = Entry.objects.get(act="programme.judged")
    assert "63" not in str(entry.details)
    page = visitor(administrator()).get("/audit/?act=programme.judged").content.decode()
    assert "63, 64" not in page
