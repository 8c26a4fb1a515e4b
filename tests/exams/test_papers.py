"""Papers: the pool and the forms of a session, made before it opens and checked as they are stored."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from django.utils.translation import override
from msgspec.structs import replace

import rules_engine
from exams import clock, obstacles
from exams.audit import words
from exams.audit.models import Entry
from exams.papers import composer, inspection, knowledge, maker, pool
from exams.papers.composer import TOLERANCE, expected_score
from exams.papers.inspection import BadForm
from exams.papers.knowledge import fingerprint_of, known_to
from exams.programmes.likeness import Collection, gist
from exams.programmes.rules import Line, Section
from exams.records.models import Candidate, ExamItem, Form, FormItem, Session
from tests.exams import making
from tests.factories import PersonFactory
from tests.library.versions import make_published
from training.figures import expected
from training.figures.expected import PRIOR, WEIGHT, Experience, Share
from training.figures.models import ItemTally, RuleTally
from training.library.models import Version
from training.people.models import Role, User
from training.platform.engine_json import as_stored
from training.practice import services as practice
from training.practice.models import Drill
from training.sprint.models import Sprint

pytestmark = pytest.mark.django_db
State = Session.State
LONG = Line(rulebook=making.BOOK, topic="third_card", difficulty=2, items=6, points=2)


def preparing(candidates: int = 3, rules: Any = None, **changes: Any) -> Session:
    """A session whose forms are asked for."""
    now = timezone.now()
    version = making.make_version(rules, author=PersonFactory(roles=[Role.INSTRUCTOR], language="en"))
    made = {
        "programme_version": version,
        "title": "Exame de novembro",
        "opens_at": now + timedelta(days=2),
        "entry_closes_at": now + timedelta(days=2, hours=1),
        "access_code": "ABCDEFGH",
        "state": State.PREPARING,
        "created_by": version.author,
    } | changes
    session = Session.objects.create(**made)
    for _number in range(candidates):
        Candidate.objects.create(session=session, person=PersonFactory(), entered_by=session.created_by)
    return session


def ready(session: Session) -> Session:
    assert maker.make_papers(session.pk), Session.objects.get(pk=session.pk).why_no_forms
    session.refresh_from_db()
    assert session.state == State.READY
    return session


def forms_of(session: Session) -> list[list[ExamItem]]:
    forms = Form.objects.filter(candidate__session=session).order_by("pk")
    return [[placed.item for placed in form.items.select_related("item__version")] for form in forms]


def one_section(*lines: Line) -> Any:
    return making.make_rules(sections=(Section(key="coup", names={"en": "The coup"}, lines=lines),))


def test_no_two_candidates_get_the_same_or_a_similar_item() -> None:
    session = ready(preparing(candidates=8))
    forms = forms_of(session)
    assert len(forms) == 8
    for form in forms:
        assert [(item.section, item.line, item.points) for item in form] == [("coup", 0, 2)] * 3 + [
            ("claims", 1, 3)
        ] * 2
        assert all(item.scenario.solve().exam_safe and item.model for item in form)
    put = [item for form in forms for item in form]
    assert len({item.pk for item in put}) == 8 * 5
    assert len({gist(item.scenario, item.scenario.solve()) for item in put}) == 8 * 5
    apart = Collection()
    assert all(apart.add(item.scenario) for item in put)
    inspection.check_apart(forms)
    with pytest.raises(BadForm, match="the same item"):
        inspection.check_apart([*forms, forms[0]])


def test_a_line_too_narrow_needs_a_common_start() -> None:
    narrow = one_section(Line(rulebook="pt-banca-francesa", topic="reading", difficulty=2, items=2))
    session = preparing(candidates=10, rules=narrow)
    assert not maker.make_papers(session.pk)
    session.refresh_from_db()
    assert session.state == State.DRAFT
    room = session.obstacle["room_for"]  # type: ignore[index]
    assert 1 < room < 10
    with override("en"):
        assert f"enough for {room} candidates" in session.why_no_forms
    session.common_start, session.state = True, State.PREPARING
    session.save()
    forms = forms_of(ready(session))
    apart = Collection()
    assert not all(apart.add(item.scenario) for form in forms for item in form), "cases that are alike"
    assert all(len({item.fingerprint for item in form}) == 2 for form in forms)


def test_forms_have_the_same_mix_of_models() -> None:
    """Three models with eight items each for eight forms of three: each gets one of each."""
    session = preparing(candidates=0, rules=one_section(replace(LONG, items=3)))
    items = [item_with(0.7, number, session, model=f"model {number % 3}") for number in range(24)]
    candidates = [Candidate(session=session, person=PersonFactory()) for _number in range(8)]
    made = composer.Composer(session.programme_version.rules.slots, [items], {}).compose(candidates)
    assert all({item.model for item in form.items} == {"model 0", "model 1", "model 2"} for form in made)
    assert len({item.pk for form in made for item in form.items}) == 24


def item_with(predicted: float, number: int = 0, session: Session | None = None, **changes: Any) -> ExamItem:
    values = {"section": "coup", "line": 0, "points": 2, "fingerprint": f"case {number}", "predicted": predicted}
    return ExamItem(session=session, **(values | changes))


def tally(model: Any, share: float, answers: int = 1000, **key: Any) -> None:
    model.objects.create(answers=answers, points=round(share * answers * 4), of=answers * 4, **key)


def test_forms_are_expected_to_score_alike_when_rules_are_not_equally_hard() -> None:
    cites = sorted({cite for number in range(40) for cite in making.scenario("third_card", number).solve().pivots})
    for number, cite in enumerate(cites):
        tally(RuleTally, 0.15 if number % 2 else 0.95, rulebook=making.BOOK, cite=cite)
    session = ready(preparing(candidates=12, rules=one_section(LONG)))
    predicted = [item.predicted for item in session.items.all()]
    assert max(predicted) - min(predicted) > 0.2, "the items must differ, or there is nothing to level"
    scores = [expected_score(form) for form in forms_of(session)]
    assert max(scores) - min(scores) <= TOLERANCE
    stored = sorted(Form.objects.filter(candidate__session=session).values_list("predicted", flat=True))
    assert stored == pytest.approx(sorted(scores))


def test_uneven_forms_are_not_let_through() -> None:
    easy, hard = [item_with(0.7)], [item_with(0.7 - TOLERANCE)]
    inspection.check_balance([easy, hard])
    with pytest.raises(BadForm, match="equally hard"):
        inspection.check_balance([easy, [item_with(0.7 - TOLERANCE - 0.001)]])


def test_where_no_equal_forms_can_be_made_a_person_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composer, "spread", lambda _papers: TOLERANCE + 0.001)
    session = preparing()
    assert not maker.make_papers(session.pk)
    session.refresh_from_db()
    assert session.state == State.DRAFT
    assert "igualmente difíceis" in session.why_no_forms
    assert not ExamItem.objects.exists()


def test_a_prediction_leans_on_the_wider_figure() -> None:
    kind: dict[str, Any] = {"rulebook": making.BOOK, "topic": "third_card", "difficulty": 3}
    nothing = Experience()
    assert nothing.expected(**kind, version_id=None, pivots=["67 d"]) == PRIOR[3]
    assert nothing.expected(**kind, version_id=7, pivots=[]) == PRIOR[3]
    half = Experience(items={f"{making.BOOK}/third_card/3": Share(WEIGHT, 0.25)})
    assert half.expected(**kind, version_id=None, pivots=["67 d"]) == pytest.approx((PRIOR[3] + 0.25) / 2)
    much = Experience(rules={(making.BOOK, "67 d"): Share(10**9, 0.2), (making.BOOK, "60"): Share(10**9, 0.4)})
    assert much.expected(**kind, version_id=None, pivots=["67 d", "60"]) == pytest.approx(0.3)
    own = Experience(items={"version:7": Share(WEIGHT, 1.0)})
    assert own.expected(**kind, version_id=7, pivots=[]) == pytest.approx((PRIOR[3] + 1) / 2)


def test_what_practice_shows_is_read_from_its_counts() -> None:
    tally(ItemTally, 0.5, answers=WEIGHT, item=f"{making.BOOK}/third_card/2")
    tally(RuleTally, 0.5, rulebook="es-chemin-de-fer", cite="1")
    found = expected.experience([making.BOOK])
    assert found.items == {f"{making.BOOK}/third_card/2": Share(WEIGHT, 0.5)}
    assert found.rules == {}


def drilled(person: User, number: int = 0, **changes: Any) -> str:
    """A case that the person met in practice; returns its fingerprint."""
    made = making.scenario("third_card", number)
    practice.put_drill(person, made, **({"mode": Drill.Mode.FREE} | changes))
    return fingerprint_of(made)


def test_what_somebody_met_is_known_to_them_alone() -> None:
    session = making.make_session()
    one, other = PersonFactory(), PersonFactory()
    met = drilled(one, 100)
    drilled(one, 101)
    practice.put_drill(one, making.scenario("suivi", 1), mode=Drill.Mode.FREE)
    earlier = making.enter(session, other)
    lines = [line for section in session.programme_version.rules.sections for line in section.lines]
    known = known_to([one.pk, other.pk], lines, besides=making.make_session().pk)
    assert met in known[one.pk].cases
    assert len(known[one.pk].cases) == 2, "topics that are not examined do not count"
    assert known[other.pk].cases == set(earlier.form.items.values_list("item__fingerprint", flat=True))
    assert not known_to([other.pk], lines, besides=session.pk)[other.pk].cases


def test_whoever_reads_long_what_the_candidates_met_stays_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three thousand candidates it takes longer than a worker that says nothing is taken for alive."""
    monkeypatch.setattr(knowledge, "PACE", 2)
    session, now, seen = preparing(), timezone.now(), []
    person = session.candidates.order_by("pk")[0].person
    for number in range(4):
        drilled(person, number)
    run = Sprint.objects.create(trainee=person, kind="third_card", started_at=now, deadline_at=now, closed_at=now)
    for number in range(1, 3):
        case = as_stored(making.scenario("third_card", 10 + number))
        run.cases.create(number=number, scenario_document=case, question="banker_draw", put_at=now)
    advance = maker._advance

    def note(session: Session, percent: int) -> None:
        advance(session, percent)
        seen.append(percent)

    monkeypatch.setattr(maker, "_advance", note)
    ready(session)
    assert seen[:4] == [0, 0, 0, 5]


