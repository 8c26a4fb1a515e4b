"""A story in practice: moment after moment, nothing of the next before its time, the mark of the whole at the end."""

from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

import rules_engine
from exams.papers.knowledge import fingerprint_of, known_to
from exams.programmes.rules import Line
from tests.classes.rooms import make_class, set_work
from tests.exams import making
from tests.factories import PersonFactory
from tests.house import graded, put
from tests.library.versions import RULEBOOK, TOPIC, instructor, make_story
from tests.practice.drills import form, right_answer, wrong_answer
from training.classes import selectors as classes
from training.classes import services as class_services
from training.figures import selectors as figures
from training.figures.models import DayTally, ItemTally
from training.library import drafts
from training.library import services as library
from training.library.models import Version
from training.library.moments import moment
from training.people.models import Role, User
from training.platform.errors import Refused
from training.practice import day, next_drill, services, stories
from training.practice.models import Attempt, Drill
from training.practice.study import study_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


def begin(story: Version, trainee: User | None = None, **changes: object) -> Drill:
    return put(trainee or PersonFactory(), story.scenario, version=story, **changes)


def answered(drill: Drill, **how: object) -> Drill:
    """Answered rightly and marked."""
    answer = rules_engine.answer_from({"parts": right_answer(drill.scenario)})
    services.grade(services.submit_answer(drill, answer, **how).pk)  # type: ignore[arg-type]
    return Drill.objects.get(pk=drill.pk)


def test_moments_are_put_in_turn_each_once_with_the_words_of_its_own() -> None:
    story = make_story(moments=3)
    first = begin(story, mode=Drill.Mode.FREE)
    assert (first.moment, first.moments, first.before) == (1, 3, None)
    answered(first)
    second = stories.go_on(first)
    assert stories.go_on(first) == second, "asked for twice, it is put once"
    assert (second.moment, second.before, second.scenario) == (2, first, moment(story, 2).scenario)
    assert second.told and second.told.words["pt"]["story"] == "Momento 2 de 1"
    third = stories.go_on(answered(second))
    assert (third.moment, third.version) == (3, story)
    with pytest.raises(Refused, match="no further moment"):
        stories.go_on(answered(third))
    assert Drill.objects.count() == 3


def test_the_next_moment_waits_for_the_answer_the_mark_and_the_solution() -> None:
    first = begin(make_story())
    later = "answered and its ruling shown"
    with pytest.raises(Refused, match=later):
        stories.go_on(first)
    answer = rules_engine.answer_from({"parts": wrong_answer(first.scenario)})
    attempt = services.submit_answer(first, answer, hold=True)
    with pytest.raises(Refused, match=later):
        stories.go_on(first)
    services.grade(attempt.pk)
    with pytest.raises(Refused, match=later):
        stories.go_on(first)
    Attempt.objects.update(held=False)
    assert stories.go_on(first).moment == 2


def test_a_retired_story_ends_where_it_is_and_is_put_to_nobody() -> None:
    story, trainee = make_story(), PersonFactory()
    first = answered(begin(story, trainee))
    library.retire(story, story.author, "Não foi assim")
    with pytest.raises(Refused, match="taken out of practice"):
        stories.go_on(first)
    assert not stories.goes_on(first)
    assert next_drill.start_free(PersonFactory(), rulebook=RULEBOOK, topic=TOPIC, difficulty=2).version is None


def test_a_moment_added_to_a_draft_reaches_nobody_who_has_the_published_one() -> None:
    story = make_story()
    draft = drafts.new_version(story.item, story.author)
    drafts.save_moment(draft, draft.author, 3, scenario=moment(story, 1).scenario, words={"pt": {"story": "Segredo"}})
    second = stories.go_on(answered(begin(story)))
    assert second.version == story and second.moments == 2
    with pytest.raises(Refused, match="no further moment"):
        stories.go_on(answered(second))


def test_a_story_with_a_moment_that_an_exam_uses_waits() -> None:
    story, trainee = make_story(), PersonFactory()
    first = answered(begin(story, trainee))
    making.put_in_use(moment(story, 2).scenario)
    with pytest.raises(Refused, match="exam that is not over"):
        stories.go_on(first)
    other = next_drill.start_free(PersonFactory(), rulebook=RULEBOOK, topic=TOPIC, difficulty=2)
    assert other.version is None, "nor is it begun"


