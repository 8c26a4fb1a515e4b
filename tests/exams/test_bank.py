"""Exams draw from the bank alone; each scenario of it is put to so many candidates and never twice to one."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import rules_engine
from exams.papers import exam_bank, maker
from exams.papers.inspection import BadForm
from exams.papers.knowledge import known_to
from exams.papers.selectors import prepared
from exams.programmes.rules import Line
from exams.records.models import ExamItem, FormItem, Session
from exams.results import grading
from rules_engine import Answer, Scenario, Situation
from tests.exams import making
from tests.exams.test_papers import one_section, preparing, ready
from tests.factories import PersonFactory
from tests.library.versions import RULEBOOK, TITLED, TOPIC, instructor, make_published, make_scenario
from training.library import drafts
from training.library import services as library
from training.library.models import Version
from training.people.models import Role, User
from training.platform.errors import Refused
from training.practice import fresh, next_drill, services
from training.practice.models import Drill, Mark
from training.practice.what_if import _worked_out, what_if
from training.sprint.models import Sprint

pytestmark = pytest.mark.django_db
LINE = Line(rulebook=RULEBOOK, topic=TOPIC, difficulty=2, items=3, points=1)


def banked(seed: str = "bank 1") -> Version:
    return make_published(seed=seed, reserved=True)


def held(*people: User, candidates: int = 0) -> Session:
    """A session of one line that is ready, for these people and some others."""
    session = preparing(candidates=candidates, rules=one_section(LINE))
    for person in people:
        session.candidates.create(person=person, entered_by=session.created_by)
    return ready(session)


def has(session: Session, version: Version) -> set[int]:
    placed = FormItem.objects.filter(item__session=session, item__version__item=version.item_id)
    return set(placed.values_list("form__candidate__person_id", flat=True))


def over(session: Session) -> None:
    past = timezone.now() - timedelta(hours=1)
    Session.objects.filter(pk=session.pk).update(opens_at=past, entry_closes_at=past + timedelta(minutes=1))


def test_exams_draw_what_is_reserved_and_never_what_is_in_practice() -> None:
    for number in range(3):
        make_published(seed=f"practice {number}")
    assert not held(candidates=2).items.filter(version__isnull=False).exists()
    version = banked()
    assert list(held(candidates=2).items.exclude(version=None).values_list("version", flat=True)) == [version.pk]


def test_the_last_look_refuses_an_item_that_is_in_practice() -> None:
    banked()
    session = held(candidates=2)
    Version.objects.filter(reserved=True).update(reserved=False)
    with pytest.raises(BadForm, match="in practice"):
        maker.check_papers(session, {})


def test_so_many_candidates_get_it_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    version = banked()
    monkeypatch.setattr(exam_bank, "MOST_EXPOSED", 3)
    first = held(candidates=2)
    got = len(has(first, version))
    assert exam_bank.exposure([version.item_id])[version.item_id].candidates == got > 0
    over(first)
    for _session in range(4):
        over(held(candidates=4))
    shown = exam_bank.exposure([version.item_id])[version.item_id]
    assert shown.candidates == 3
    assert shown.spent
    assert not held(candidates=2).items.exclude(version=None).exists(), "it is not even in the pool any more"


def test_no_two_exams_put_it_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The results of both would be held back until the later one is over, which may be in a year."""
    version = banked()
    slow, real = preparing(candidates=4, rules=one_section(LINE)), maker._store

    def store_after_another(*given: Any) -> bool:
        monkeypatch.setattr(maker, "_store", real)
        assert held(candidates=4).items.filter(version=version).exists()
        return real(*given)

    monkeypatch.setattr(maker, "_store", store_after_another)
    assert not maker.make_papers(slow.pk), "another session has it meanwhile"
    assert not held(candidates=4).items.exclude(version=None).exists()


def test_two_sessions_made_at_once_do_not_take_the_same_room(monkeypatch: pytest.MonkeyPatch) -> None:
    version = banked()
    monkeypatch.setattr(exam_bank, "MOST_EXPOSED", 1)
    slow, real = preparing(candidates=4, rules=one_section(LINE)), maker._store

    def store_after_another(*given: Any) -> bool:
        monkeypatch.setattr(maker, "_store", real)
        while not exam_bank.exposure([version.item_id])[version.item_id].spent:
            over(held(candidates=4))
        return real(*given)

    monkeypatch.setattr(maker, "_store", store_after_another)
    assert not maker.make_papers(slow.pk), "what it drew is spent meanwhile"
    assert exam_bank.exposure([version.item_id])[version.item_id].candidates == 1
    Session.objects.filter(pk=slow.pk).update(worked_at=None)
    assert not ready(slow).items.exclude(version=None).exists(), "made anew it does without"


