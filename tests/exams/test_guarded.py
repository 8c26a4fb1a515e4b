"""The site helps nobody to answer a case that somebody sits or may sit: no route gives a ruling on facts near it."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape
from pytest_django import DjangoAssertNumQueries

import rules_engine
from exams.audit.models import Entry
from exams.audit.services import verify as verify_log
from exams.papers import exam_bank
from exams.papers.exam_bank import is_reserved
from exams.papers.pool import Pool
from exams.records.models import ExamItem, RulingAsked, Session
from exams.worklist import work_of_exams
from rules_engine import Scenario
from rules_engine.narration import narrate, reason
from tests.exams import making
from tests.library.versions import RULEBOOK, TITLED, TOPIC, instructor, make_published, make_scenario
from training.library import drafts, editor, guarded_cases, services
from training.library.guard import GUARDS
from training.library.models import Version
from training.people.models import Role, User
from training.platform.guards import install

pytestmark = pytest.mark.django_db
SignIn = Callable[..., Client]
NEW = "/scenarios/new/"


@pytest.fixture
def live() -> ExamItem:
    """A case of a session that a candidate can still begin."""
    return making.put_in_use(make_scenario("live"))


@pytest.fixture
def teacher(signed_in: SignIn) -> Client:
    """Somebody with every role of staff."""
    client = signed_in(Role.INSTRUCTOR, Role.ADMINISTRATOR, Role.HR)
    client.post("/language/", {"language": "en", "next": "/"})
    return client


def who(client: Client) -> User:
    found: User = client.person  # type: ignore[attr-defined]
    return found


def changed(scenario: Scenario) -> Scenario:
    """The same case with other stakes, other suits and one more onlooker."""
    facts = msgspec.json.decode(rules_engine.encode(scenario.situation))
    for number, stake in enumerate(facts["stakes"], 1):
        stake["amount"] += 10 * number
    for heap in ("ponto", "banker_cards"):
        facts[heap] = [card[0] + "dcsh"["shdc".index(card[1])] for card in facts[heap]]
    facts["standing"] = sorted({*facts.get("standing", []), "2b"})
    return rules_engine.scenario_of(scenario.book.read(facts), scenario.book, topic=scenario.topic)


def asked_in(page: Any, scenario: Scenario) -> list[str]:
    """What of the reasoning of a case an answer tells."""
    text = page.content.decode()
    told = [reason(step, scenario.book, spoken) for step in scenario.solve().steps for spoken in ("en", "pt")]
    return [one for one in told if one in text or escape(one) in text or json.dumps(one) in text]


def form_of(scenario: Scenario) -> dict[str, str]:
    sketch = editor.sketch_of(scenario)
    about = {"rulebook": sketch.book.id, "kind": sketch.kind, "topic": sketch.topic, "difficulty": "2"}
    return about | dict(sketch.typed)


def draft_of(client: Client, scenario: Scenario) -> Version:
    return drafts.create_draft(who(client), scenario, source=Version.Source.AUTHORED, words=TITLED)


def by_api(client: Client, name: str, body: Any, *args: Any) -> Any:
    return client.post(reverse(name, args=args), json.dumps(body), content_type="application/json")


def row_of(scenario: Scenario) -> dict[str, Any]:
    facts = msgspec.json.decode(rules_engine.encode(scenario.situation))
    return {"rulebook": scenario.rulebook, "topic": scenario.topic, "situation": facts}


def solve(client: Client, facts: Scenario) -> Any:
    return by_api(client, "api_solve", {key: row_of(facts)[key] for key in ("rulebook", "situation")})


def other_book(client: Client, facts: Scenario) -> Any:
    return by_api(client, "api_solve", {"rulebook": "pt-chemin-de-fer-1995", "situation": row_of(facts)["situation"]})


def edit(client: Client, facts: Scenario) -> Any:
    return client.post(NEW, form_of(facts))


def edit_live(client: Client, facts: Scenario) -> Any:
    return client.post(NEW, form_of(facts), headers={"HX-Request": "true", "HX-Target": "ruled"})


def edit_draft(client: Client, facts: Scenario) -> Any:
    draft = draft_of(client, make_scenario("another"))
    return client.post(reverse("edit_version", args=[draft.pk]), form_of(facts))


def around_facts(client: Client, facts: Scenario) -> Any:
    return client.post(reverse("around_facts"), form_of(facts), headers={"HX-Request": "true"})


def around_draft(client: Client, facts: Scenario) -> Any:
    return client.get(reverse("around_version", args=[draft_of(client, facts).pk]))


def around_draft_by_htmx(client: Client, facts: Scenario) -> Any:
    return client.get(reverse("around_version", args=[draft_of(client, facts).pk]), headers={"HX-Request": "true"})


def try_draft(client: Client, facts: Scenario) -> Any:
    return client.post(reverse("trial", args=[draft_of(client, facts).pk]), {})


def next_moment(client: Client, facts: Scenario) -> Any:
    draft = draft_of(client, facts)
    return client.get(reverse("next_moment", args=[draft.pk]), {"kind": "scores_to_read"})


def read_draft(client: Client, facts: Scenario) -> Any:
    return client.get(reverse("version", args=[draft_of(client, facts).pk]))


def read_copy(client: Client, facts: Scenario) -> Any:
    return client.get(NEW, {"from": draft_of(client, facts).pk})


def open_draft(client: Client, facts: Scenario) -> Any:
    return client.get(reverse("edit_version", args=[draft_of(client, facts).pk]))


def import_file(client: Client, facts: Scenario) -> Any:
    file = SimpleUploadedFile("cases.json", json.dumps([row_of(facts)]).encode())
    return client.post(reverse("import_scenarios"), {"file": file})


def draft_by_program(client: Client, facts: Scenario) -> Any:
    return by_api(client, "api_versions", row_of(facts) | {"words": TITLED})


# Every way to have facts of one's own ruled on, and the status: refused where they are all that was sent, while a page
# that shows more than a ruling is shown without it.
ROUTES: dict[Callable[[Client, Scenario], Any], int] = {
    solve: 409,
    other_book: 409,
    edit: 409,
    edit_live: 409,
    edit_draft: 409,
    around_facts: 409,
    around_draft: 409,
    around_draft_by_htmx: 409,
    try_draft: 409,
    next_moment: 409,
    read_draft: 200,
    read_copy: 200,
    open_draft: 200,
    import_file: 200,
    draft_by_program: 201,
}


@pytest.mark.parametrize("make", [lambda found: found, changed], ids=["same", "changed"])
@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.__name__)
def test_no_route_rules_on_a_case_in_use(
    teacher: Client, live: ExamItem, route: Callable[[Client, Scenario], Any], make: Callable[[Scenario], Scenario]
) -> None:
    facts = make(live.scenario)
    response = route(teacher, facts)
    assert response.status_code == ROUTES[route]
    assert asked_in(response, facts) == []
    if route is not draft_by_program:
        assert "too close to a case" in response.content.decode()
        assert RulingAsked.objects.get().about == f"exam_item:{live.pk}"
    free = route(teacher, make_scenario("in no exam"))
    assert free.status_code in (200, 201)
    if route not in (around_facts, around_draft, around_draft_by_htmx, next_moment, draft_by_program):
        assert asked_in(free, make_scenario("in no exam")), "the test looks for what the page tells otherwise"


def test_a_program_reads_why(teacher: Client, live: ExamItem) -> None:
    error = solve(teacher, live.scenario).json()["error"]
    assert error["code"] == "kept_for_exams"


def test_nothing_typed_is_lost_and_a_draft_is_reserved_without_its_ruling(teacher: Client, live: ExamItem) -> None:
    sent = form_of(live.scenario)
    page = teacher.post(NEW, sent)
    assert dict(page.context["sketch"].typed) == editor.sketch_of(live.scenario).typed
    assert f'name="bank" value="{sent["bank"]}"' in page.content.decode().replace("\u202f", "").replace("\xa0", "")
    kept = teacher.post(NEW, sent | {"do": "save", "pt-title": "Um caso"})
    assert kept.status_code == 302
    draft = Version.objects.get()
    assert draft.scenario.situation == live.scenario.situation
    told = teacher.get(reverse("api_version", args=[draft.pk])).json()
    assert told["ruling"] is None


@pytest.mark.parametrize("roles", [[Role.INSTRUCTOR], [Role.INSTRUCTOR, Role.ADMINISTRATOR]])
def test_it_is_closed_to_everybody_until_the_exam_is_over(signed_in: SignIn, live: ExamItem, roles: list[Role]) -> None:
    client = signed_in(*roles)
    assert solve(client, live.scenario).status_code == 409
    Session.objects.filter(pk=live.session_id).update(entry_closes_at=timezone.now())
    assert solve(client, live.scenario).status_code == 200


def test_a_session_that_has_not_opened_is_in_use(teacher: Client, live: ExamItem) -> None:
    later = timezone.now() + timedelta(days=20)
    times = {"opens_at": later, "entry_closes_at": later + timedelta(days=1)}
    Session.objects.filter(pk=live.session_id).update(**times)
    assert solve(teacher, live.scenario).status_code == 409


def test_generated_cases_pass_over_it_and_nobody_is_recorded(teacher: Client) -> None:
    wish: dict[str, Any] = {"rulebook": RULEBOOK, "topic": TOPIC, "difficulty": 2, "count": 3, "seed": "abc"}
    offered = by_api(teacher, "api_generate", wish).json()["scenarios"]
    first = rules_engine.scenario_from(offered[0]["scenario"])
    making.put_in_use(first)
    seeds = [one["scenario"]["seed"] for one in by_api(teacher, "api_generate", wish).json()["scenarios"]]
    assert len(seeds) == 3 and first.seed not in seeds
    page = teacher.get(reverse("generate_scenarios"), wish | {"topic": f"{RULEBOOK}/{TOPIC}"})
    assert page.status_code == 200
    told = [facts.sentences for _token, facts in page.context["offered"]]
    assert len(told) == 3 and narrate(first.situation, first.book, "en") not in told
    assert not RulingAsked.objects.exists()


def test_nobody_can_make_what_generation_passed_over(teacher: Client) -> None:
    """Not from the seed that was asked for, nor from gaps between the seeds of what was offered."""
    wish: dict[str, Any] = {"rulebook": RULEBOOK, "topic": TOPIC, "difficulty": 2, "count": 5, "seed": "abc"}
    offered = [one["scenario"] for one in by_api(teacher, "api_generate", wish).json()["scenarios"]]
    guessed = [rules_engine.generate(RULEBOOK, TOPIC, f"abc-{number}", 2).situation for number in range(20)]
    assert not [one for one in offered if rules_engine.scenario_from(one).situation in guessed]
    assert not [one["seed"] for one in offered if "abc" in one["seed"]]
    again = [one["scenario"] for one in by_api(teacher, "api_generate", wish).json()["scenarios"]]
    assert again == offered


def test_the_editor_starts_from_another_table_than_one_in_use(teacher: Client) -> None:
    asked = {"rulebook": RULEBOOK, "kind": "banker_to_decide", "topic": TOPIC}
    teacher.get(NEW, asked)
    before = teacher.get(NEW, asked).context["sketch"]
    checked = editor.check(before)
    assert checked.scenario is not None
    making.put_in_use(checked.scenario)
    page = teacher.get(NEW, asked)
    assert dict(page.context["sketch"].typed) != dict(before.typed)
    assert page.context["told"].kept == ""


def test_an_import_of_a_list_of_topics_makes_no_case_in_use(teacher: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    live = rules_engine.generate(RULEBOOK, TOPIC, "drawn", 2)
    making.put_in_use(live)
    seeds = iter(["drawn", "another"])
    monkeypatch.setattr("training.platform.secret_seeds.secret_seed", lambda: next(seeds))
    table = f"rulebook;topic;difficulty\n{RULEBOOK};{TOPIC};2\n".encode()
    page = teacher.post(reverse("import_scenarios"), {"file": SimpleUploadedFile("t.csv", table)})
    assert page.status_code == 200
    assert asked_in(page, rules_engine.generate(RULEBOOK, TOPIC, "another", 2))


# ---- what is recorded, and who sees it


def test_asking_is_recorded_once_a_day_sealed_and_shown_to_the_exam_office(
    teacher: Client, signed_in: SignIn, live: ExamItem
) -> None:
    for _time in range(3):
        solve(teacher, live.scenario)
    edit(teacher, live.scenario)
    asked = RulingAsked.objects.get()
    assert (asked.person, asked.times, asked.route, asked.session_id) == (
        who(teacher),
        4,
        "api_solve",
        live.session_id,
    )
    [entry] = Entry.objects.filter(act="ruling.asked")
    assert entry.actor == who(teacher)
    assert entry.details["about"] == f"exam_item:{live.pk}" and entry.details["digest"]
    assert list(verify_log()) == []
    holder = Client()
    holder.force_login(live.session.created_by)
    assert who(teacher).name in holder.get(reverse("session", args=[live.session_id])).content.decode()
    admin = signed_in(Role.ADMINISTRATOR)
    assert waits(who(admin)) == 1
    assert who(teacher).name in admin.get(reverse("rulings_asked")).content.decode()
    admin.post(reverse("look_at_asked", args=[asked.pk]))
    assert waits(who(admin)) == 0
    edit(teacher, live.scenario)
    assert waits(who(admin)) == 1, "again"


def waits(person: User) -> int:
    return next(one.count for one in work_of_exams(person, timezone.now()) if one.kind == "rulings_asked")


def test_whoever_asked_and_whoever_sits_see_nothing_of_it(teacher: Client, signed_in: SignIn, live: ExamItem) -> None:
    solve(teacher, live.scenario)
    asked = RulingAsked.objects.get()
    assert waits(who(teacher)) == 0, "though an administrator"
    assert not teacher.get(reverse("rulings_asked")).context["rows"]
    teacher.post(reverse("look_at_asked", args=[asked.pk]))
    assert RulingAsked.objects.get().looked_at is None
    sits = signed_in(Role.TRAINEE, Role.ADMINISTRATOR)
    making.enter(live.session, who(sits))
    assert "asked_rows" not in (sits.get(reverse("session", args=[live.session_id])).context or {})
    assert not sits.get(reverse("rulings_asked")).context["rows"]


def test_a_refusal_that_rolls_back_is_recorded_all_the_same(teacher: Client, live: ExamItem) -> None:
    """The record is written after the request's own transaction."""
    assert try_draft(teacher, live.scenario).status_code == 409
    assert RulingAsked.objects.get().route == "trial"


