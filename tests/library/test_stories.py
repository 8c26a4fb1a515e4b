"""A case of two or three moments: written, reviewed, published and retired as one, and never in the exam bank."""

import json
from typing import Any

import msgspec
import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import translation

import rules_engine
from rules_engine import RULEBOOKS
from tests.factories import PersonFactory
from tests.library.versions import (
    instructor,
    make_draft,
    make_in_review,
    make_scenario,
    make_story,
    make_story_draft,
)
from training.library import drafts, editor, editor_starts, import_export, next_moment, reruling, services
from training.library import moments as moments_module
from training.library.author_texts import UnfitWords
from training.library.guard import GUARDS
from training.library.models import Act, Version
from training.library.moments import moment, moments, still_accepted
from training.library.version_diff import compared
from training.platform.engine_json import as_stored
from training.platform.errors import ChangedMeanwhile, Refused, UnfitList
from training.platform.guards import install

State = Version.State
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


# ---- drafts


def test_what_happens_next_is_kept_with_its_own_facts_and_words_under_the_title_of_the_whole() -> None:
    draft = make_story_draft()
    stored = Version.objects.get(pk=draft.pk)
    first, second = moments(stored)
    assert (first.scenario, second.scenario) == (make_scenario("1"), make_scenario("1-2"))
    assert second.words == {"pt": {"title": "Caso 1", "story": "Momento 2 de 1"}}
    assert (second.number, second.ruling, "momento 2" in stored.search_text) == (2, None, True)
    assert stored.scenario_document == first.scenario_document, "the first moment is the version itself"
    assert stored.acts.last().kind == Act.Kind.EDITED


def test_a_later_moment_has_no_title_of_its_own_and_the_rulebook_of_the_first() -> None:
    draft = make_draft()
    with pytest.raises(UnfitWords) as error:
        drafts.save_moment(draft, draft.author, 2, scenario=make_scenario("2"), words={"pt": {"title": "Outro"}})
    assert error.value.where == "words.pt.title"
    elsewhere = rules_engine.generate("pt-ponto-banca-macau", None, "1", 2)
    with pytest.raises(Refused, match="one rulebook"):
        drafts.save_moment(draft, draft.author, 2, scenario=elsewhere, words={})
    assert Version.objects.get().moments == []


def test_there_are_three_moments_at_most_and_no_gap_between_them() -> None:
    draft = make_story_draft(moments=3)
    author, scenario = draft.author, make_scenario("9")
    with pytest.raises(Refused, match="at most 3 moments"):
        drafts.save_moment(draft, author, 4, scenario=scenario, words={})
    short = make_draft(author, "5")
    for number in (0, 1, 3):
        with pytest.raises(Refused, match="no such moment"):
            drafts.save_moment(short, author, number, scenario=scenario, words={})


def test_a_moment_is_changed_or_taken_out_by_its_authors_alone_while_it_is_a_draft() -> None:
    draft = make_story_draft(moments=3)
    author, other = draft.author, instructor()
    with pytest.raises(Refused, match="Only its authors"):
        drafts.save_moment(draft, other, 2, scenario=make_scenario("9"), words={})
    with pytest.raises(Refused, match="Only its authors"):
        drafts.remove_moment(draft, other, 2)
    with pytest.raises(ChangedMeanwhile):
        drafts.save_moment(
            draft, author, 2, scenario=make_scenario("9"), words={}, seen=draft.created_at.replace(year=2020)
        )
    drafts.save_moment(draft, author, 2, scenario=make_scenario("9"), words={}, seen=draft.changed_at)
    left = drafts.remove_moment(draft, author, 3)
    assert [one.scenario for one in moments(left)] == [make_scenario("1"), make_scenario("9")]
    assert "momento" not in left.search_text
    waiting = services.submit_for_review(left, author)
    with pytest.raises(Refused, match="Only a draft"):
        drafts.remove_moment(waiting, author, 2)


# ---- review, publication, the end


def test_it_is_published_whole_with_the_ruling_of_each_moment_and_frozen() -> None:
    story = make_story(moments=3)
    stored = Version.objects.get(pk=story.pk)
    assert [one.ruling for one in moments(stored)] == [one.scenario.solve() for one in moments(stored)]
    assert set(stored.pivots.values_list("cite", flat=True)) == set(make_scenario("1").solve().pivots)
    with pytest.raises(IntegrityError, match="never changes"), transaction.atomic():
        Version.objects.filter(pk=story.pk).update(moments=[])


