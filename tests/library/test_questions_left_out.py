"""The author chooses which questions of a scenario are asked: stored with it, wherever it goes."""

import json
import re
from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

import rules_engine
from rules_engine import EngineError, Scenario, leaving_out, practice_only
from tests.factories import PersonFactory
from tests.library.test_editor_pages import edited, fields, page, scenario_of_start
from tests.library.versions import (
    instructor,
    make_draft,
    make_in_review,
    make_scenario,
    make_story_draft,
)
from tests.practice.drills import right_answer
from training.library import drafts, import_export, services
from training.people.models import Role
from training.platform.engine_json import as_stored
from training.platform.errors import Refused, UnfitList
from training.practice.answer_form import TYPED
from training.practice.services import put_drill

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]
# The questions of the scenario that `make_scenario` makes. The first two are critical, and all always arise.
DRAW, WINNER, WORDS = "banker_draw", "winner", "announcement"
SAID = "questions left out keep this scenario from exams"


@pytest.fixture
def author(signed_in: Callable[..., Client]) -> Client:
    client = signed_in(Role.INSTRUCTOR)
    client.post("/language/", {"language": "en", "next": "/"})
    return client


def keys(scenario: Scenario) -> list[str]:
    return [question.key for question in scenario.questions]


def without(*left_out: str) -> Scenario:
    return leaving_out(make_scenario(), left_out)


# ---- the engine


def test_what_is_left_out_is_stored_and_neither_asked_nor_marked() -> None:
    chosen = without(WORDS)
    stored = rules_engine.decode(rules_engine.encode(chosen))
    assert (stored, keys(stored), stored.left_out) == (chosen, [DRAW, WINNER], (WORDS,))
    assert [part.key for part in rules_engine.grade(stored, rules_engine.Answer({})).parts] == [DRAW, WINNER]
    assert leaving_out(stored, ()) == make_scenario()


def test_one_question_stays() -> None:
    with pytest.raises(EngineError, match="at least one question"):
        without(DRAW, WINNER, WORDS)


def test_questions_made_again_are_those_chosen() -> None:
    """If the house reads a clause differently, or a file has no questions."""
    read = rules_engine.under(without(WORDS), {})
    assert keys(read) == [DRAW, WINNER]
    book = rules_engine.rulebook("pt-chemin-de-fer")
    question = next(iter(book.open_questions))
    other = rules_engine.Adopted(book.game.others(question)[0])
    assert rules_engine.under(without(WORDS), {question: other}).left_out == (WORDS,)
    kept = {key: value for key, value in as_stored(without(WORDS)).items() if key not in ("questions", "version")}
    assert rules_engine.scenario_from(kept) == without(WORDS)
    with pytest.raises(EngineError, match="no such question"):
        rules_engine.scenario_from(kept | {"left_out": [WORDS, "poker"]})


def test_exams_ask_what_is_critical_and_give_no_hint() -> None:
    assert rules_engine.exam_fit(without(WORDS)) and not practice_only(without(WORDS))
    assert practice_only(without(DRAW)) and not rules_engine.exam_fit(without(DRAW))
    seats = rules_engine.generate("pt-black-jack", "seats", 6, 2)
    [hint] = [one.key for one in seats.questions if one.may_not_arise]
    assert rules_engine.exam_fit(seats)
    assert practice_only(leaving_out(seats, [hint])) and not rules_engine.exam_fit(leaving_out(seats, [hint]))
    fewer = {"questions": as_stored(without(WORDS))["questions"]}
    doctored = rules_engine.scenario_from(as_stored(make_scenario()) | fewer)
    assert not rules_engine.exam_fit(doctored), "questions are missing that nobody left out"


# ---- the library


def test_a_draft_its_new_versions_and_its_drills_keep_the_choice() -> None:
    draft = drafts.create_draft(instructor(), without(WORDS), source="authored", words={"pt": {"title": "Caso"}})
    sent = services.submit_for_review(draft, draft.author)
    published = services.publish(sent, instructor())
    assert keys(published.scenario) == [DRAW, WINNER]
    assert keys(drafts.new_version(published.item, published.author).scenario) == [DRAW, WINNER]
    drill = put_drill(PersonFactory(), published.scenario, mode="free", version=published)  # type: ignore[arg-type]
    assert keys(drill.scenario) == [DRAW, WINNER]


def test_only_a_choice_fit_for_exams_enters_the_bank() -> None:
    fit, unfit = (
        services.submit_for_review(draft, draft.author)
        for draft in (
            drafts.create_draft(instructor(), without(key), source="authored", words={"pt": {"title": "Caso"}})
            for key in (WORDS, DRAW)
        )
    )
    with pytest.raises(Refused, match=SAID):
        services.publish(unfit, instructor(), reserved=True)
    assert services.publish(fit, instructor(), reserved=True).reserved