# ---- the bank


@pytest.fixture
def banked() -> Version:
    return make_published(reserved=True, words=TITLED | {"pt": {"title": "Um caso", "note": "Segredo do banco"}})


def state(version: Version, name: str) -> None:
    if name == "suspended":
        services.suspend(version, ruling=None, comment="x")
    if name == "retired":
        services.retire(version, version.author, "Velho.")


@pytest.mark.parametrize("name", ["published", "suspended", "retired"])
def test_what_the_bank_keeps_is_guarded_in_every_state(teacher: Client, banked: Version, name: str) -> None:
    state(banked, name)
    assert guarded_cases.is_guarded(banked.scenario)
    assert guarded_cases.is_guarded(changed(banked.scenario))
    assert solve(teacher, changed(banked.scenario)).status_code == 409
    page = teacher.get(reverse("version", args=[banked.pk]))
    assert asked_in(page, banked.scenario) == []
    assert "Segredo do banco" not in page.content.decode()
    told = teacher.get(reverse("api_version", args=[banked.pk])).json()
    assert told["ruling"] is None and "note" not in told["words"]["pt"]
    exported = b"".join(teacher.get(reverse("export_scenarios_json"), {"state": banked.state}))
    assert b"Segredo do banco" not in exported


def test_what_the_engine_no_longer_reads_keeps_its_ruling_of_old_to_itself(teacher: Client, banked: Version) -> None:
    broken = banked.scenario_document | {"situation": banked.scenario_document["situation"] | {"bank": "much"}}
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER published_version_never_changes")  # as an engine of another time wrote it
    Version.objects.filter(pk=banked.pk).update(scenario_document=broken)
    install("default", GUARDS)
    assert teacher.get(reverse("api_version", args=[banked.pk])).json()["ruling"] is None
    page = teacher.get(reverse("version", args=[banked.pk]))
    assert page.status_code == 200 and "Segredo do banco" not in page.content.decode()
    author = Client()
    author.force_login(banked.author)
    assert author.get(reverse("api_version", args=[banked.pk])).json()["ruling"] is not None


