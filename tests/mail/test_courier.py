"""Mail leaves the outbox once, late rather than never, and says what was in the way."""

import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from smtplib import SMTPAuthenticationError, SMTPDataError, SMTPRecipientsRefused, SMTPSenderRefused
from typing import Any
from unittest.mock import patch

import pytest
from django.conf import settings
from django.core import mail as post_office
from django.core.mail import EmailMessage
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from tests.factories import PersonFactory
from training.mail import outbox
from training.mail.courier import COURIER, deliver
from training.mail.models import Mail
from training.mail.outbox import Envelope, post
from training.platform import outgoing
from training.platform.outgoing import LEASE, WAITS

pytestmark = pytest.mark.django_db
Problem = Mail.Problem


def written(count: int = 1) -> list[Mail]:
    return post([Envelope(PersonFactory(), f"Exame {number}", "Amanhã às nove.") for number in range(count)])


def the(mail: Mail) -> Mail:
    return Mail.objects.select_related("person").get(pk=mail.pk)


def make_due() -> None:
    """The time of the next try has come, and whoever held a mail did so long ago."""
    now = timezone.now()
    Mail.objects.filter(sent_at=None).update(due_at=now)
    Mail.objects.filter(held_at__isnull=False).update(held_at=now - LEASE)


def answering(*errors: Exception | None) -> Any:
    """A mail server that gives these answers, then takes everything."""
    given: Iterator[Exception | None] = iter(errors)
    real = EmailMessage.send

    def send(self: EmailMessage, *args: Any) -> int:
        if error := next(given, None):
            raise error
        return int(real(self, *args) or 0)

    return patch.object(EmailMessage, "send", send)


def test_what_is_posted_goes_out_once_and_its_text_is_gone() -> None:
    [mail] = written()
    assert the(mail).body == "Amanhã às nove."
    assert (deliver(), deliver()) == (1, 0)
    [sent] = post_office.outbox
    assert (sent.to, sent.subject, sent.body) == ([mail.address], "Exame 0", "Amanhã às nove.")
    kept = the(mail)
    assert kept.sent_at and kept.held_at is None
    assert (kept.body, kept.tries, kept.problem) == ("", 1, "")


def test_a_mail_of_an_act_that_was_undone_is_never_sent() -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        written()
        raise ZeroDivisionError
    assert deliver() == 0


def test_one_message_wakes_a_worker_for_all_mails_of_an_act(django_capture_on_commit_callbacks: Any) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        written(5)
    assert len(callbacks) == 1


def test_the_worker_is_waked(worker: None) -> None:
    from tests.running import until

    [mail] = written()
    until("the mail is sent", lambda: the(mail).sent_at is not None)


def test_a_name_with_a_line_break_makes_no_header() -> None:
    post([Envelope(PersonFactory(), "Exame\r\nBcc: toda.a.gente@casino.example", "x")])
    assert deliver() == 1
    assert post_office.outbox[0].subject == "Exame Bcc: toda.a.gente@casino.example"


def test_waits_grow_until_it_has_failed() -> None:
    [mail] = written()
    with answering(*[ConnectionRefusedError()] * (len(WAITS) + 5)):
        for number, wait in enumerate(WAITS, 1):
            before = timezone.now()
            deliver()
            row = the(mail)
            assert (row.tries, row.problem, row.failed_at, row.held_at) == (number, Problem.AWAY, None, None)
            assert before + wait <= row.due_at <= timezone.now() + wait
            assert deliver() == 0 and the(mail).tries == number, "it was tried before its time"
            make_due()
        deliver()
        assert the(mail).failed_at
        make_due()
        deliver()
        assert the(mail).tries == len(WAITS) + 1, "a mail that failed is not tried by itself"
    assert outbox.try_again(Mail.objects.all()) == 1
    assert deliver() == 1
    assert sorted(WAITS) == WAITS and timedelta(days=1) < sum(WAITS, timedelta()) < timedelta(days=3)


@pytest.mark.parametrize(
    ("error", "problem", "reply", "fails"),
    [
        (SMTPRecipientsRefused({"a@b.example": (550, b"no such user")}), Problem.ADDRESS, 550, True),
        (SMTPRecipientsRefused({"a@b.example": (450, b"greylisted")}), Problem.ADDRESS, 450, False),
        (SMTPRecipientsRefused({"a@b.example": (499, b"x")}), Problem.ADDRESS, 499, False),
        (SMTPRecipientsRefused({"a@b.example": (500, b"x")}), Problem.ADDRESS, 500, True),
        (SMTPSenderRefused(553, b"not you", "sabot@localhost"), Problem.SENDER, 553, False),
        (SMTPDataError(451, b"later"), Problem.REFUSED, 451, False),
        (SMTPAuthenticationError(535, b"who?"), Problem.SIGN_IN, 535, False),
        (TimeoutError(), Problem.AWAY, None, False),
        (ValueError("cannot be encoded"), Problem.UNFIT, None, True),
    ],
)
def test_what_was_in_the_way_is_on_record(error: Exception, problem: str, reply: int | None, fails: bool) -> None:
    [mail] = written()
    with answering(error):
        assert deliver() == 0
    row = the(mail)
    assert (row.problem, row.reply, row.failed_at is not None) == (problem, reply, fails)


