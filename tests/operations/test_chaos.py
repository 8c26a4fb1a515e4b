"""`python -m tests.chaos` itself: a short run, and that what it looks for it finds."""

import subprocess
import sys
from collections.abc import Callable

import pytest

import rules_engine
from tests.chaos import proof
from tests.chaos.harms import RECOVERY, Struck
from tests.chaos.run import HOLDS
from tests.persistent import Failure
from tests.practice.drills import make_drill
from tests.running import ROOT
from training.figures.models import TopicTally
from training.mail.models import Mail
from training.mail.outbox import Envelope, post
from training.mastery.models import Memory
from training.people.models import User
from training.practice import services


def test_a_short_run_on_the_embedded_set_up() -> None:
    command = [sys.executable, "-m", "tests.chaos", "--set-up", "embedded", "--minutes", "0.2", "--seed", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr
    assert HOLDS in done.stdout


def test_an_error_needs_a_cause_at_that_moment() -> None:
    gone = Struck("database away", 10.0, 20.0)
    slow = Struck("mail slow", 10.0, 20.0)
    for began, ended, explained in [
        (9.0, 9.9, False),
        (9.0, 10.1, True),
        (15.0, 16.0, True),
        (20.0 + RECOVERY - 0.1, 40.0, True),
        (20.0 + RECOVERY, 40.0, False),
    ]:
        failure = Failure("/practice/", 500, began, ended)
        assert gone.explains(failure) is explained
        assert not slow.explains(failure)


@pytest.mark.django_db
def test_it_notices_what_is_lost_or_done_twice(person: Callable[..., User]) -> None:
    trainee = person()
    drill = make_drill(trainee)
    attempt = services.submit_answer(drill, rules_engine.Answer({"announcement": "Resposta"}))
    told = {"answers": {str(drill.pk): "Resposta"}}
    assert list(proof._answers(told)), "it has no mark yet"
    services.grade(attempt.pk)
    assert [*proof._answers(told), *proof._counts({}), *proof._memories({})] == []
    assert list(proof._answers({"answers": {str(drill.pk): "Outra"}}))
    TopicTally.objects.update(answers=2)
    Memory.objects.update(reviews=2)
    assert len(list(proof._counts({}))) == 1
    assert list(proof._memories({}))
    [mail] = post([Envelope(trainee, "Exame", "Amanhã.")])
    assert list(proof._mails({"mails": {}, "asked": {}})) == [f"mail {mail.pk} (Exame) never arrived"]
    Mail.objects.update(tries=1)
    assert list(proof._mails({"mails": {f"<{mail.pk}@localhost>": 1}, "asked": {}})) == []
    assert list(proof._mails({"mails": {f"<{mail.pk}@localhost>": 2}, "asked": {}}))