def test_who_wrote_or_reviewed_it_reads_its_ruling_but_for_when_it_is_sat(banked: Version) -> None:
    assert banked.published_by is not None
    for reader in (banked.author, banked.published_by):
        client = Client()
        client.force_login(reader)
        page = client.get(reverse("version", args=[banked.pk]))
        assert asked_in(page, banked.scenario)
        assert "Segredo do banco" in page.content.decode()
        assert solve(client, banked.scenario).status_code == 200
    making.put_in_use(banked.scenario)
    assert asked_in(client.get(reverse("version", args=[banked.pk])), banked.scenario) == []
    assert solve(client, banked.scenario).status_code == 409


def test_a_new_draft_of_it_makes_nobody_know_it(teacher: Client, banked: Version) -> None:
    draft = drafts.new_version(banked.item, who(teacher))
    assert asked_in(teacher.get(reverse("version", args=[draft.pk])), banked.scenario) == []
    services.submit_for_review(draft, who(teacher))
    reviewer = Client()
    reviewer.force_login(instructor())
    assert asked_in(reviewer.get(reverse("version", args=[draft.pk])), banked.scenario), "who may review must read it"
    assert asked_in(teacher.get(reverse("version", args=[draft.pk])), banked.scenario) == []


def test_what_is_being_written_of_it_is_guarded_too(teacher: Client, banked: Version) -> None:
    draft = drafts.new_version(banked.item, banked.author)
    written = make_scenario("quite another")
    drafts.save_draft(draft, banked.author, scenario=written)
    assert solve(teacher, written).status_code == 409


