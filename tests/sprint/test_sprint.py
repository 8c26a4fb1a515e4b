"""Sprint: the server keeps the time and the count, whatever a browser does."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import rules_engine
from tests import furnished
from tests.classes import rooms
from tests.factories import PersonFactory
from tests.running import Installation
from training.mastery.services import set_study_plan
from training.people.models import Role, User
from training.platform.engine_json import document
from training.sprint import selectors, services
from training.sprint.kinds import KINDS, new_case
from training.sprint.models import Sprint, SprintCase
from training.sprint.services import COST, LASTS, OutOfTurn, SprintOver

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.TRAINEE)


def who(client: Client) -> User:
    return client.person  # type: ignore[attr-defined]


def asked(sprint: Sprint) -> SprintCase:
    return sprint.cases.get(answered_at=None)


def right(case: SprintCase) -> str:
    return str(next(one.value for one in case.scenario.solve().decisions if one.key == case.question))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_asks_one_question_that_arises_and_the_right_answer_counts(kind: str, client: Client) -> None:
    for _ in range(5):
        made, question = new_case(KINDS[kind], who(client))
        assert question in {decision.key for decision in made.solve().decisions}
    sprint = services.start(who(client), kind, timezone.now())
    for number in (1, 2, 3):
        page = client.get(reverse("sprint", args=[sprint.pk]))
        assert page.status_code == 200
        data = {"number": number, "given": right(asked(sprint))}
        assert client.post(reverse("sprint", args=[sprint.pk]), data)["Location"] == reverse("sprint", args=[sprint.pk])
    sprint.refresh_from_db()
    assert (sprint.right, sprint.wrong) == (3, 0)


def test_a_reflex_is_trained_at_the_table_one_studies(client: Client) -> None:
    """Sanremo draws by a table of its own; what its rulebook lacks comes from another of the game."""
    sanremo = "it-sanremo-chemin-de-fer"
    set_study_plan(who(client), daily_minutes=10, rulebooks=[sanremo])
    assert {new_case(KINDS["third_card"], who(client))[0].rulebook for _ in range(5)} >= {sanremo}
    assert "pt-chemin-de-fer" not in {new_case(KINDS["third_card"], who(client))[0].rulebook for _ in range(5)}
    assert new_case(KINDS["scores"], who(client))[0].rulebook != sanremo


def test_the_page_does_not_tell_what_is_right_before_it_is_answered(client: Client) -> None:
    sprint = services.start(who(client), "payouts", timezone.now())
    page = client.get(reverse("sprint", args=[sprint.pk])).content.decode()
    assert "seed" not in page
    assert "sprint-last" in page
    assert "Era " not in page


def test_starting_again_or_reloading_leaves_case_and_clock_as_they_are(client: Client) -> None:
    client.post(reverse("start_sprint"), {"kind": "scores"})
    sprint = Sprint.objects.get()
    case, deadline = asked(sprint), sprint.deadline_at
    client.post(reverse("start_sprint"), {"kind": "third_card"})
    client.get(reverse("sprint", args=[sprint.pk]))
    sprint = Sprint.objects.get()
    assert (asked(sprint), sprint.deadline_at, sprint.kind) == (case, deadline, "scores")


def test_an_answer_sent_twice_or_out_of_turn_counts_once(client: Client) -> None:
    now = timezone.now()
    sprint = services.start(who(client), "scores", now)
    good = right(asked(sprint))
    services.answer(who(client), sprint.pk, 1, good, now)
    for number in (1, 3, 99):
        with pytest.raises(OutOfTurn):
            services.answer(who(client), sprint.pk, number, good, now)
    sprint.refresh_from_db()
    assert (sprint.right, sprint.wrong, sprint.cases.count()) == (1, 0, 2)


def test_a_wrong_answer_costs_time_and_nonsense_is_wrong(client: Client) -> None:
    now = timezone.now()
    sprint = services.start(who(client), "scores", now)
    for number, given in enumerate(["", "\x00nonsense", "x" * 5000], 1):
        services.answer(who(client), sprint.pk, number, given, now)
    sprint.refresh_from_db()
    assert (sprint.right, sprint.wrong, sprint.deadline_at) == (0, 3, now + LASTS - (1 + 2 + 3) * COST)


def test_tapping_at_random_soon_ends_it(client: Client) -> None:
    """Even with no time between two taps, half of which are right by luck, it comes to a handful."""
    now = timezone.now()
    sprint = services.start(who(client), "scores", now)
    number = 0
    while Sprint.objects.get().closed_at is None:
        number += 1
        given = right(asked(sprint)) if number % 2 else "nonsense"
        services.answer(who(client), sprint.pk, number, given, now)
    with pytest.raises(SprintOver):
        services.answer(who(client), sprint.pk, number + 1, "0", now)
    assert Sprint.objects.get().right <= 6


def test_a_late_answer_is_refused_and_the_end_is_the_deadline(client: Client) -> None:
    now = timezone.now()
    sprint = services.start(who(client), "scores", now)
    good = right(asked(sprint))
    with pytest.raises(SprintOver):
        services.answer(who(client), sprint.pk, 1, good, now + LASTS)
    sprint.refresh_from_db()
    assert (sprint.right, sprint.closed_at) == (0, sprint.deadline_at)
    page = client.get(reverse("sprint", args=[sprint.pk])).content.decode()
    assert "Tempo." in page
    assert services.start(who(client), "scores", now + LASTS) != sprint


def test_the_end_tells_which_case_slipped(client: Client) -> None:
    begun = timezone.now() - LASTS
    sprint = services.start(who(client), "scores", begun)
    wrong = "1" if right(asked(sprint)) != "1" else "2"
    services.answer(who(client), sprint.pk, 1, wrong, begun)
    ((_asked, should, said, why),) = client.get(reverse("sprint", args=[sprint.pk])).context["missed"]
    assert should and why
    assert said == wrong


def test_nobody_runs_in_somebody_elses_sprint(client: Client) -> None:
    sprint = services.start(PersonFactory(), "scores", timezone.now())
    assert client.get(reverse("sprint", args=[sprint.pk])).status_code == 404
    assert client.post(reverse("sprint", args=[sprint.pk]), {"number": 1, "given": "1"}).status_code == 404


def ran(trainee: User, result: int, *, days_ago: int = 0) -> None:
    at = timezone.now() - timedelta(days=days_ago)
    Sprint.objects.create(trainee=trainee, kind="scores", started_at=at, deadline_at=at, closed_at=at, right=result)


def test_the_best_is_ones_own(client: Client) -> None:
    ran(who(client), 7)
    ran(who(client), 4)
    ran(PersonFactory(), 30)
    assert selectors.bests(who(client)) == {"scores": 7}


def test_the_board_has_only_who_joined_in_ones_own_class_and_only_they_see_it(client: Client) -> None:
    joined, silent, elsewhere = PersonFactory(), PersonFactory(), PersonFactory()
    rooms.make_class(PersonFactory(roles=[Role.INSTRUCTOR]), who(client), joined, silent)
    rooms.make_class(PersonFactory(roles=[Role.INSTRUCTOR]), elsewhere)
    for person, result in ((joined, 9), (silent, 11), (elsewhere, 20), (who(client), 5)):
        ran(person, result)
    ran(joined, 40, days_ago=8)
    for person in (joined, elsewhere):
        services.join_board(person, wants=True)
    assert joined.name not in client.get(reverse("sprints")).content.decode()
    client.post(reverse("change_board"), {"wants": "yes"})
    assert [(place.name, place.best) for place in selectors.boards(who(client), timezone.now())["scores"]] == [
        (joined.name, 9),
        (who(client).name, 5),
    ]
    assert joined.name in client.get(reverse("sprints")).content.decode()
    client.post(reverse("change_board"), {"wants": "no"})
    assert not selectors.on_board(who(client))


SCRIPT = """
import json, threading
from django.db import connection
from django.utils import timezone
from tests.factories import PersonFactory
from tests.sprint.test_sprint import asked, right
from training.platform.errors import Refused
from training.sprint import services
from training.sprint.models import Sprint

