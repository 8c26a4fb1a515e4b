"""Attempts to pass a practical exam without knowing, or with one person behind both examiners."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from exams.audit.models import Entry
from exams.practical import dealing, marking
from exams.practical.models import ExamTable
from exams.practical.scoring import counted
from exams.programmes.practical_part import CALLS, PAYMENTS
from exams.records.models import Session, Sitting
from rules_engine import play
from tests.exams import practising
from tests.exams.practising import DEVICE
from tests.exams.setting_up import examiner
from training.live_table import palette, planning
from training.people import vouching
from training.people.models import AccountAct, Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db


def send(begun: Sitting, sent: dict[str, Any]) -> ExamTable:
    table = ExamTable.objects.get(candidate=begun.candidate_id)
    planning.plan_now(table)
    ExamTable.objects.filter(pk=table.pk).update(rests_until=None)
    dealing.act(begun, table.last_number + 1, sent, device=DEVICE, now=timezone.now())
    return ExamTable.objects.get(pk=table.pk)


def started(**changes: Any) -> tuple[Sitting, ExamTable]:
    begun = practising.begin(practising.make_session(practising.make_version(**changes)))
    return begun, ExamTable.objects.get(candidate=begun.candidate_id)


def share(table: ExamTable, part: str) -> float:
    found = counted(table, marking.part_of(table))
    assert found is not None
    got, of = found.parts[part]
    return float(got / of)


def test_trying_everything_until_it_is_right_earns_little() -> None:
    begun, table = started(coups=2)
    calls = [call.text for call in palette.calls(table.book) if call.fixed]
    while not table.ended_at:
        sent = practising.next_act(table, stops=True)
        if sent["type"] in ("say", "do", "give"):
            for call in calls:
                send(begun, {"type": "say", "text": call})
        table = send(begun, sent)
    assert share(table, CALLS) < 0.4


def test_paying_everybody_earns_nothing_more() -> None:
    begun, table = started(coups=2)
    while not table.ended_at:
        if not (table.pending or table.unplanned):
            state = play.decode_state(table.state)
            for duty in state.due:
                if one := duty.payment:
                    for payer, payee in ((one.payer, one.payee), (one.payee, one.payer)):
                        pays = {"payer": payer, "payee": payee, "amount": one.amount, "spot": one.spot}
                        send(begun, {"type": "pay", **pays})
        table = send(begun, {"type": "carry_on"})
    assert share(table, PAYMENTS) <= 0.5


def test_every_stop_before_anything_is_wrong_is_a_false_alarm() -> None:
    begun, table = started(coups=2)
    stops = 0
    while not table.ended_at:
        if not (table.pending or table.unplanned):
            state = play.decode_state(table.state)
            stops += state.fault is None or state.at < state.fault
            send(begun, {"type": "halt"})
            table = send(begun, {"type": "stop", "kind": ""})
            while table.pending:
                table = send(begun, {"type": "carry_on"})
        table = send(begun, {"type": "carry_on"})
    found = counted(table, marking.part_of(table))
    assert found and found.false_alarms == stops > 2


# ---- at a real table


@pytest.fixture
def table() -> ExamTable:
    session = practising.make_session(practising.make_version(held="table", conduct=10))
    return ExamTable.objects.get(candidate__session=session)


def begin(table: ExamTable, who: User, **later: int) -> None:
    marking.begin(table.pk, by=who, now=timezone.now() + timedelta(**later))


def test_one_person_behind_both_accounts_is_not_two_examiners(table: ExamTable) -> None:
    first, puppet = examiner(), examiner()
    vouching.note(puppet, AccountAct.Kind.ENTERED, by=first)
    begin(table, first)
    with pytest.raises(Refused, match="outro examinador"):
        begin(table, puppet)
    vouching.note(puppet, AccountAct.Kind.CONFIRMED, by=examiner())
    begin(table, puppet)


def test_an_account_taken_over_after_it_began_to_mark_hands_in_nothing(table: ExamTable) -> None:
    first, second = examiner(), examiner()
    for who in (first, second):
        begin(table, who)
    vouching.note(second, AccountAct.Kind.ADDRESS, by=first)
    with pytest.raises(Refused, match="outro examinador"):
        marking.hand_in(table.pk, by=second, now=timezone.now())


def test_the_third_person_is_another_one_too(table: ExamTable) -> None:
    first, second, third = examiner(), examiner(), examiner()
    for who, alarms in ((first, 0), (second, 1)):
        begin(table, who)
        marking.tick(table.pk, "alarms", alarms, 1, by=who, now=timezone.now())
        marking.hand_in(table.pk, by=who, now=timezone.now())
    vouching.note(third, AccountAct.Kind.ADDRESS, by=first)
    with pytest.raises(Refused, match="outro examinador"):
        marking.settle(table.pk, {"alarms": 0}, by=third, reason="Vi o vídeo.", now=timezone.now())


def test_nobody_begins_to_mark_when_the_exam_is_over(table: ExamTable) -> None:
    begin(table, examiner())
    with pytest.raises(Refused, match="terminou"):
        begin(table, examiner(), hours=1)


def test_candidates_of_a_session_do_not_mark_each_other_nor_read_the_sheet(client: Client) -> None:
    other, friend = examiner(), examiner()
    for one in (other, friend):
        one.role_grants.create(role=Role.TRAINEE)
    session: Session = practising.make_session(practising.make_version(held="table"), other, friend)
    table = ExamTable.objects.get(candidate__person=other)
    with pytest.raises(Refused, match="candidatos desta sessão"):
        begin(table, friend)
    client.force_login(friend)
    assert client.get(f"/exams/practical/tables/{table.pk}/sheet/").status_code == 404
    assert client.get(f"/exams/practical/sessions/{session.pk}/").status_code == 404


def test_the_log_says_who_has_opened_a_sheet(table: ExamTable, client: Client) -> None:
    who = examiner()
    client.force_login(who)
    client.get(f"/exams/practical/tables/{table.pk}/sheet/")
    assert Entry.objects.filter(act="practical.sheet_opened", actor=who).count() == 1


def test_the_database_keeps_ticks_as_handed_in(table: ExamTable) -> None:
    who = examiner()
    begin(table, who)
    marking.tick(table.pk, "alarms", 1, 1, by=who, now=timezone.now())
    marking.hand_in(table.pk, by=who, now=timezone.now())
    own = table.markings.get()
    changes: list[Callable[[], Any]] = [
        lambda: own.ticks.update(value=0),
        lambda: own.ticks.all().delete(),
        lambda: own.ticks.create(key="conduct.0", value=1, sequence=1, saved_at=timezone.now()),
    ]
    for change in changes:
        with pytest.raises(IntegrityError, match="handed in never changes"), transaction.atomic():
            change()