def test_what_was_given_to_practice_is_no_longer_guarded(teacher: Client, banked: Version) -> None:
    services.release(banked, banked.author, "Para o treino.")
    assert solve(teacher, banked.scenario).status_code == 200


def test_what_was_retired_is_let_go_with_the_same_facts(teacher: Client, banked: Version) -> None:
    other = make_published(reserved=True)
    services.retire(other, other.author, "Velho.")
    services.release(banked, banked.author, "Para o treino.")
    assert not guarded_cases.is_guarded(banked.scenario)


@pytest.mark.parametrize("name", ["published", "suspended", "retired"])
def test_who_sat_an_item_of_the_bank_reads_no_ruling_in_any_state(banked: Version, name: str) -> None:
    item = making.put_in_use(banked.scenario)
    Session.objects.filter(pk=item.session_id).update(entry_closes_at=timezone.now())
    state(banked, name)
    assert is_reserved(item)


def test_who_sat_a_case_reads_no_ruling_while_another_session_puts_it() -> None:
    sat = making.put_in_use(make_scenario("live"))
    Session.objects.filter(pk=sat.session_id).update(entry_closes_at=timezone.now())
    assert not is_reserved(sat)
    making.put_in_use(changed(sat.scenario))
    assert is_reserved(sat)


def test_exams_do_not_generate_what_the_bank_or_another_exam_has(banked: Version) -> None:
    session = making.make_session(first_seed=7000)
    pool = Pool(session, session.programme_version.rules, {}, None)  # type: ignore[arg-type]
    assert pool._is_guarded(changed(banked.scenario))
    assert not pool._is_guarded(make_scenario("in no exam"))


# ---- cost


def test_asking_takes_the_same_queries_however_much_is_guarded(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    facts = make_scenario("in no exam")
    with django_assert_num_queries(2):  # what the bank keeps, what exams use
        assert not guarded_cases.is_guarded(facts)
    for seed in range(3):
        make_published(seed=f"kept {seed}", reserved=True)
        making.put_in_use(make_scenario(f"used {seed}"))
    guarded_cases.is_guarded(facts)
    with django_assert_num_queries(2):
        assert not guarded_cases.is_guarded(facts)
    for count in (1, 4):
        items = list(ExamItem.objects.values_list("pk", flat=True)[:count])
        with django_assert_num_queries(1):  # each case was sketched above
            assert exam_bank.still_in_use(items) == set(items)
