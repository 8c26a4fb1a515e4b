"""The life of certificates: which acts are legal, who may do them, what they leave behind."""

from datetime import date, timedelta
from itertools import product
from types import SimpleNamespace

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from exams.audit.models import Entry
from exams.certificates import lifecycle, services
from exams.certificates.lifecycle import Kind, Standing, State
from exams.certificates.models import Act, Certificate
from tests.exams import making
from tests.exams.certifying import make_certificate
from tests.factories import PersonFactory, second_person
from training.people.models import Role, User
from training.platform.errors import Refused

BOOKS = ("pt-chemin-de-fer", "it-sanremo-chemin-de-fer", "es-chemin-de-fer")
DAY = timedelta(days=1)


@pytest.fixture
def hr(db: None) -> User:
    return PersonFactory(roles=[Role.HR])


@pytest.fixture
def certificate(db: None) -> Certificate:
    return make_certificate(making.make_version(making.make_rules(rulebooks=BOOKS)))


# ---- the machine by itself


def paper(state: str, **changes: date) -> SimpleNamespace:
    return SimpleNamespace(
        **({"state": state, "valid_from": date(2026, 3, 1), "valid_until": date(2028, 3, 1)} | changes)
    )


@pytest.mark.parametrize(
    ("state", "on", "expected"),
    [
        ("granted", date(2026, 2, 28), Standing.NOT_YET),
        ("granted", date(2026, 3, 1), Standing.VALID),
        ("granted", date(2028, 3, 1), Standing.VALID),
        ("granted", date(2028, 3, 2), Standing.EXPIRED),
        ("suspended", date(2028, 3, 1), Standing.SUSPENDED),
        ("suspended", date(2028, 3, 2), Standing.EXPIRED),
        ("withdrawn", date(2028, 3, 2), Standing.WITHDRAWN),
        ("replaced", date(2028, 3, 2), Standing.REPLACED),
        ("expired", date(2028, 3, 1), Standing.EXPIRED),
    ],
)
def test_standing(state: str, on: date, expected: Standing) -> None:
    assert lifecycle.standing(paper(state), on) == expected


@pytest.mark.parametrize(
    ("day", "months", "expected"),
    [
        (date(2026, 8, 31), 6, date(2027, 2, 28)),
        (date(2027, 8, 31), 6, date(2028, 2, 29)),
        (date(2028, 2, 29), 12, date(2029, 2, 28)),
        (date(2026, 12, 31), 1, date(2027, 1, 31)),
        (date(2026, 11, 30), 1, date(2026, 12, 30)),
        (date(2026, 1, 30), 1, date(2026, 2, 28)),
    ],
)
def test_months_end_right(day: date, months: int, expected: date) -> None:
    assert lifecycle.add_months(day, months) == expected


@pytest.mark.parametrize(
    ("left", "continues"),
    [(91, False), (90, True), (1, True), (0, True), (-1, False)],
)
def test_who_renews_in_the_window_keeps_the_days_left(left: int, continues: bool) -> None:
    decided = date(2026, 11, 16)
    end = decided + left * DAY
    begins, ends = lifecycle.validity(decided, months=24, renewal_days=90, former_end=end)
    assert begins == decided
    assert ends == lifecycle.add_months(end if continues else decided, 24)


STEPS = st.tuples(st.sampled_from([kind for kind in Kind if kind != Kind.GRANT]), st.integers(-1, 900))


@given(st.lists(STEPS, max_size=30))
def test_no_sequence_of_acts_reaches_an_illegal_state(steps: list[tuple[Kind, int]]) -> None:
    """What has ended stays ended, and nothing but grant and reinstate gives force."""
    held = paper(State.GRANTED)
    for kind, days in steps:
        on = held.valid_from + days * DAY
        before = held.state
        try:
            lifecycle.verify(kind, held, on)
        except lifecycle.Illegal:
            continue
        held.state = lifecycle.after(kind, before)
        assert before in lifecycle.LIVE, "nothing happens to what has ended"
        assert (held.state == State.EXPIRED) == (kind == Kind.EXPIRE)
        if on > held.valid_until:
            assert kind == Kind.EXPIRE
        if held.state == State.GRANTED and before == State.SUSPENDED:
            assert kind == Kind.REINSTATE