# ---- pages


def in_english(client: Client) -> Client:
    User.objects.filter(pk=client.person.pk).update(language="en")  # type: ignore[attr-defined]
    return client


@pytest.fixture
def trainee(signed_in: Callable[..., Client]) -> Client:
    return in_english(signed_in(Role.TRAINEE))


def page(client: Client, drill: Drill) -> str:
    return client.get(reverse("drill", args=[drill.pk])).content.decode()


def test_the_page_goes_from_moment_to_moment_and_ends_with_the_mark_of_the_whole(trainee: Client) -> None:
    first = begin(make_story(), trainee.person)  # type: ignore[attr-defined]
    address = reverse("go_on", args=[first.pk])
    opened = page(trainee, first)
    assert "moment 1 of 2" in opened and address not in opened and "Momento 2" not in opened
    assert trainee.post(address).status_code == 409
    trainee.post(reverse("drill", args=[first.pk]), form(wrong_answer(first.scenario)))
    services.grade(Attempt.objects.get().pk)
    marked = page(trainee, first)
    assert address in marked and "What happens next" in marked and "The story so far" in marked
    assert "Momento 2" not in marked, "nothing of the next moment before it is asked for"
    response = trainee.post(address)
    second = Drill.objects.get(before=first)
    assert response.headers["Location"] == reverse("drill", args=[second.pk])
    opened = page(trainee, second)
    assert "moment 2 of 2" in opened and "Momento 2" in opened and "data-whole" not in opened
    answered(second)
    done = page(trainee, second)
    marks = [one.mark for one in Attempt.objects.order_by("pk")]
    assert "The whole story" in done
    assert f"{sum(mark.points for mark in marks)} of {sum(mark.of for mark in marks)} points" in done
    assert reverse("go_on", args=[second.pk]) not in done and reverse("start_drill") in done


def test_a_held_solution_gives_no_way_on(trainee: Client) -> None:
    first = begin(make_story(), trainee.person)  # type: ignore[attr-defined]
    trainee.post(reverse("drill", args=[first.pk]), form(wrong_answer(first.scenario)) | {"hold": "1"})
    services.grade(Attempt.objects.get().pk)
    assert reverse("go_on", args=[first.pk]) not in page(trainee, first)
    assert trainee.post(reverse("go_on", args=[first.pk])).status_code == 409
    trainee.post(reverse("show_solution", args=[first.pk]))
    assert reverse("go_on", args=[first.pk]) in page(trainee, first)


def test_it_is_closed_while_its_trainee_sits_an_exam(trainee: Client) -> None:
    person = trainee.person  # type: ignore[attr-defined]
    first = answered(begin(make_story(), person))
    making.start(making.enter(making.make_session(), person))
    assert trainee.post(reverse("go_on", args=[first.pk])).status_code == 403
    assert trainee.post(f"/api/v1/drills/{first.pk}/next/").status_code == 403
    assert not Drill.objects.filter(before=first).exists()


def test_programs_go_the_same_way(trainee: Client) -> None:
    first = begin(make_story(), trainee.person)  # type: ignore[attr-defined]
    address = f"/api/v1/drills/{first.pk}/"
    told = trainee.get(address).json()
    assert (told["moment"], told["moments"], told["goes_on"], told["whole"]["marks"]) == (1, 2, False, [])
    assert trainee.post(f"{address}next/").status_code == 409
    answered(first)
    assert trainee.get(address).json()["goes_on"]
    put_next = trainee.post(f"{address}next/")
    assert (put_next.status_code, put_next.json()["moment"], put_next.json()["mark"]) == (201, 2, None)
    second = Drill.objects.get(before=first)
    answered(second)
    whole = trainee.get(f"/api/v1/drills/{second.pk}/").json()["whole"]
    assert whole["over"] and [mark["drill"] for mark in whole["marks"]] == [str(first.pk), str(second.pk)]
    assert whole["points"] == whole["of"] == sum(mark["of"] for mark in whole["marks"])
    other = Client()
    other.force_login(PersonFactory())
    assert other.post(f"{address}next/").status_code == 404