def test_a_new_version_takes_every_moment_along_and_says_what_differs_in_which() -> None:
    story = make_story()
    draft = drafts.new_version(story.item, story.author)
    assert [one.scenario for one in moments(draft)] == [one.scenario for one in moments(story)]
    assert [one.words for one in moments(draft)] == [one.words for one in moments(story)]
    changed = drafts.save_moment(
        draft, draft.author, 2, scenario=make_scenario("77"), words={"pt": {"story": "Outra coisa"}}
    )
    found = compared(changed, "en")
    assert found
    assert all(one.what.startswith("Moment 2 · ") for one in found.facts + found.words)
    assert [(one.before, one.now) for one in found.words] == [("Momento 2 de 1", "Outra coisa")]
    longer = drafts.save_moment(changed, draft.author, 3, scenario=make_scenario("8"), words={})
    told = compared(longer, "en")
    assert told and (told.facts[-1].what, told.facts[-1].before) == ("Moment 3", "–")


def test_a_story_is_never_reserved_for_exams_and_its_facts_are_those_of_practice() -> None:
    draft = make_story_draft()
    waiting = services.submit_for_review(draft, draft.author)
    with pytest.raises(Refused, match="story of several moments is for practice"):
        services.publish(waiting, instructor(), reserved=True)
    assert Version.objects.get(pk=waiting.pk).state == State.IN_REVIEW
    services.publish(waiting, instructor())
    same = drafts.create_draft(
        instructor(), make_scenario("1-2"), source="authored", words={"pt": {"title": "O mesmo"}}
    )
    alone = services.submit_for_review(same, same.author)
    with pytest.raises(Refused, match="same facts"):
        services.publish(alone, instructor(), reserved=True)


def test_what_is_odd_or_cannot_be_ruled_on_in_any_moment_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    draft = make_story_draft()
    second = moment(draft, 2).scenario
    monkeypatch.setattr(
        services, "not_accepted", lambda scenario, accepted: scenario.situation == second.situation and ["odd"]
    )
    with pytest.raises(Refused, match="remarks"):
        services.submit_for_review(draft, draft.author)


def test_an_engine_that_rules_otherwise_on_a_later_moment_takes_the_whole_story_out(client: Client) -> None:
    story, plain = make_story(), services.publish(make_in_review(seed="40"), instructor())
    kept = msgspec.json.decode(msgspec.json.encode(story.moments))
    decided = kept[0]["ruling"]["decisions"][0]
    decided["value"] = next(value for value in ("must_draw", "must_stand") if value != decided["value"])
    with transaction.atomic():
        _unguarded(story, kept)
    assert reruling.check_published() == [story]
    assert Version.objects.get(pk=plain.pk).state == State.PUBLISHED
    act = story.acts.get(kind=Act.Kind.SUSPENDED)
    assert (act.moment, Version.objects.get(pk=story.pk).state) == (2, State.SUSPENDED)
    client.force_login(instructor(language="en"))
    assert "Moment 2" in client.get(reverse("suspended")).content.decode()


def _unguarded(story: Version, later: list[object]) -> None:
    """Write what an earlier engine would have ruled, past the guard that forbids it."""
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER published_version_never_changes")
    Version.objects.filter(pk=story.pk).update(moments=later)
    install("default", GUARDS)


# ---- what happens next, in the editor


@pytest.mark.parametrize("book_id", list(RULEBOOKS))
def test_every_table_gives_a_start_for_what_happens_next(book_id: str) -> None:
    book = RULEBOOKS[book_id]
    for number, topic in enumerate(rules_engine.topics(book_id)):
        scenario = rules_engine.generate(book_id, topic, f"next-{number}", 2)
        kinds = book.kinds()
        start = next_moment.carry_on(scenario, list(kinds)[number % len(kinds)])
        checked = editor.check(start.sketch)
        assert checked.scenario or checked.wrong, "ruled on, or said what does not fit"


def test_the_cards_lie_where_the_ruling_before_puts_them() -> None:
    """A card that fell is burned: the ponto's hand goes on without it."""
    book = RULEBOOKS["pt-chemin-de-fer"]
    facts = editor_starts.example(book, "card_on_floor", topic="deal_faults")
    after = book.rule(facts).after
    assert after and after.heap("burned") and after.heap("ponto") != facts.ponto
    left = facts.left(after)
    assert (left["ponto"], left["banker_cards"]) == (after.heap("ponto"), after.heap("banker"))
    assert not set(after.heap("burned")) & {*left["ponto"], *left["banker_cards"], *left["loose"], *left["next"]}
    scenario = rules_engine.scenario_of(facts, book, topic="deal_faults", difficulty=2)
    start = next_moment.carry_on(scenario, "coup_being_settled")
    checked = editor.check(start.sketch)
    assert start.carried and checked.scenario
    now: Any = checked.scenario.situation
    assert (now.ponto, now.banker_cards) == (after.heap("ponto"), after.heap("banker"))