def test_every_export_carries_the_choice(author: Client) -> None:
    story = make_story_draft()
    later = [without(DRAW, WORDS)]
    drafts.save_moment(story, story.author, 2, scenario=later[0], words={})
    drafts.save_draft(story, story.author, scenario=without(WORDS))
    for name in ("export_scenarios_json", "export_scenarios_csv", "export_scenarios_xlsx"):
        answer = author.get(reverse(name))
        file = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
        taker = instructor()
        import_export.dry_run(taker, file)
        [taken] = import_export.confirm(taker)
        assert keys(taken.scenario) == [DRAW, WINNER], name
        assert taken.moments[0]["scenario"]["left_out"] == [DRAW, WORDS], name
        taken.acts.all().delete()
        taken.origins.all().delete()
        taken.delete()


@pytest.mark.parametrize(
    ("left_out", "reason"),
    [(["poker"], "There is no such question."), ([DRAW, WINNER, WORDS], "At least one question must be asked.")],
)
def test_an_import_says_what_is_wrong_with_the_choice(left_out: list[str], reason: str) -> None:
    row = as_stored(make_scenario()) | {"left_out": left_out}
    with pytest.raises(UnfitList) as unfit:
        import_export.read(json.dumps([row]).encode())
    assert [error.reason for error in unfit.value.errors] == [reason]


# ---- the pages


def test_the_author_chooses_in_the_editor(author: Client) -> None:
    draft = make_draft(author.person)  # type: ignore[attr-defined]
    address = f"/scenarios/{draft.pk}/edit/"
    assert page(author.get(address)).count('name="leave"') == 3
    saved = author.post(address, edited(draft) | {"leave": [WORDS], "pt-title": "Um caso"})
    assert saved.status_code == 302
    draft.refresh_from_db()
    assert keys(draft.scenario) == [DRAW, WINNER]
    shown = page(author.get(address))
    assert re.findall(r'name="leave"[^>]* value="(\w+)"[^>]* checked', shown) == [WORDS]
    assert "For practice only" not in shown
    on_page = page(author.get(f"/scenarios/{draft.pk}/"))
    assert "Not asked:" in on_page and "For practice only" not in on_page
    critical = page(author.post(address, edited(draft) | {"leave": [DRAW], "do": "check"}))
    assert "For practice only: exams always ask what is critical" in critical


def test_leaving_out_everything_is_refused_and_nothing_is_lost(author: Client) -> None:
    draft = make_draft(author.person)  # type: ignore[attr-defined]
    posted = edited(draft) | {"leave": [DRAW, WINNER, WORDS], "pt-title": "Um caso", "pt-story": "Era noite."}
    refused = author.post(f"/scenarios/{draft.pk}/edit/", posted)
    assert refused.status_code == 422
    shown = page(refused)
    assert "Ask at least one question" in shown and "Era noite." in shown
    assert set(re.findall(r'name="leave"[^>]* value="(\w+)"[^>]* checked', shown)) == {DRAW, WINNER, WORDS}
    draft.refresh_from_db()
    assert len(draft.scenario.questions) == 3


def test_the_choice_outlives_facts_that_do_not_fit(author: Client) -> None:
    draft = make_draft(author.person)  # type: ignore[attr-defined]
    address = f"/scenarios/{draft.pk}/edit/"
    broken = edited(draft, banker_cards="4c 4c 4c 4c") | {"leave": [WORDS], "pt-title": "Um caso"}
    assert author.post(address, broken).status_code == 302
    draft.refresh_from_db()
    assert draft.unfinished
    assert f'name="leave" value="{WORDS}"' in page(author.get(address))
    assert author.post(address, edited(draft) | {"leave": [WORDS], "pt-title": "Um caso"}).status_code == 302
    draft.refresh_from_db()
    assert keys(draft.scenario) == [DRAW, WINNER]


def test_a_trial_asks_what_the_trainee_will_be_asked(author: Client) -> None:
    [first, *others] = keys(scenario_of_start())
    tried = page(author.post("/figures/try/", fields() | {"leave": others}))
    assert f'name="{TYPED}{first}"' in tried and not any(f'name="{TYPED}{key}"' in tried for key in others)
    token = unescape((re.search('name="trial" value="([^"]*)"', tried) or [""])[1])
    right = {f"{TYPED}{first}": right_answer(scenario_of_start())[first]}
    assert "All of it is right." in page(author.post("/figures/try/", {"trial": token, **right}))


def test_the_reviewer_sees_that_the_choice_changed(author: Client) -> None:
    sent = make_in_review(author.person)  # type: ignore[attr-defined]
    published = services.publish(sent, instructor())
    draft = drafts.new_version(published.item, published.author)
    drafts.save_draft(draft, published.author, scenario=leaving_out(draft.scenario, [WORDS]))
    shown = page(author.get(f"/scenarios/{draft.pk}/"))
    assert "Questions left out" in shown


def test_who_saves_second_sees_the_others_choice(author: Client) -> None:
    draft = make_draft(author.person)  # type: ignore[attr-defined]
    mine = edited(draft) | {"pt-title": "O meu"}
    drafts.save_draft(draft, draft.author, scenario=without(WORDS))
    refused = author.post(f"/scenarios/{draft.pk}/edit/", mine)
    assert refused.status_code == 409
    assert "Questions left out" in page(refused)