def same_scenarios(monkeypatch: pytest.MonkeyPatch) -> None:
    """The generator gives the cases of `making.scenario` in their order."""
    numbers = iter(range(10_000))
    monkeypatch.setattr("training.platform.secret_seeds.secret_seed", lambda: f"exam {next(numbers)}")


def test_a_case_met_in_practice_is_not_put(monkeypatch: pytest.MonkeyPatch) -> None:
    same_scenarios(monkeypatch)
    plain = {item.fingerprint for item in ready(preparing(candidates=1)).items.all()}
    same_scenarios(monkeypatch)
    session = preparing(candidates=2)
    met = {drilled(session.candidates.order_by("pk")[0].person, number) for number in range(4)}
    assert plain & met, "without the practice these cases would be put"
    assert not {item.fingerprint for item in ready(session).items.all()} & met


def library(number: int) -> Version:
    """A scenario of the exam bank on the third card that is fit for an exam."""
    made = make_published(seed=f"library {number}", reserved=True)
    assert pool.fit_for_exam(made.scenario)
    return made


def test_the_bank_gives_a_third_of_a_line_at_most_and_each_case_once() -> None:
    versions = [library(number) for number in range(5)]
    session = ready(preparing(candidates=2, rules=one_section(LONG)))
    used = session.items.filter(version__isnull=False)
    assert 2 <= used.count() <= 4, "of five that are not all apart"
    assert set(used.values_list("version", flat=True)) <= {version.pk for version in versions}
    assert all(sum(item.version_id is not None for item in form) <= 2 for form in forms_of(session))