def test_what_cannot_happen_there_starts_from_the_table_as_it_lay() -> None:
    """The same card cannot fall again once it is burned: the table is the one before the ruling."""
    book = RULEBOOKS["pt-chemin-de-fer"]
    facts = editor_starts.example(book, "card_on_floor", topic="deal_faults")
    scenario = rules_engine.scenario_of(facts, book, topic="deal_faults", difficulty=2)
    start = next_moment.carry_on(scenario, "card_on_floor")
    checked = editor.check(start.sketch)
    assert not start.carried and checked.scenario
    now: Any = checked.scenario.situation
    assert (now.ponto, now.banker_cards) == (facts.ponto, facts.banker_cards)


def test_the_craps_marker_stands_where_it_was_put() -> None:
    for seed in range(60):
        scenario = rules_engine.generate("pt-craps", None, str(seed), 2)
        after = scenario.solve().after
        if after and after.marks.get("marker", "").isdigit():
            left = scenario.situation.left(after)
            assert (left["point"], left["dice"]) == (int(after.marks["marker"]), ())
            return
    raise AssertionError("no throw makes a point")


def test_pages_lead_from_one_moment_to_the_next(client: Client) -> None:
    author = instructor(language="en")
    client.force_login(author)
    draft = make_draft(author)
    edit = reverse("edit_version", args=[draft.pk])
    sketch = editor.sketch_of(draft.scenario)
    about = {"rulebook": draft.rulebook, "kind": sketch.kind, "topic": sketch.topic, "difficulty": sketch.difficulty}
    form = {**sketch.typed, **about, "pt-title": "Uma história", "seen": draft.changed_at.isoformat()}
    response = client.post(edit, form | {"do": "next"})
    following = reverse("next_moment", args=[draft.pk])
    assert response.headers["Location"] == following
    draft.refresh_from_db()
    assert draft.words["pt"]["title"] == "Uma história", "what was typed is kept on the way"

    page = client.get(following).content.decode()
    assert "banker_to_decide" in page and "for practice" in page
    assert "another rulebook" not in page
    page = client.get(f"{following}?kind=banker_to_decide").content.decode()
    assert 'name="pt-story"' in page and 'name="pt-title"' not in page
    second = editor.sketch_of(make_scenario("2"))
    about |= {"kind": second.kind, "topic": second.topic, "difficulty": second.difficulty}
    form = {**second.typed, **about, "pt-story": "E depois", "seen": draft.changed_at.isoformat(), "do": "save"}
    assert client.post(following, form).headers["Location"] == reverse("version", args=[draft.pk])
    draft.refresh_from_db()
    assert [one["words"] for one in draft.moments] == [{"pt": {"story": "E depois"}}]
    assert client.post(following, form).status_code == 409, "the same form again adds nothing"

    shown = client.get(reverse("version", args=[draft.pk])).content.decode()
    assert "Moment 2" in shown and "E depois" in shown and "story of 2 moments" in shown
    assert "story of 2 moments" in client.get(reverse("library")).content.decode()
    again = reverse("edit_moment", args=[draft.pk, 2])
    assert "E depois" in client.get(again).content.decode()
    assert client.get(reverse("edit_moment", args=[draft.pk, 3])).status_code == 404
    trial = reverse("trial", args=[draft.pk])
    assert client.get(f"{trial}?moment=2").status_code == 200
    assert client.get(f"{trial}?moment=3").status_code == 404
    assert client.get(f"{reverse('around_version', args=[draft.pk])}?moment=2").status_code == 200
    client.post(reverse("act_on_version", args=[draft.pk]), {"act": "remove_moment", "moment": "2"})
    draft.refresh_from_db()
    assert draft.moments == []


def test_the_reviewer_reads_every_moment_and_cannot_reserve_it(client: Client) -> None:
    draft = make_story_draft()
    waiting = services.submit_for_review(draft, draft.author)
    client.force_login(instructor(language="en"))
    page = client.get(reverse("version", args=[waiting.pk])).content.decode()
    assert "Momento 2 de 1" in page and 'name="reserved"' not in page
    sent = {"act": "publish", "reserved": "1"}
    assert client.post(reverse("act_on_version", args=[waiting.pk]), sent).status_code == 409
    assert client.post(reverse("act_on_version", args=[waiting.pk]), {"act": "publish"}).status_code == 302