def test_what_is_given_to_practice_while_forms_are_made_is_on_none(monkeypatch: pytest.MonkeyPatch) -> None:
    version = banked()
    session, real = preparing(candidates=4, rules=one_section(LINE)), maker._store

    def store_after_release(*given: Any) -> bool:
        monkeypatch.setattr(maker, "_store", real)
        library.release(version, instructor(), "Para o treino.")
        return real(*given)

    monkeypatch.setattr(maker, "_store", store_after_release)
    assert not maker.make_papers(session.pk)
    assert not ExamItem.objects.filter(session=session).exists()
    Session.objects.filter(pk=session.pk).update(worked_at=None)
    assert not ready(session).items.exclude(version=None).exists()


def test_nobody_gets_the_same_item_twice_not_even_its_next_version() -> None:
    version = banked()
    session = held(candidates=6)
    person = User.objects.get(pk=min(has(session, version)))
    draft = drafts.new_version(version.item, version.author)
    drafts.save_draft(draft, draft.author, scenario=make_scenario("bank 2"))
    library.publish(library.submit_for_review(draft, draft.author), instructor(), reserved=True)
    over(session)
    later = held(person, candidates=6)
    assert has(later, version), "others get the next version"
    assert person.pk not in has(later, version)
    assert version.item_id in known_to([person.pk], [LINE], besides=later.pk)[person.pk].library


def test_who_sent_it_back_to_its_author_never_gets_it() -> None:
    author, reader = instructor(), instructor()
    draft = drafts.create_draft(author, make_published(seed="other").scenario, source="authored", words=TITLED)
    library.send_back(library.submit_for_review(draft, author), reader, "Falta o título.")
    reader.role_grants.all().delete()
    reader.role_grants.create(role=Role.TRAINEE)
    assert draft.item_id in known_to([reader.pk], [LINE], besides=held(candidates=1).pk)[reader.pk].library


def test_it_leaves_the_bank_only_when_no_exam_in_use_holds_it() -> None:
    version = banked()
    session = held(candidates=2)
    with pytest.raises(Refused, match="ainda não acabou"):
        library.release(version, instructor(), "Para o treino.")
    new = library.submit_for_review(drafts.new_version(version.item, version.author), version.author)
    with pytest.raises(Refused, match="ainda não acabou"):
        library.publish(new, instructor())
    over(session)
    assert not library.release(version, instructor(), "Para o treino.").reserved


def test_whoever_sat_a_case_that_the_bank_keeps_reads_its_mark_and_no_ruling(client: Client) -> None:
    version, trainee = banked(), PersonFactory(language="en")
    session = held(trainee)
    place = FormItem.objects.get(form__candidate__person=trainee, item__version=version).position
    sitting = making.start(session.candidates.get(person=trainee))
    making.answer(sitting, right=3)
    grading.grade_sitting(making.close(sitting).pk)
    over(session)
    client.force_login(trainee)
    address = reverse("own_result_item", args=[sitting.pk, place])
    page = client.get(address)
    assert "kept for future exams" in page.content.decode()
    assert [template.name for template in page.templates].count("practice/feedback.html") == 0
    library.release(version, instructor(), "Para o treino.")
    assert "practice/feedback.html" in [template.name for template in client.get(address).templates]


def free(trainee: User) -> Scenario:
    return next_drill.start_free(trainee, rulebook=RULEBOOK, topic=TOPIC, difficulty=2).scenario


def test_a_generated_case_of_a_session_in_use_is_in_nobodys_practice(monkeypatch: pytest.MonkeyPatch) -> None:
    session = making.make_session()
    making.enter(session)
    item = session.items.filter(topic=TOPIC)[0]
    seeds = iter([item.scenario.seed, "another", item.scenario.seed, "yet another"])
    monkeypatch.setattr("training.platform.secret_seeds.secret_seed", lambda: next(seeds))
    assert free(PersonFactory()).seed != item.scenario.seed
    over(session)
    assert free(PersonFactory()).seed == item.scenario.seed, "once it is over it may come"


def of_1995(facts: Situation) -> Scenario:
    return rules_engine.scenario_of(facts, rules_engine.rulebook("pt-chemin-de-fer-1995"), topic=TOPIC)