def test_one_bad_address_keeps_no_other_mail_waiting() -> None:
    written(3)
    with answering(SMTPRecipientsRefused({"whoever.is@first.example": (550, b"")})):
        assert deliver() == 2
    assert Mail.objects.get(sent_at=None).failed_at


def test_a_server_that_is_away_is_not_asked_for_every_mail() -> None:
    written(3)
    with answering(*[ConnectionRefusedError()] * 3):
        deliver()
    assert sorted(Mail.objects.values_list("tries", flat=True)) == [0, 0, 1]


def test_after_a_while_other_work_of_the_worker_has_its_turn(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    written(3)
    monkeypatch.setattr(outgoing, "ROUND", -1.0)
    with django_capture_on_commit_callbacks() as callbacks:
        assert deliver() == 1
    assert len(callbacks) == 1, "nobody is called for the rest"


class Killed(BaseException):
    """The worker dies."""


def test_who_dies_while_sending_leaves_it_to_another_when_the_lease_is_over() -> None:
    [mail] = written()
    real = EmailMessage.send

    def die(self: EmailMessage, *args: Any) -> None:
        real(self, *args)  # the worst moment: the server has it, and nobody knows
        raise Killed

    with patch.object(EmailMessage, "send", die), pytest.raises(Killed):
        deliver()
    assert deliver() == 0, "it is still held"
    Mail.objects.update(held_at=timezone.now() - LEASE + timedelta(seconds=5))
    assert deliver() == 0, "the lease is not over"
    Mail.objects.update(held_at=timezone.now() - LEASE)
    assert deliver() == 1
    names = {sent.extra_headers["Message-ID"] for sent in post_office.outbox}
    assert names == {f"<{mail.pk}@localhost>"}, "mail programs must see that both are one"


def test_a_mail_that_kills_every_worker_fails_in_the_end() -> None:
    [mail] = written()
    for _ in range(len(WAITS) + 1):
        with patch.object(EmailMessage, "send", side_effect=Killed), pytest.raises(Killed):
            deliver()
        make_due()
    assert deliver() == 0
    assert (the(mail).problem, the(mail).failed_at is not None) == (Problem.UNFINISHED, True)


@pytest.mark.django_db(transaction=True)
def test_workers_that_race_send_each_mail_once() -> None:
    written(12)
    ready = threading.Barrier(4)
    handed: Counter[str] = Counter()
    real = EmailMessage.send

    def send(self: EmailMessage, *args: Any) -> int:
        handed[self.to[0]] += 1
        return int(real(self, *args) or 0)

    def work() -> None:
        ready.wait()
        # As if nobody looked whether another worker is at it.
        while (mail := COURIER.take_next()) is not None:
            COURIER.settle(mail, COURIER.hand_over(mail))
        connection.close()

    with patch.object(EmailMessage, "send", send):
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(handed) == 12 and set(handed.values()) == {1}


def test_a_mail_server_that_never_says_a_word_costs_no_more_than_the_time_out(settings: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = silent.getsockname()
        settings.EMAIL_TIMEOUT = 0.2
        [mail] = written()
        assert deliver() == 0
    assert the(mail).problem == Problem.AWAY


def test_there_is_a_time_out_unless_the_house_says_otherwise() -> None:
    assert 0 < settings.EMAIL_TIMEOUT <= 30


def test_the_database_keeps_what_was_sent_from_being_sent_again() -> None:
    [mail] = written()
    deliver()
    with pytest.raises(IntegrityError, match="not sent again"), transaction.atomic():
        Mail.objects.filter(pk=mail.pk).update(sent_at=None)


@pytest.mark.parametrize(("age", "gone"), [(timedelta(days=30, minutes=1), True), (timedelta(days=29), False)])
def test_what_is_settled_is_forgotten_after_a_month_and_what_waits_is_not(age: timedelta, gone: bool) -> None:
    written(3)
    with answering(None, SMTPRecipientsRefused({"x": (550, b"")}), ConnectionRefusedError()):
        deliver()
    Mail.objects.update(written_at=timezone.now() - age)
    assert outbox.forget_old() == (2 if gone else 0)
    assert Mail.objects.filter(sent_at=None, failed_at=None).count() == 1


def test_nothing_else_in_the_platform_sends_mail() -> None:
    from pathlib import Path

    senders: Callable[[str], bool] = lambda text: any(  # noqa: E731
        word in text for word in ("send_mail(", "EmailMessage(", "mail_admins", "email_user(", "msg.send(")
    )
    found = [
        str(path)
        for folder in ("training", "exams")
        for path in (settings.BASE_DIR / folder).rglob("*.py")
        if senders(Path(path).read_text().replace("def send_mail(", ""))
    ]
    assert [Path(path).name for path in found] == ["courier.py"]