# ---- files


def test_a_story_goes_out_and_comes_back_whole() -> None:
    story, importer = make_story(moments=3), instructor()
    content = b"".join(import_export.json_lines([story]))
    import_export.dry_run(importer, content)
    assert import_export.known(import_export.read(content)) == [1]
    [made] = import_export.confirm(importer)
    stored = Version.objects.get(pk=made.pk)
    assert [one.scenario for one in moments(stored)] == [one.scenario for one in moments(story)]
    assert [one.words for one in moments(stored)] == [one.words for one in moments(story)]
    assert {one["ruling"] for one in stored.moments} == {None}, "a file decides nothing"


def test_a_story_is_not_the_same_as_its_first_moment_alone() -> None:
    make_story()
    alone = [dict(msgspec.to_builtins(make_scenario("1")))]
    assert import_export.known(import_export.read(msgspec.json.encode(alone))) == []


def test_a_story_comes_back_from_a_workbook(client: Client) -> None:
    story = make_story()
    client.force_login(instructor())
    content = client.get(reverse("export_scenarios_xlsx")).content
    [entry] = import_export.read(content)
    assert [one["scenario"]["situation"] for one in entry.later] == [
        one["scenario"]["situation"] for one in story.moments
    ]


@pytest.mark.parametrize(
    ("later", "field"),
    [
        ("x", "moments"),
        (["x"], "moments.0"),
        ([{"topic": "third_card"}], "moments.0.situation"),
        ([{"topic": "third_card", "situation": {}, "tags": []}], "moments.0.tags"),
        ([{"topic": "third_card", "situation": {}}], "moments.0.situation"),
        ([{}, {}, {}], "moments"),
    ],
)
def test_what_is_wrong_with_a_moment_of_a_file_is_said_by_its_place(later: object, field: str) -> None:
    row = json.loads(b"".join(import_export.json_lines([make_draft()])))[0] | {"moments": later}
    with pytest.raises(UnfitList) as error:
        import_export.read(msgspec.json.encode([row]))
    assert [one.field for one in error.value.errors] == [field]


def test_the_title_and_rulebook_of_a_moment_in_a_file_are_refused_by_place() -> None:
    rows = json.loads(b"".join(import_export.json_lines([make_story()])))
    titled = rows[0]["moments"][0] | {"words": {"pt": {"title": "Outro"}}}
    elsewhere = rows[0]["moments"][0] | {"rulebook": "es-chemin-de-fer"}
    for moment_row, place in ((titled, "moments.0.words.pt.title"), (elsewhere, "moments.0.rulebook")):
        with pytest.raises(UnfitList) as error:
            import_export.read(msgspec.json.encode([rows[0] | {"moments": [moment_row]}]))
        assert [one.field for one in error.value.errors] == [place]


def test_a_later_moment_that_cannot_be_names_the_fact() -> None:
    rows = json.loads(b"".join(import_export.json_lines([make_story()])))
    moment = rows[0]["moments"][0]
    moment["situation"]["bank"] = -5
    with pytest.raises(UnfitList) as error, translation.override("pt"):
        import_export.read(msgspec.json.encode(rows))
    [wrong] = error.value.errors
    assert wrong.name == "Momento 2, Factos"
    assert wrong.reason.startswith("Banca: ")


# ---- programs


def test_programs_write_and_read_stories() -> None:
    client, author = Client(), instructor()
    client.force_login(author)
    rows = json.loads(b"".join(import_export.json_lines([make_story()])))
    body = {name: rows[0][name] for name in ("rulebook", "topic", "situation", "difficulty", "words", "moments")}
    response = client.post("/api/v1/scenarios/", body, content_type="application/json")
    made = response.json()
    assert (response.status_code, made["moments"], len(made["later"])) == (201, 2, 1)
    assert made["later"][0]["scenario"]["situation"] == rows[0]["moments"][0]["situation"]
    bad = body | {"moments": [{"topic": "third_card"}]}
    refused = client.post("/api/v1/scenarios/", bad, content_type="application/json")
    assert (refused.status_code, list(refused.json()["error"]["fields"])) == (422, ["moments.0.situation"])
    stranger = Client()
    stranger.force_login(PersonFactory())
    assert stranger.get(f"/api/v1/scenarios/{made['id']}/").status_code == 403


