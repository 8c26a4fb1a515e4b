"""What must hold afterwards. Runs inside the installation; every sentence that it prints is a thing gone wrong."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone
from fsrs import Rating

from exams.certificates import check, credential, keys
from exams.certificates.letters import GATHERED_FOR
from exams.certificates.models import Certificate, Notice
from exams.invigilation.acts import identity_checked
from exams.records.models import Sitting
from exams.results.models import Mark as ExamMark
from exams.results.models import Result
from tests.spoken import KEY
from training.figures import services as figures
from training.figures.models import DayTally, ItemTally, RuleTally, TopicTally, WrongAnswer
from training.mail.models import Mail
from training.mastery import memory
from training.mastery.models import Memory
from training.mastery.rules_to_learn import is_testable
from training.operations.management.commands.recount import all_marks
from training.platform.outgoing import LEASE
from training.practice.models import Attempt, Mark

# Whole numbers only: shares of points depend on the order in which two workers were done.
COUNTED = ("answers", "perfect", "points", "of", "seconds")
KEYS: dict[Any, tuple[str, ...]] = {
    TopicTally: ("trainee", "rulebook", "topic"),
    DayTally: ("trainee", "day"),
    RuleTally: ("rulebook", "cite"),
    ItemTally: ("item",),
    WrongAnswer: ("item", "question", "given"),
}


def let_time_pass() -> None:
    """Nobody runs now: leases of the dead are over, mails are due again, and the exams have ended."""
    now = timezone.now()
    waiting = Mail.objects.filter(sent_at=None, failed_at=None)
    waiting.update(due_at=now)
    waiting.exclude(held_at=None).update(held_at=now - LEASE)
    Sitting.objects.filter(closed_at=None).update(deadline_at=now)


def settle(within: float) -> None:
    """Wait until nothing is to be done any more; print how much still is, by kind, and nothing if nothing is."""
    deadline = time.monotonic() + within
    while (left := _owed()) and time.monotonic() < deadline:
        time.sleep(0.5)
    if left:
        print(json.dumps(left))  # noqa: T201 (this is how it answers)


def _owed() -> dict[str, int]:
    """What is gathered for human resources waits no longer, else its mail might be written while the proof is being
    read."""
    untold = Notice.objects.filter(told_at=None)
    untold.update(made_at=timezone.now() - GATHERED_FOR)
    left = {
        "notices": untold.count(),
        "answers": Attempt.objects.filter(state=Attempt.State.SUBMITTED).count(),
        "sittings": Sitting.objects.filter(graded_at=None).count(),
        "letters": Result.objects.filter(letter_owed=True).count(),
        "mails": Mail.objects.filter(sent_at=None, failed_at=None).count(),
        "certificates": len(_deserving() - set(Certificate.objects.values_list("result_id", flat=True))),
    }
    return {name: count for name, count in left.items() if count}


def prove(account: str) -> None:
    """Compare the database with what people were told, as the run wrote it down."""
    told = json.loads(Path(account).read_text())
    for find in (_answers, _counts, _memories, _exams, _mails, _certificates):
        for wrong in find(told):
            print(json.dumps({"wrong": wrong}))  # noqa: T201 (this is how it answers)


def _answers(told: dict[str, Any]) -> Iterator[str]:
    stored = {str(attempt.drill_id): attempt for attempt in Attempt.objects.select_related("mark")}
    for drill, words in told["answers"].items():
        attempt = stored.get(drill)
        if attempt is None:
            yield f"the answer to drill {drill} was acknowledged and is gone"
        elif attempt.answer["parts"].get(KEY) != words:
            yield f"drill {drill}: “{words}” was acknowledged, and {attempt.answer} is there"
        elif not hasattr(attempt, "mark") or attempt.state != Attempt.State.GRADED:
            yield f"drill {drill}: acknowledged, and {attempt.state} without a mark"
    if Attempt.objects.count() != Mark.objects.count():
        yield f"{Attempt.objects.count()} answers and {Mark.objects.count()} marks"


def _counts(_told: dict[str, Any]) -> Iterator[str]:
    running = _tallies()
    with transaction.atomic():
        figures.recount(all_marks)
        counted = _tallies()
        transaction.set_rollback(True)
    for key in running.keys() | counted.keys():
        if running.get(key) != counted.get(key):
            yield f"count of {key}: {running.get(key)}, and the marks say {counted.get(key)}"


def _tallies() -> dict[tuple[str, ...], tuple[int, ...]]:
    return {
        (model.__name__, *(str(value) for value in row[: len(key)])): row[len(key) :]
        for model, key in KEYS.items()
        for row in model.objects.values_list(*key, *(("times",) if model is WrongAnswer else COUNTED))
    }


def _memories(_told: dict[str, Any]) -> Iterator[str]:
    """Every mark moved what it says something about, once; a rule in the background only if it had been met by then."""
    least: Counter[tuple[int, str, str]] = Counter()
    most: Counter[tuple[int, str, str]] = Counter()
    lapses: Counter[tuple[int, str, str]] = Counter()
    for mark in Mark.objects.select_related("attempt__drill"):
        book, pivots = mark.attempt.drill.rulebook, mark.ruling.pivots
        shown = memory.ratings(mark.engine_mark, mark.ruling, picked_words=mark.attempt.picked_words)
        for cite, rating in shown.items():
            if is_testable(book, cite):
                key = (mark.attempt.trainee_id, book, cite)
                least[key] += cite in pivots or rating is Rating.Again
                most[key] += 1
                lapses[key] += rating is Rating.Again
    kept = {(row.trainee_id, row.rulebook, row.cite): (row.reviews, row.lapses) for row in Memory.objects.all()}
    for key in most.keys() | kept.keys():
        reviews, lapsed = kept.get(key, (0, 0))
        if lapsed != lapses[key] or not least[key] <= reviews <= most[key]:
            yield f"memory {key}: {kept.get(key)}, and the marks say {least[key]} to {most[key]}, {lapses[key]} lapses"


def _exams(told: dict[str, Any]) -> Iterator[str]:
    marks = list(ExamMark.objects.filter(form_item__form__candidate__sitting__device__startswith="browser"))
    given = {mark.form_item_id: {part["given"] for part in mark.mark_document["parts"]} for mark in marks}
    if len(marks) != len(given):
        yield f"{len(marks) - len(given)} exam answers are marked twice"
    for item, words in told["exams"].items():
        if words not in given.get(int(item), ()):
            yield f"exam item {item}: “{words}” was acknowledged, and {given.get(int(item))} was marked"
    for sitting in Sitting.objects.filter(device__startswith="browser"):
        results = sitting.results.count()
        if results != 1:
            yield f"sitting {sitting.pk} has {results} results"


def _mails(told: dict[str, Any]) -> Iterator[str]:
    """One that was handed over twice is told by the run: only whoever died before noting it may do that."""
    mails = {str(mail.pk): mail for mail in Mail.objects.all()}
    taken = {name.strip("<>").partition("@")[0]: times for name, times in told["mails"].items()}
    for key in mails.keys() - taken.keys():
        yield f"mail {key} ({mails[key].subject}) never arrived"
    for key in taken.keys() - mails.keys():
        yield f"mail {key} arrived, and nobody wrote it"
    for key in taken.keys() & mails.keys():
        if taken[key] > mails[key].tries:
            yield f"mail {key} arrived {taken[key]} times in {mails[key].tries} tries"
    asked = Counter(mail.address for mail in mails.values())
    for address, times in told["asked"].items():
        if asked[address] < times:
            yield f"{address} asked {times} times for a password and got {asked[address]} mails"
    yield from _letters()


def _letters() -> Iterator[str]:
    """Every candidate gets two mails, the invitation and the result, whoever is certified a third, and none twice."""
    sent = Counter(Mail.objects.values_list("person", "subject"))
    for sitting in Sitting.objects.filter(device__startswith="browser").select_related("candidate__person"):
        own = {subject: times for (person, subject), times in sent.items() if person == sitting.candidate.person_id}
        certified = Certificate.objects.filter(result__sitting=sitting).count()
        if sorted(own.values()) != [1, 1] + [1] * certified:
            yield f"{sitting.candidate.person.email} was written to: {own}"


def _deserving() -> set[Any]:
    passed = Result.objects.filter(in_force=True, passed=True, decided_at__isnull=False, released_at__isnull=False)
    return {result.pk for result in passed if identity_checked(result.sitting_id)}


def _certificates(told: dict[str, Any]) -> Iterator[str]:
    passed = {str(key) for key in Result.objects.filter(passed=True).values_list("sitting_id", flat=True)}
    if passed != set(told["right"]):
        yield f"{sorted(passed)} passed, and {told['right']} knew everything"
    issued = list(Certificate.objects.select_related("programme_version__programme"))
    if sorted(str(one.result_id) for one in issued) != sorted(map(str, _deserving())):
        yield f"{len(issued)} certificates for {len(_deserving())} who earned one"
    if len({one.number for one in issued}) != len(issued):
        yield "two certificates have one number"
    for one in issued:
        if one.acts.count() != 1:
            yield f"certificate {one.number} was granted {one.acts.count()} times"
        try:
            check.check(credential.credential(one), keys.published(), on=one.valid_from)
        except Exception as failure:
            yield f"certificate {one.number}: {type(failure).__name__}: {failure}"