# ---- the day, set work, figures


def test_a_story_of_the_day_goes_on_first_and_counts_once() -> None:
    story, trainee, now = make_story(), PersonFactory(), timezone.now()
    study = study_of(trainee)
    planned = next_drill.start_what_matters(trainee, study, now)
    first = begin(story, trainee, mode=Drill.Mode.SCHEDULED, aim=planned.aim)
    planned.delete()
    answered(first)
    plan = day.plan_of(trainee, now)
    assert plan
    done = day.progress(plan).done
    second = next_drill.start_what_matters(trainee, study, now)
    assert second.before == first
    assert next_drill.start_what_matters(trainee, study, now) == second, "left open it is put again"
    assert not next_drill.is_first_meeting(second)
    head = day.head_of(second, now)
    assert head["position"] == day.progress(plan).at(first)
    answered(second)
    found = day.progress(plan)
    assert (found.done, found.extra) == (done, 0)
    assert next_drill.start_what_matters(trainee, study, now).before is None


def test_set_work_is_done_with_the_last_moment() -> None:
    story, trainee = make_story(), PersonFactory()
    work = set_work(make_class(instructor(), trainee), versions=[story], fresh=[])

    def left() -> int:
        [found] = classes.work([work], [trainee], timezone.now())[trainee.pk]
        return found.left

    first = class_services.next_assigned(trainee, work)
    assert (first.moment, left()) == (1, 1)
    attempt = services.submit_answer(first, rules_engine.answer_from({"parts": {}}), hold=True)
    assert class_services.next_assigned(trainee, work) == first, "its mark is waited for"
    services.grade(attempt.pk)
    assert class_services.next_assigned(trainee, work) == first, "its solution is read first"
    Attempt.objects.update(held=False)
    second = class_services.next_assigned(trainee, work)
    assert (second.before, second.assignment, left()) == (first, work, 1)
    assert class_services.next_assigned(trainee, work) == second
    answered(second)
    assert left() == 0
    with pytest.raises(class_services.NothingLeft):
        class_services.next_assigned(trainee, work)


def test_each_moment_has_figures_of_its_own_and_the_desk_names_them(signed_in: Callable[..., Client]) -> None:
    story, trainee = make_story(), PersonFactory()
    answered(stories.go_on(graded(begin(story, trainee))))
    tallies = {tally.item: tally.answers for tally in ItemTally.objects.all()}
    assert tallies == {f"version:{story.pk}": 1, f"version:{story.pk}/2": 1}
    assert DayTally.objects.get(trainee=trainee).answers == 2
    client = in_english(signed_in(Role.INSTRUCTOR))
    shown = client.get(f"{reverse('item_figures')}?rulebook={RULEBOOK}").content.decode()
    assert "moment 1" in shown and "moment 2" in shown
    assert len(figures.items()) == 2


def test_a_trainee_who_left_takes_the_whole_chain_along() -> None:
    trainee = PersonFactory()
    stories.go_on(answered(begin(make_story(), trainee)))
    Drill.objects.filter(trainee=trainee).delete()
    assert not Drill.objects.exists()


def test_who_met_any_moment_knows_the_case() -> None:
    trainee = PersonFactory()
    second = stories.go_on(answered(begin(make_story(), trainee)))
    line = Line(rulebook=second.rulebook, topic=second.topic, items=1)
    known = known_to([trainee.pk], [line], besides=making.make_session().pk)[trainee.pk]
    assert fingerprint_of(second.scenario) in known.cases


def test_a_case_met_under_another_topic_is_known_too() -> None:
    trainee = PersonFactory()
    second = stories.go_on(answered(begin(make_story(), trainee)))
    Drill.objects.filter(pk=second.pk).update(topic="banco_priority")
    line = Line(rulebook=second.rulebook, topic=second.topic, items=1)
    known = known_to([trainee.pk], [line], besides=making.make_session().pk)[trainee.pk]
    assert fingerprint_of(second.scenario) in known.cases