def test_nobody_gets_a_scenario_of_the_library_that_they_had_wrote_judged_or_can_read() -> None:
    version = library(0)
    session = preparing(candidates=6, rules=one_section(LONG))
    people = [candidate.person for candidate in session.candidates.order_by("pk")]
    practice.put_drill(people[0], version.scenario, mode=Drill.Mode.FREE, version=version)
    reader = PersonFactory(roles=[Role.TRAINEE, Role.INSTRUCTOR])
    for person in (reader, version.author, version.published_by):
        Candidate.objects.create(session=session, person=person, entered_by=session.created_by)  # type: ignore[misc]
    ready(session)
    item = session.items.get(version=version)
    has_it = set(FormItem.objects.filter(item=item).values_list("form__candidate__person_id", flat=True))
    assert has_it, "somebody can have it"
    assert not has_it & {people[0].pk, reader.pk, version.author_id, version.published_by_id}


def test_a_reading_on_hold_is_never_put() -> None:
    line = Line(rulebook="pt-ponto-banca-macau", topic="limits", difficulty=3, items=8)
    drawn = [rules_engine.generate(line.rulebook, line.topic, f"m{seed}", line.difficulty) for seed in range(40)]
    assert not all(pool.fit_for_exam(made) for made in drawn), "this topic has readings on hold"
    session = ready(preparing(candidates=2, rules=one_section(line)))
    assert all(item.scenario.solve().exam_safe for item in session.items.all())