def test_nor_are_its_facts_under_another_rulebook_whose_feedback_would_tell_the_ruling() -> None:
    session = making.make_session()
    making.enter(session)
    facts = session.items.filter(topic=TOPIC)[0].scenario.situation
    elsewhere = of_1995(facts)
    assert fresh.is_kept_out(elsewhere)
    over(session)
    assert not fresh.is_kept_out(elsewhere)


@pytest.mark.parametrize("published", [True, False])
def test_who_met_the_facts_under_another_rulebook_of_the_game_knows_the_case(published: bool) -> None:
    session, trainee = making.make_session(), PersonFactory()
    item = session.items.filter(topic=TOPIC)[0]
    met = of_1995(item.scenario.situation)
    version = None
    if published:
        draft = drafts.create_draft(instructor(), met, source=Version.Source.AUTHORED, words=TITLED)
        version = library.publish(library.submit_for_review(draft, draft.author), instructor())
    services.put_drill(trainee, met, mode=Drill.Mode.FREE, version=version)
    assert known_to([trainee.pk], [LINE], besides=session.pk)[trainee.pk].has(item)
    assert not known_to([trainee.pk], [LINE], besides=session.pk)[trainee.pk].has(session.items.filter(topic=TOPIC)[1])


def test_who_met_the_facts_in_a_sprint_knows_the_case() -> None:
    session, now = making.make_session(), timezone.now()
    item, other = session.items.filter(topic=TOPIC)[:2]
    run = Sprint.objects.create(trainee=PersonFactory(), kind="third_card", started_at=now, deadline_at=now)
    run.cases.create(number=1, scenario_document=item.scenario_document, question="banker_draw", put_at=now)
    known = known_to([run.trainee_id], [LINE], besides=session.pk)[run.trainee_id]
    assert (known.has(item), known.has(other)) == (True, False)


def test_a_changed_fact_that_makes_a_case_of_an_exam_is_not_told() -> None:
    drill = services.put_drill(PersonFactory(), make_scenario(), mode=Drill.Mode.FREE)
    services.grade(services.submit_answer(drill, Answer({})).pk)
    mark = Mark.objects.get()
    assert what_if(drill.scenario, mark, "pt") is not None
    worked_out = _worked_out(drill.scenario, mark, "pt")
    assert worked_out is not None
    changed = drill.scenario.book.read(worked_out[1])
    assert changed != drill.scenario.situation
    making.put_in_use(rules_engine.scenario_of(changed, drill.scenario.book, topic=TOPIC))
    assert what_if(drill.scenario, mark, "pt") is None, "though it was worked out before"


def test_a_published_case_of_a_session_in_use_is_in_nobodys_practice() -> None:
    session = making.make_session()
    making.enter(session)
    item = session.items.filter(topic=TOPIC)[0]
    draft = drafts.create_draft(instructor(), item.scenario, source=Version.Source.AUTHORED, words=TITLED)
    version = library.publish(library.submit_for_review(draft, draft.author), instructor())
    assert free(PersonFactory()).seed != item.scenario.seed
    over(session)
    assert free(PersonFactory()).situation == version.scenario.situation


def test_where_all_cases_are_in_an_exam_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    session = making.make_session()
    making.enter(session)
    monkeypatch.setattr(
        "training.platform.secret_seeds.secret_seed", lambda: session.items.filter(topic=TOPIC)[0].scenario.seed
    )
    with pytest.raises(Refused, match="Escolha outro tema"):
        services.start_drill(PersonFactory(), rulebook=RULEBOOK, topic=TOPIC, difficulty=2)


def test_the_session_says_which_share_came_from_the_bank() -> None:
    version = banked()
    session = held(candidates=4)
    told = prepared(session)
    assert told is not None
    assert (told.cases, told.banked) == (12, len(has(session, version)))
    client = Client()
    client.force_login(session.created_by)
    page = client.get(reverse("session", args=[session.pk])).content.decode()
    assert f"{told.banked} of 12; the others were generated for this session." in page


def test_staff_see_how_many_candidates_got_it() -> None:
    version = banked()
    session = held(candidates=4)
    client = Client()
    client.force_login(instructor())
    page = " ".join(client.get(reverse("version", args=[version.pk])).content.decode().split())
    count = len(has(session, version))
    assert (f"{count} candidatos tiveram-no" if count != 1 else "1 candidato teve-o") in page
    assert "Está num exame que ainda não acabou." in page