def test_programs_change_the_moments_of_a_draft() -> None:
    client, draft = Client(), make_story_draft(moments=3)
    client.force_login(draft.author)
    address = f"/api/v1/scenarios/{draft.pk}/"

    def patch(**body: object) -> tuple[int, dict[str, Any]]:
        answer = client.patch(address, body, content_type="application/json")
        return answer.status_code, answer.json()

    told = client.get(address).json()
    rows = [one["scenario"] | {"words": one["words"]} for one in told["later"]]
    other = dict(msgspec.to_builtins(make_scenario("9"))) | {"words": {"pt": {"story": "Outra coisa"}}}
    status, changed = patch(moments=[rows[1], other], changed_at=told["changed_at"])
    assert status == 200, changed
    draft.refresh_from_db()
    found = moments(draft)
    assert [one.scenario.situation for one in found[1:]] == [moment_of(rows[1]), make_scenario("9").situation]
    assert found[0].scenario == make_scenario("1") and draft.words == told["words"], "what is left out stays"
    assert "outra coisa" in draft.search_text
    assert patch(moments=[], changed_at=told["changed_at"])[0] == 409, "changed since it was read"
    status, refused = patch(moments=[rows[0] | {"situation": {}}])
    assert (status, list(refused["error"]["fields"])) == (422, ["moments.0.situation"])
    assert patch(moments=[rows[0]] * 3)[0] == 422
    assert patch(rulebook="es-chemin-de-fer")[0] == 200, "not a field of it: left as it is"
    status, changed = patch(situation=other["situation"], words={"pt": {"title": "Novo"}}, moments=[])
    assert (status, changed["title"], changed["moments"], changed["rulebook"]) == (200, "Novo", 1, draft.rulebook)
    client.force_login(instructor())
    assert patch(moments=[])[0] == 409
    client.force_login(draft.author)
    services.submit_for_review(draft, draft.author)
    assert patch(words={})[0] == 409


def moment_of(row: dict[str, Any]) -> Any:
    return rules_engine.scenario_from({name: value for name, value in row.items() if name != "words"}).situation


def test_a_remark_accepted_on_a_moment_is_not_made_again_when_a_program_changes_words() -> None:
    draft = make_story_draft()
    former = [one | {"accepted": ["gone"]} for one in draft.moments]
    later = [dict(one) for one in draft.moments]
    assert still_accepted(later, former)[0]["accepted"] == [], "one that does not hold any more is gone"
    assert [one["scenario"] for one in still_accepted(later, [])] == [one["scenario"] for one in later]


def test_a_remark_stays_accepted_on_the_facts_it_was_made_on_and_on_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    for place in (moments_module, drafts):  # every remark holds on all facts
        monkeypatch.setattr(place, "still_odd", lambda _scenario, accepted: list(accepted))
    client, draft = Client(), make_story_draft(moments=3)
    for number, one in enumerate(draft.moments, 2):
        one["accepted"] = [f"on {number}"]
    draft.accepted = ["on 1"]
    draft.save()
    client.force_login(draft.author)
    third = draft.moments[1]["scenario"]

    def accepted_after(**body: object) -> list[list[str]]:
        answer = client.patch(f"/api/v1/scenarios/{draft.pk}/", body, content_type="application/json")
        assert answer.status_code == 200, answer.json()
        draft.refresh_from_db()
        return [one.accepted for one in moments(draft)]

    assert accepted_after(words={"pt": {"title": "Novo"}}) == [["on 1"], ["on 2"], ["on 3"]]
    assert accepted_after(moments=[third]) == [["on 1"], ["on 3"]], "the second is gone, and what was accepted on it"
    other = as_stored(make_scenario("9"))
    assert accepted_after(moments=[other]) == [["on 1"], []]
    assert accepted_after(situation=draft.scenario_document["situation"]) == [["on 1"], []]
    assert accepted_after(situation=third["situation"]) == [[], []]


@pytest.mark.parametrize("strange", [{"rulebook": "xx-no-such"}, {"format": 99}])
def test_a_draft_that_the_engine_cannot_read_is_refused_in_words(strange: dict[str, Any]) -> None:
    client, draft = Client(), make_draft()
    draft.scenario_document |= strange
    draft.rulebook = draft.scenario_document["rulebook"]
    draft.save()
    client.force_login(draft.author)
    body = {"words": {"pt": {"title": "Novo"}}}
    answer = client.patch(f"/api/v1/scenarios/{draft.pk}/", body, content_type="application/json")
    told = answer.json()["error"]
    assert (answer.status_code, told["code"]) == (409, "refused")
    assert len(told["message"]) > 40
    assert import_export.known(import_export.read(b"".join(import_export.json_lines([make_draft(seed="2")])))) == [1]