# ---- the acts


def test_every_act_leaves_its_traces(certificate: Certificate, hr: User) -> None:
    services.suspend(certificate=certificate, actor=hr, reason="Queixa em apreciação")
    services.reduce(certificate=certificate, actor=hr, reason="Só Portugal e Itália", scope=[BOOKS[1], BOOKS[0]])
    services.reinstate(certificate=certificate, actor=hr, reason="Queixa sem fundamento")
    services.extend(certificate=certificate, actor=hr, reason="Formação feita", scope=list(BOOKS))
    services.withdraw(certificate=certificate, actor=hr, second=second_person(), reason="A pedido do próprio")
    acts = list(certificate.acts.values_list("number", "kind", "state_before", "state_after"))
    assert acts == [
        (1, "grant", "", "granted"),
        (2, "suspend", "granted", "suspended"),
        (3, "reduce", "suspended", "suspended"),
        (4, "reinstate", "suspended", "granted"),
        (5, "extend", "granted", "granted"),
        (6, "withdraw", "granted", "withdrawn"),
    ]
    reduced = certificate.acts.get(number=3)
    assert (reduced.scope_before, reduced.scope_after) == (list(BOOKS), [BOOKS[0], BOOKS[1]])
    assert reduced.actor == hr
    logged = Entry.objects.filter(subject=f"certificate:{certificate.pk}").values_list("act", flat=True)
    assert list(logged) == [f"certificate.{kind}" for _number, kind, *_states in acts]
    assert "apreciação" not in str(list(Entry.objects.values_list("details", flat=True)))


@pytest.mark.parametrize("act", ["suspend", "reinstate", "withdraw"])
def test_a_person_says_why(certificate: Certificate, hr: User, act: str) -> None:
    if act == "reinstate":
        services.suspend(certificate=certificate, actor=hr, reason="x")
    second = {"second": second_person()} if act == "withdraw" else {}
    for unfit in (" \n", "x" * (services.MAX_REASON + 1)):
        with pytest.raises(services.UnfitReason, match=r"Diga porquê, numa frase\.|O motivo tem mais de 2000"):
            getattr(services, act)(certificate=certificate, actor=hr, reason=unfit, **second)
    getattr(services, act)(certificate=certificate, actor=hr, reason="x" * services.MAX_REASON, **second)


@pytest.mark.parametrize("role", [role for role in Role if role != Role.HR])
def test_only_human_resources_act(certificate: Certificate, role: Role) -> None:
    somebody = PersonFactory(roles=[role])
    assert services.allowed_acts(certificate, somebody) == []
    with pytest.raises(Refused, match=r"human resources|ecursos humanos"):
        services.suspend(certificate=certificate, actor=somebody, reason="x")


def test_nobody_acts_on_their_own(db: None) -> None:
    both = PersonFactory(roles=[Role.TRAINEE, Role.HR])
    own = make_certificate(person=both)
    with pytest.raises(Refused, match=r"Ninguém decide sobre o seu próprio certificado\."):
        services.suspend(certificate=own, actor=both, reason="x")
    assert services.allowed_acts(own, both) == []


def test_acts_that_may_be_done(certificate: Certificate, hr: User) -> None:
    assert services.allowed_acts(certificate, hr) == ["suspend", "reduce", "withdraw"]
    services.reduce(certificate=certificate, actor=hr, reason="x", scope=[BOOKS[0]])
    certificate.refresh_from_db()
    assert services.allowed_acts(certificate, hr) == ["suspend", "extend", "withdraw"]
    services.suspend(certificate=certificate, actor=hr, reason="x")
    certificate.refresh_from_db()
    assert services.allowed_acts(certificate, hr) == ["reinstate", "withdraw"]


@pytest.mark.parametrize("scope", [[], list(BOOKS), [BOOKS[0], "pt-ponto-banca-1995"]])
def test_less_means_less_and_not_nothing(certificate: Certificate, hr: User, scope: list[str]) -> None:
    with pytest.raises(services.UnfitScope, match="Escolha menos regulamentos do que agora, e pelo"):
        services.reduce(certificate=certificate, actor=hr, reason="x", scope=scope)