def test_too_few_cases_are_told_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.platform.secret_seeds.secret_seed", lambda: "always the same")
    session = preparing(candidates=2)
    assert not maker.make_papers(session.pk)
    session.refresh_from_db()
    assert session.state == State.DRAFT
    with override("en"):
        assert "too few different cases" in session.why_no_forms
    assert "poucos casos diferentes" in session.why_no_forms, "whoever reads it next has another language"
    assert "always the same" not in str(session.obstacle)


def test_the_log_tells_why_in_the_language_of_its_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.platform.secret_seeds.secret_seed", lambda: "always the same")
    maker.make_papers(preparing(candidates=2).pk)
    [entry] = Entry.objects.filter(act="session.papers_failed")
    assert "poucos casos diferentes" in words.describe([entry])[0].reason
    with override("en"):
        assert "too few different cases" in words.describe([entry])[0].reason


def test_a_topic_of_an_earlier_release_is_not_missed_by_the_log() -> None:
    gone = obstacles.too_few(rulebook="pt-chemin-de-fer", topic="of 1987", difficulty=2, room_for=0)
    assert "1987" not in obstacles.describe(gone)
    assert "1987" not in obstacles.describe(gone | {"rulebook": "pt-of-1987"})


def test_running_again_or_twice_at_once_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    session = preparing()
    store = maker._store

    def store_while_another_does(*given: Any) -> bool:
        monkeypatch.setattr(maker, "_store", store)
        Session.objects.filter(pk=session.pk).update(worked_at=clock.now() - maker.LEASE)
        assert maker.make_papers(session.pk), "the other is taken for dead, and is quicker"
        return store(*given)

    monkeypatch.setattr(maker, "_store", store_while_another_does)
    assert not maker.make_papers(session.pk)
    forms = forms_of(session)
    assert len(forms) == 3
    assert not maker.make_papers(session.pk)
    assert forms_of(session) == forms


class Killed(BaseException):
    pass


@pytest.mark.parametrize("moment", ["known_to", "_drawn", "check_papers"])
def test_a_killed_worker_leaves_nothing_and_the_sweep_starts_over(
    monkeypatch: pytest.MonkeyPatch, moment: str, frozen: Callable[..., None]
) -> None:
    session = preparing()
    real = getattr(maker, moment)

    def die(*given: Any, **named: Any) -> Any:
        real(*given, **named)
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(maker, moment, die)
        maker.make_papers(session.pk)
    session.refresh_from_db()
    assert session.state == State.PREPARING
    assert not ExamItem.objects.exists() and not Form.objects.exists()
    assert session.worked_at is not None
    assert maker.unattended() == [], "it may still be alive"
    frozen(session.worked_at + maker.LEASE - timedelta(microseconds=1))
    assert maker.unattended() == []
    assert not maker.make_papers(session.pk)
    frozen(session.worked_at + maker.LEASE)
    assert maker.unattended() == [session.pk]
    ready(session)


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    return lambda at: monkeypatch.setattr(clock, "now", lambda: at)


