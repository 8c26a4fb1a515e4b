"""Programmes through their life: drafted, put in force by a second person, replaced; examiners; who may sit."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone, translation

from exams.audit.models import Entry
from exams.audit.services import verify as broken
from exams.demo import exam_data
from exams.impartiality import Partial, verify_examiner
from exams.programmes import eligibility as prerequisites
from exams.programmes import selectors, services
from exams.programmes.eligibility import eligibility
from exams.programmes.models import Examiner, Programme, ProgrammeVersion
from rules_engine import GAMES, rulebook
from tests.exams.making import BOOK, judged, make_rules, make_version
from tests.factories import PersonFactory
from training.mastery.memory import Rule
from training.mastery.selectors import KnownRule
from training.people.demo import enter_demo_people
from training.people.models import Role, User
from training.platform.errors import ChangedMeanwhile, Refused

pytestmark = pytest.mark.django_db
STANDARD = {"pass_mark": 70, "recommended": 0}
NAMES = {"pt": "Chemin de fer (Portugal)", "en": "Chemin de fer (Portugal)"}
State = ProgrammeVersion.State


@pytest.fixture
def author() -> User:
    return PersonFactory(roles=[Role.INSTRUCTOR])


@pytest.fixture
def administrator() -> User:
    return PersonFactory(roles=[Role.ADMINISTRATOR])


def create(author: User, **changes: Any) -> ProgrammeVersion:
    usual: dict[str, Any] = {"code": "cdf-pt", "names": NAMES, "rules": make_rules()}
    return services.create_programme(author, **usual | changes)


def acts() -> list[str]:
    return list(Entry.objects.values_list("act", flat=True))


def test_from_draft_to_force_to_the_next_version(author: User, administrator: User) -> None:
    first = create(author)
    assert (first.programme.code, first.number, first.state) == ("CDF-PT", 1, State.DRAFT)
    first = services.change_draft(first, author, names=NAMES, rules=make_rules(minutes=40), seen=first.changed_at)
    services.publish(judged(first), administrator, seen=first.changed_at)
    second = services.new_version(first.programme, administrator)
    assert (second.number, second.rules, second.author) == (2, make_rules(minutes=40), administrator)
    assert [version.pk for version in selectors.in_force()] == [first.pk]
    services.publish(judged(second), author, seen=second.changed_at)
    first.refresh_from_db()
    assert (first.state, first.published_by) == (State.RETIRED, administrator)
    [held] = selectors.in_force()
    assert (held, held.published_by) == (second, author)
    assert acts() == [
        *("programme.created", "programme.changed", "programme.published"),
        *("programme.drafted", "programme.published"),
    ]
    details = Entry.objects.get(number=5).details
    assert len(details.pop("ratings")) == 2  # the figures of both judges
    assert details == {
        "version": 2,
        "author": administrator.pk,
        "replaces": 1,
        "pass_mark": 70,
        "recommended": 0,
    }
    assert list(broken()) == []


def test_nobody_puts_their_own_draft_in_force(author: User) -> None:
    draft = create(author)
    with pytest.raises(Refused, match=r"segunda pessoa|second person"):
        services.publish(judged(draft), author, seen=draft.changed_at)
    with pytest.raises(IntegrityError, match="CHECK constraint failed:"), transaction.atomic():
        ProgrammeVersion.objects.filter(pk=draft.pk).update(state=State.PUBLISHED, published_by=author)
    draft.refresh_from_db()
    assert draft.state == State.DRAFT


def test_only_the_author_changes_a_draft(author: User, administrator: User) -> None:
    draft = create(author)
    with pytest.raises(Refused, match="Só o autor pode alterar o rascunho, para que outra"):
        services.change_draft(draft, administrator, names=NAMES, rules=make_rules(), seen=draft.changed_at)


def test_what_is_in_force_cannot_be_changed_discarded_or_published_again(author: User, administrator: User) -> None:
    held = services.publish(judged(draft := create(author)), administrator, seen=draft.changed_at)
    for act in (
        lambda: services.change_draft(held, author, names=NAMES, rules=make_rules(), seen=held.changed_at),
        lambda: services.publish(judged(held), administrator, seen=held.changed_at),
        lambda: services.discard_draft(held, author),
    ):
        with pytest.raises(Refused, match=r"Só um rascunho pode|Só um rascunho se pode|Um programa publicado"):
            act()
    with pytest.raises(IntegrityError, match="a published programme never changes; make a new"), transaction.atomic():
        ProgrammeVersion.objects.filter(pk=held.pk).update(rules_document={})
    with pytest.raises(IntegrityError, match="a published programme is never deleted"), transaction.atomic():
        ProgrammeVersion.objects.filter(pk=held.pk).delete()


def test_a_draft_changed_meanwhile_is_neither_overwritten_nor_published(author: User, administrator: User) -> None:
    draft = create(author)
    seen = draft.changed_at
    services.change_draft(draft, author, names=NAMES, rules=make_rules(minutes=45), seen=seen)
    with pytest.raises(ChangedMeanwhile, match=r"O rascunho mudou desde que abriu esta página\."):
        services.change_draft(draft, author, names=NAMES, rules=make_rules(minutes=50), seen=seen)
    with pytest.raises(ChangedMeanwhile, match=r"O rascunho mudou desde que abriu esta página\."):
        services.publish(judged(draft), administrator, seen=seen)
    draft.refresh_from_db()
    assert draft.rules.minutes == 45


def test_publishing_checks_again(author: User, administrator: User) -> None:
    """The engine may have changed since the draft was kept."""
    draft = make_version(make_rules(pass_mark=0), state=State.DRAFT, author=author, published_by=None)
    with pytest.raises(services.UnfitDraft) as refusal:
        services.publish(judged(draft), administrator, seen=draft.changed_at)
    assert [fault.path for fault in refusal.value.faults] == ["pass_mark"]


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"code": "CDF PT"}, "code"),
        ({"code": "-CDF"}, "code"),
        ({"code": "C" * 33}, "code"),
        ({"code": "taken-1"}, "code"),
        ({"names": {"pt": "  "}}, "names"),
        ({"names": {"pt": "x" * 121}}, "names"),
        ({"names": {"xx": "Chemin"}}, "names"),
        ({"rules": make_rules(minutes=0)}, ""),
        ({"rules": make_rules(tries=21)}, "tries"),
    ],
)
def test_unfit_programmes_are_refused_at_the_field(author: User, changes: dict[str, Any], path: str) -> None:
    Programme.objects.create(code="TAKEN-1")
    with pytest.raises(services.UnfitDraft) as refusal:
        create(author, **changes)
    assert [fault.path for fault in refusal.value.faults] == [path]
    assert not ProgrammeVersion.objects.exists()
    assert acts() == []


@pytest.mark.parametrize("role", [Role.TRAINEE, Role.HR])
def test_others_write_nothing(role: Role, author: User) -> None:
    other, draft = PersonFactory(roles=[role]), create(author)
    for act in (
        lambda: create(other, code="OTHER"),
        lambda: services.publish(judged(draft), other, seen=draft.changed_at),
        lambda: services.discard_draft(draft, other),
        lambda: services.new_version(draft.programme, other),
        lambda: services.appoint_examiner(draft.programme, author, other),
    ):
        with pytest.raises(Refused, match=r"Os examinadores são|Os programas são escritos"):
            act()


def test_one_draft_at_a_time_and_only_from_what_is_in_force(author: User, administrator: User) -> None:
    draft = create(author)
    with pytest.raises(Refused, match="Já há um rascunho; primeiro tem de ser"):
        services.new_version(draft.programme, author)
    services.publish(judged(draft), administrator, seen=draft.changed_at)
    services.new_version(draft.programme, author)
    with pytest.raises(Refused, match="Já há um rascunho; primeiro tem de ser"):
        services.new_version(draft.programme, administrator)


def test_discarding_a_draft(author: User, administrator: User) -> None:
    colleague = PersonFactory(roles=[Role.INSTRUCTOR])
    draft = create(author)
    with pytest.raises(Refused, match="Só o autor ou um administrador pode eliminar um"):
        services.discard_draft(draft, colleague)
    services.publish(judged(draft), colleague, seen=draft.changed_at)
    second = services.new_version(draft.programme, author)
    services.discard_draft(second, administrator)
    assert services.new_version(draft.programme, colleague).number == 2
    other = create(author, code="NEVER")
    services.discard_draft(other, author)
    assert not Programme.objects.filter(code="NEVER").exists()
    with pytest.raises(Refused, match=r"O programa foi eliminado\."):
        services.discard_draft(other, author)
    assert acts()[-1] == "programme.discarded"


def test_appointed_examiners_alone_examine_where_the_programme_says_so(author: User, administrator: User) -> None:
    version = make_version(make_rules(examiners="appointed"))
    with pytest.raises(Partial, match="Neste programa só examinam os examinadores"):
        verify_examiner(author, version)
    services.appoint_examiner(version.programme, author, administrator)
    services.appoint_examiner(version.programme, author, administrator)
    verify_examiner(author, version)
    assert [examiner.person for examiner in selectors.examiners(version.programme)] == [author]
    services.dismiss_examiner(version.programme, author, administrator)
    services.dismiss_examiner(version.programme, author, administrator)
    assert not Examiner.objects.exists()
    assert acts() == ["examiner.appointed", "examiner.dismissed"]


def test_only_those_who_teach_are_appointed_and_only_by_administrators(author: User, administrator: User) -> None:
    version = make_version()
    for person, by in (
        (PersonFactory(roles=[Role.TRAINEE]), administrator),
        (PersonFactory(roles=[Role.INSTRUCTOR], is_active=False), administrator),
        (author, author),
    ):
        with pytest.raises(Refused, match=r"Os examinadores são|não tem a função de formador\."):
            services.appoint_examiner(version.programme, person, by)
    assert acts() == []


def test_lists_take_the_same_queries_however_long(django_assert_num_queries: Any) -> None:
    make_version()
    with django_assert_num_queries(2):
        assert len(selectors.programmes(with_drafts=True)) == 1
    for _number in range(4):
        make_version()
    with django_assert_num_queries(2):
        found = selectors.programmes(with_drafts=True)
        assert [standing.latest.author.name for standing in found]
        assert len(found) == 5


def test_a_programme_that_is_only_a_draft_exists_for_its_writers_alone(author: User) -> None:
    draft = create(author)
    assert selectors.programmes(with_drafts=False) == []
    with pytest.raises(Programme.DoesNotExist):
        selectors.programme(draft.programme_id, with_drafts=False)
    assert selectors.programme(draft.programme_id, with_drafts=True).draft == draft


# ---- who may sit


@pytest.mark.parametrize(("known", "ok"), [(7, False), (8, True), (9, True)])
def test_mastery_below_at_and_above_what_is_asked(known: int, ok: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [KnownRule(Rule(BOOK, str(number)), "third_card", 0.99 if number < known else 0.1) for number in range(10)]
    monkeypatch.setattr(prerequisites, "known_rules", lambda *_: rows)
    with translation.override("en"):
        found = eligibility(PersonFactory(), make_version(make_rules(mastery=80)), timezone.now())
    assert found.ok is ok
    told = "Portugal · chemin de fer: in practice 7 of 10 rules are known, 70%; the programme asks for 80%."
    assert found.reasons == (() if ok else (told,))


def test_a_share_just_below_is_not_rounded_up(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [KnownRule(Rule(BOOK, str(number)), "x", 0.99 if number < 199 else None) for number in range(250)]
    monkeypatch.setattr(prerequisites, "known_rules", lambda *_: rows)
    found = eligibility(PersonFactory(), make_version(make_rules(mastery=80)), timezone.now())
    assert not found.ok
    assert "79\xa0%" in found.reasons[0]


def test_every_rulebook_counts_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    books = (BOOK, "pt-ponto-banca-macau")
    rows = [KnownRule(Rule(book, "1"), "x", 0.99 if book == BOOK else None) for book in books]
    monkeypatch.setattr(prerequisites, "known_rules", lambda *_: rows)
    found = eligibility(PersonFactory(), make_version(make_rules(mastery=50, rulebooks=books)), timezone.now())
    assert [reason.partition(":")[0] for reason in found.reasons] == ["Portugal · ponto e banca, Macau"]


def test_somebody_new_knows_nothing_and_no_mastery_asks_nothing(django_assert_num_queries: Any) -> None:
    person, now = PersonFactory(), timezone.now() + timedelta(days=1)
    free, strict = make_version(make_rules(mastery=0)), make_version(make_rules(mastery=1))
    with django_assert_num_queries(0):
        assert eligibility(person, free, now).ok
    with django_assert_num_queries(2):
        assert not eligibility(person, strict, now).ok


# ---- the demo


def test_the_demo_has_a_programme_of_every_game_and_a_mixed_one_and_enters_them_once() -> None:
    assert not exam_data.furnish()  # nobody is there to write them
    enter_demo_people()
    assert exam_data.furnish()
    assert not exam_data.furnish()
    found = {version.programme.code: version for version in selectors.in_force()}
    assert {"CDF-PT", "PB-MACAU", "ROLETA", "BANCA"} <= set(found)
    assert len(found) == len(GAMES) + 1
    games = {code: {rulebook(book).game.id for book in version.rules.rulebooks} for code, version in found.items()}
    mixed = games.pop("BANCA")
    assert mixed == {game.id for game in GAMES.values() if game.odds}
    assert sorted(id for (id,) in games.values()) == sorted(GAMES)
    assert found["BANCA"].name("pt") == "Croupier de banca"
    assert {(version.author.name, version.published_by.name) for version in found.values()} == {
        ("Helena Brandim", "Paulo Serrano")
    }
    assert found["CDF-PT"].name("pt") == "Chemin de fer (Portugal)"
    assert list(broken()) == []
