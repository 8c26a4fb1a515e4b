"""Whatever is done to certificates, by whomever and in any order: no illegal state, no gap, no trace of a refusal.

The rules are written here once more, by hand, so that a slip in `lifecycle.MOVES` does not hide itself.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from django.db import IntegrityError, connection, transaction
from hypothesis import HealthCheck, event, example, given, settings
from hypothesis import strategies as st

from exams import clock
from exams.audit.models import Entry
from exams.audit.services import verify as verify_log
from exams.certificates import issuance, lifecycle, services
from exams.certificates.lifecycle import Standing
from exams.certificates.models import Act, Certificate
from exams.results.models import Result
from tests.exams import making
from tests.exams.certifying import add_result, make_result
from tests.factories import PersonFactory, second_person
from training.people.models import Role
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db

BOOKS = ("pt-chemin-de-fer", "it-sanremo-chemin-de-fer", "es-chemin-de-fer")
BEGIN = datetime(2026, 3, 1, 12, tzinfo=UTC)
LIFE = {
    ("grant", ""): "granted",
    ("suspend", "granted"): "suspended",
    ("reinstate", "suspended"): "granted",
    ("reduce", "granted"): "granted",
    ("reduce", "suspended"): "suspended",
    ("extend", "granted"): "granted",
    ("withdraw", "granted"): "withdrawn",
    ("withdraw", "suspended"): "withdrawn",
    ("expire", "granted"): "expired",
    ("expire", "suspended"): "expired",
    ("renew", "granted"): "replaced",
    ("correct", "granted"): "replaced",
}
STATES = ("granted", "suspended", "withdrawn", "expired", "replaced")
ACTS = ("suspend", "reinstate", "reduce", "extend", "withdraw")
# Who tries: two of human resources, a holder who is of human resources, and people who have no say.
ACTORS = ("hr", "other hr", "holder", "administrator", "instructor")
ENTITLED = ("hr", "other hr")


class Try(NamedTuple):
    """Somebody tries an act on one of the certificates there are."""

    act: str
    who: str
    which: int
    reason: str
    scope: tuple[str, ...]


class Sit(NamedTuple):
    """The holder passes the exam again."""


class Regrade(NamedTuple):
    """The exam behind a certificate is decided anew."""

    which: int
    passed: bool


class Wait(NamedTuple):
    days: int


class Sweep(NamedTuple):
    """What beat does."""


TRIES = st.builds(
    Try,
    st.sampled_from([*ACTS, "reduce", "extend"]),
    st.sampled_from([*ENTITLED * 4, *ACTORS]),
    st.sampled_from([-1, -1, -1, -2, 0]),
    st.sampled_from(["Queixa"] * 8 + [" ", "x" * (services.MAX_REASON + 1)]),
    st.lists(st.sampled_from(BOOKS), unique=True, min_size=1).map(tuple) | st.just(BOOKS) | st.just(()),
)
OTHERS = st.one_of(
    st.builds(Sit),
    st.builds(Regrade, st.sampled_from([-1, -2, 0]), st.booleans()),
    st.builds(Wait, st.sampled_from([1, 1, 30, 89, 365, 640, 730])),
    st.builds(Sweep),
)
STEPS = st.lists(st.one_of(TRIES, TRIES, TRIES, OTHERS), min_size=8, max_size=24)


class World:
    """One holder, one programme of two years, and a clock that a test moves."""

    def __init__(self) -> None:
        self.now = BEGIN
        self.version = making.make_version(making.make_rules(rulebooks=BOOKS, valid_months=24, renewal_days=90))
        self.second = second_person()
        self.people = {
            "hr": PersonFactory(roles=[Role.HR]),
            "other hr": PersonFactory(roles=[Role.HR]),
            "holder": PersonFactory(roles=[Role.TRAINEE, Role.HR]),
            "administrator": PersonFactory(roles=[Role.ADMINISTRATOR]),
            "instructor": PersonFactory(roles=[Role.INSTRUCTOR]),
        }

    @contextmanager
    def running(self) -> Iterator[None]:
        with patch("exams.clock.now", lambda: self.now):
            yield

    def chosen(self, which: int) -> Certificate:
        there = list(Certificate.objects.order_by("granted_at"))
        return there[which % len(there)]

    # ---- steps

    def step(self, step: Any) -> None:
        self.now += timedelta(minutes=1)  # no two things happen at the same moment
        name = f"_{type(step).__name__.lower()}"
        event(f"{name} {getattr(self, name)(step)}")
        assert_orderly()

    def _wait(self, step: Wait) -> str:
        self.now += timedelta(days=step.days)
        return ""

    def _sweep(self, _step: Sweep) -> str:
        issuance.sweep()
        services.expire_due()
        ended = Certificate.objects.filter(state__in=("granted", "suspended"), valid_until__lt=clock.today())
        assert not ended.exists()
        assert unchanged_by(services.expire_due)
        return ""

    def _sit(self, _step: Sit) -> str:
        before = traces()
        result = make_result(self.version, self.people["holder"], decided_at=self.now)
        issued = issuance.follow(result.pk)
        if issued is None:
            assert traces() == before
            return "held back"
        assert lifecycle.standing(issued, clock.today()) == Standing.VALID
        assert unchanged_by(lambda: issuance.follow(result.pk))
        return "renewed" if issued.replaces else "issued"

    def _regrade(self, step: Regrade) -> str:
        certificate, before = self.chosen(step.which), traces()
        assert certificate.result is not None
        result: Result = add_result(
            certificate.result.sitting, passed=step.passed, decided_at=self.now, released_at=self.now
        )
        issuance.follow(result.pk)
        had_force = certificate.state == "granted" and clock.today() <= certificate.valid_until
        certificate.refresh_from_db()
        if had_force and not step.passed:
            assert certificate.state == "suspended"
            return "suspends"
        assert traces() == before
        return "leaves all as it was"

    def _try(self, step: Try) -> str:
        certificate, before = self.chosen(step.which), traces()
        expected = may(step, certificate)
        scope = {"scope": step.scope} if step.act in ("reduce", "extend") else {}
        told = {"certificate": certificate, "actor": self.people[step.who], "reason": step.reason} | scope
        told |= {"second": self.second} if step.act == "withdraw" else {}
        try:
            getattr(services, step.act)(**told)
        except Refused:
            assert not expected, (step, certificate.state, certificate.scope)
            assert traces() == before, "a refusal left a trace"
            return f"{step.act} refused"
        assert expected, (step, certificate.state, certificate.scope)
        last = certificate.acts.order_by("-number").first()
        assert last is not None
        assert (last.kind, last.actor, last.reason, last.at) == (
            step.act,
            self.people[step.who],
            step.reason,
            self.now,
        )
        return step.act


def may(step: Try, certificate: Certificate) -> bool:
    """Whether this should be allowed, worked out here and not by the code that is tested."""
    if step.who not in ENTITLED or step.reason != "Queixa" or clock.today() > certificate.valid_until:
        return False
    had, wanted = set(certificate.scope), set(step.scope)
    fits = {"reduce": bool(wanted) and wanted < had, "extend": wanted > had}.get(step.act, True)
    return (step.act, certificate.state) in LIFE and fits


# ---- what must always be so


def traces() -> tuple[Any, ...]:
    return (
        list(Certificate.objects.order_by("pk").values_list("pk", "state", "scope")),
        list(Act.objects.order_by("pk").values_list("pk", flat=True)),
        Entry.objects.filter(subject__startswith="certificate:").count(),
    )


def unchanged_by(work: Any) -> bool:
    before = traces()
    work()
    return traces() == before


def assert_orderly() -> None:
    """The acts of each certificate tell its life from nothing to how it is now, and the log tells the same."""
    valid = 0
    for certificate in Certificate.objects.prefetch_related("acts"):
        acts = list(certificate.acts.all())
        assert [act.number for act in acts] == list(range(1, len(acts) + 1)), "numbered without gaps"
        assert all(LIFE.get((act.kind, act.state_before)) == act.state_after for act in acts)
        assert acts[0].kind == "grant"
        for one, next_one in pairwise(acts):
            assert (one.state_after, one.scope_after) == (next_one.state_before, next_one.scope_before)
            assert one.at < next_one.at
        assert (certificate.state, certificate.scope) == (acts[-1].state_after, acts[-1].scope_after)
        assert certificate.scope
        assert set(certificate.scope) <= set(BOOKS)
        assert (certificate.state == "replaced") == Certificate.objects.filter(replaces=certificate).exists()
        told = Entry.objects.filter(subject=f"certificate:{certificate.pk}").values_list("act", flat=True)
        assert list(told) == [f"certificate.{act.kind}" for act in acts]
        valid += lifecycle.standing(certificate, clock.today()) == Standing.VALID
    assert valid <= 1, "somebody holds two valid certificates of one programme"


def assert_guarded() -> None:
    """From wherever a life has led, the database lets a row go along the edges and nowhere else, even in plain SQL."""
    edges = {(before, after) for (_act, before), after in LIFE.items()}
    for certificate in Certificate.objects.all():
        for after in STATES:
            try:
                with transaction.atomic(), connection.cursor() as cursor:
                    cursor.execute(
                        "UPDATE certificates_certificate SET state = %s WHERE id = %s", [after, certificate.pk.hex]
                    )
                    moved = cursor.rowcount == 1
                    transaction.set_rollback(True)
            except IntegrityError:
                moved = False
            assert moved == (after == certificate.state or (certificate.state, after) in edges), after


def by_hr(act: str, *scope: str) -> Try:
    return Try(act, "hr", -1, "Queixa", scope)


@settings(max_examples=30, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS)
@example([by_hr("reduce", *BOOKS[:2]), by_hr("suspend"), by_hr("extend", *BOOKS), by_hr("reduce", BOOKS[0]), Sit()])
@example([by_hr("reduce", BOOKS[0]), by_hr("extend", *BOOKS), by_hr("withdraw"), by_hr("reinstate"), Sit(), Sit()])
@example([by_hr("suspend"), Sit(), by_hr("reinstate"), Sweep(), Wait(731), Sit(), by_hr("suspend"), Wait(731), Sweep()])
def test_whatever_is_done_certificates_stay_in_order(db: None, steps: list[Any]) -> None:
    with transaction.atomic():
        world = World()
        with world.running():
            for step in [Sit(), *steps]:
                world.step(step)
            assert_guarded()
            assert list(verify_log()) == []
        transaction.set_rollback(True)


def test_the_life_written_here_is_the_life_of_the_code() -> None:
    moves = {(kind.value, str(old)): new.value for kind, ways in lifecycle.MOVES.items() for old, new in ways.items()}
    assert moves == LIFE