trainee, now, said = PersonFactory(), timezone.now(), []
def at_once(act):
    ready = threading.Barrier(6)
    def run():
        ready.wait()
        try:
            said.append(str(act()) and "taken")
        except Refused as refusal:
            said.append(refusal.code)
        connection.close()
    threads = [threading.Thread(target=run) for _each in range(6)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]

at_once(lambda: services.start(trainee, "scores", now))
sprint = Sprint.objects.get()
good, said = right(asked(sprint)), []
at_once(lambda: services.answer(trainee, sprint.pk, 1, good, now))
sprint.refresh_from_db()
print("SAID" + json.dumps([sorted(said), sprint.right, sprint.cases.count()]))
"""


@pytest.mark.services
def test_starts_and_answers_at_the_same_moment_count_once(
    install: Callable[..., Installation], postgres_url: str
) -> None:
    assert furnished.said(install(DATABASE_URL=postgres_url), SCRIPT) == [["out_of_turn"] * 5 + ["taken"], 1, 2]


def test_every_amount_of_a_sprint_is_written_alike(client: Client) -> None:
    """A sum that is none of the options is written like those that are."""
    sprint = services.start(who(client), "payouts", timezone.now())
    drawn = (rules_engine.generate("pt-roleta-americana", "payout", f"alike {seed}", 3) for seed in range(20))
    scenario, key = next((one, asked.key) for one in drawn for asked in one.questions if asked.kind == "amount")
    sprint.cases.update(scenario_document=document(scenario), question=key)
    client.person.language = "pt"  # type: ignore[attr-defined]
    client.person.save()  # type: ignore[attr-defined]
    services.answer(who(client), sprint.pk, 1, "123456", timezone.now())
    Sprint.objects.update(closed_at=timezone.now())
    page = client.get(reverse("sprint", args=[sprint.pk])).content.decode()
    assert "123\N{NO-BREAK SPACE}456\N{NO-BREAK SPACE}€" in page
    assert "123456 $00" not in page