def test_a_session_taken_back_meanwhile_gets_no_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    session = preparing()
    fill = pool.Pool.fill

    def fill_while_taken_back(self: Any, **spare: int) -> Any:
        for number in fill(self, **spare):
            Session.objects.filter(pk=session.pk).update(state=State.DRAFT)
            yield number

    monkeypatch.setattr(pool.Pool, "fill", fill_while_taken_back)
    assert not maker.make_papers(session.pk)
    session.refresh_from_db()
    assert (session.state, session.why_no_forms) == (State.DRAFT, "")
    assert not ExamItem.objects.exists()


def test_a_fault_of_ours_is_told_and_logged_without_its_content(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(item: ExamItem, *_: Any) -> None:
        raise ValueError(item.scenario.seed)

    monkeypatch.setattr(inspection, "check_item", fail)
    session = preparing()
    assert not maker.make_papers(session.pk)
    assert "papers_failed" in caplog.text and "test_papers.py" in caplog.text
    assert "test_a_fault" not in caplog.text, "the seeds of a test are its name"
    session.refresh_from_db()
    assert session.state == State.DRAFT and "falha da plataforma" in session.why_no_forms
    assert not ExamItem.objects.exists()


def test_the_audit_says_that_it_is_ready_and_no_secret() -> None:
    session = ready(preparing())
    entry = Entry.objects.get(act="session.ready")
    assert entry.details == {"forms": 3, "items": session.items.count(), "bank": 0}
    said = str(list(Entry.objects.values()))
    for item in session.items.all():
        assert item.scenario.seed not in said and str(item.pk) not in said


def true_share(item: ExamItem, hard: dict[str, float]) -> float:
    """The share of an item that an average candidate really gets: less for hard rules and for longer reasoning."""
    ruling = item.scenario.solve()
    rules = [hard[cite] for cite in ruling.pivots if cite in hard]
    return max(0.05, (sum(rules) / len(rules) if rules else 0.7) - 0.01 * (ruling.hardness - 8))


def test_forty_candidates_over_a_week_get_forms_on_which_equals_score_alike() -> None:
    """Rules differ in difficulty, as practice has shown; longer cases are harder, which nobody measured."""
    lines = (
        Line(rulebook=making.BOOK, topic="third_card", difficulty=2, items=4, points=2),
        Line(rulebook=making.BOOK, topic="banco_priority", difficulty=3, items=3, points=2),
        Line(rulebook=making.BOOK, topic="payment", difficulty=2, items=3, points=1),
    )
    cites = sorted({cite for line in lines for n in range(40) for cite in case_of(line, n).solve().pivots})
    hard = {cite: 0.45 + 0.45 * (number % 7) / 6 for number, cite in enumerate(cites)}
    for cite, share in hard.items():
        tally(RuleTally, share, rulebook=making.BOOK, cite=cite)
    opens = timezone.now() + timedelta(days=1)
    session = preparing(
        candidates=40, rules=one_section(*lines), opens_at=opens, entry_closes_at=opens + timedelta(days=7)
    )
    forms = forms_of(ready(session))
    apart = Collection()
    assert all(apart.add(item.scenario) for form in forms for item in form), "none is like another"
    assert len({item.fingerprint for form in forms for item in form}) == 400
    means = [
        sum(item.points * true_share(item, hard) for item in form) / sum(item.points for item in form) for form in forms
    ]
    assert max(means) - min(means) <= 0.03


def case_of(line: Line, number: int) -> Any:
    return making.scenario(line.topic, number, line.difficulty)