@pytest.mark.parametrize("scope", [[BOOKS[0]], [BOOKS[1], BOOKS[2]], [*BOOKS, "pt-ponto-banca-1995"]])
def test_more_means_more_and_no_more_than_was_examined(certificate: Certificate, hr: User, scope: list[str]) -> None:
    services.reduce(certificate=certificate, actor=hr, reason="x", scope=[BOOKS[0]])
    with pytest.raises(services.UnfitScope, match="Escolha o que já abrange e mais, dentro do que o"):
        services.extend(certificate=certificate, actor=hr, reason="x", scope=scope)


def test_a_stale_copy_does_not_act_twice(certificate: Certificate, hr: User) -> None:
    stale = Certificate.objects.get(pk=certificate.pk)
    services.withdraw(certificate=certificate, actor=hr, second=second_person(), reason="x")
    with pytest.raises(Refused, match=r"Não é possível: o certificado está retirado\."):
        services.suspend(certificate=stale, actor=hr, reason="x")


def test_it_ends_by_itself_and_the_end_is_noted_once(
    certificate: Certificate, hr: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exams.clock.today", lambda: certificate.valid_until)
    assert services.expire_due() == 0
    monkeypatch.setattr("exams.clock.today", lambda: certificate.valid_until + DAY)
    assert services.allowed_acts(certificate, hr) == []
    with pytest.raises(Refused, match=r"caducad|expired"):
        services.suspend(certificate=certificate, actor=hr, reason="x")
    assert [services.expire_due(), services.expire_due()] == [1, 0]
    certificate.refresh_from_db()
    assert certificate.state == State.EXPIRED


# ---- the database


def refused(change: object) -> bool:
    try:
        with transaction.atomic():
            change()  # type: ignore[operator]
    except IntegrityError:
        return True
    return False


def test_the_database_knows_the_same_edges(db: None) -> None:
    legal = {(before, after) for ways in lifecycle.MOVES.values() for before, after in ways.items() if before}
    paths = {
        State.GRANTED: [],
        State.SUSPENDED: [State.SUSPENDED],
        State.WITHDRAWN: [State.WITHDRAWN],
        State.EXPIRED: [State.EXPIRED],
        State.REPLACED: [State.REPLACED],
    }
    version = making.make_version()
    for before, after in product(State, State):
        row = Certificate.objects.filter(pk=make_certificate(version).pk)
        for state in paths[before]:
            row.update(state=state)
        expected = before == after or (before, after) in legal
        assert refused(lambda: row.update(state=after)) != expected, (before, after)  # noqa: B023


def test_the_database_knows_the_same_acts(certificate: Certificate) -> None:
    for number, (kind, before, after) in enumerate(product(Kind, ["", *State], State), 10):
        made = {"kind": kind, "state_before": before, "state_after": after}
        legal = lifecycle.MOVES[kind].get(before) == after
        now = timezone.now()
        unfit = refused(lambda: Act.objects.create(certificate=certificate, number=number, at=now, **made))  # noqa: B023
        assert unfit != legal, made


def test_the_database_keeps_what_was_granted(certificate: Certificate, hr: User) -> None:
    row = Certificate.objects.filter(pk=certificate.pk)
    for changes in (
        {"number": "X-1"},
        {"code": "X"},
        {"holder_name": "Outra"},
        {"valid_until": certificate.valid_until + DAY},
        {"valid_from": certificate.valid_from - DAY},
        {"status_index": 1 if certificate.status_index != 1 else 2},
        {"result": None},
    ):
        assert refused(lambda: row.update(**changes)), changes  # noqa: B023
    assert refused(lambda: Act.objects.update(reason="outra"))
    assert refused(lambda: Act.objects.all().delete())
    assert refused(lambda: row._raw_delete("default"))
    services.withdraw(certificate=certificate, actor=hr, second=second_person(), reason="x")
    assert refused(lambda: row.update(scope=["pt-ponto-banca-1995"]))
