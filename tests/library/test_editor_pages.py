"""The editor's pages without a script: choose what happened, change it, check it, keep it; refused, nothing is lost."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client
from msgspec import structs
from pytest_django import DjangoAssertNumQueries

import rules_engine
from rules_engine.games.chemin_de_fer.table import Situation, is_natural
from rules_engine.situation import kind_of
from tests.library.versions import instructor, make_draft, make_in_review, make_published
from tests.practice.drills import right_answer
from training.library import authors, drafts, editor_starts, services
from training.library.editor_controls import signed
from training.library.editor_forms import typed
from training.library.models import Version
from training.library.ruled import not_accepted
from training.people.models import Role, User
from training.practice.models import Drill

pytestmark = pytest.mark.django_db
BOOK, KIND = "pt-chemin-de-fer", "banker_takes_two"
NEW = "/scenarios/new/"
ABOUT = {"rulebook": BOOK, "kind": KIND, "topic": "draw_faults", "difficulty": "2"}


@pytest.fixture
def author(signed_in: Callable[..., Client]) -> Client:
    client = signed_in(Role.INSTRUCTOR)
    client.post("/language/", {"language": "en", "next": "/"})
    return client


def facts(version: Version) -> Situation:
    """The facts of a version at a table of the game that is edited here."""
    found = version.scenario.situation
    assert isinstance(found, Situation)
    return found


def person(client: Client) -> User:
    found: User = client.person  # type: ignore[attr-defined]
    return found


def fields(kind: str = KIND, **changes: str) -> dict[str, str]:
    book = rules_engine.rulebook(BOOK)
    return ABOUT | {"kind": kind} | typed(editor_starts.example(book, kind), book) | changes


def page(response: Any) -> str:
    text: str = response.content.decode()
    return text


def test_choose_the_rulebook_then_what_happened(author: Client) -> None:
    assert "Sanremo" in page(author.get(NEW))
    listed = page(author.get(NEW, {"rulebook": BOOK}))
    assert "Banker takes two cards at once" in listed
    assert f"kind={KIND}&amp;topic=draw_faults" in listed


def test_the_start_is_an_ordinary_table_with_its_ruling(author: Client) -> None:
    shown = page(author.get(NEW, {"rulebook": BOOK, "kind": KIND}))
    assert "art. 104 e)" in shown
    assert 'name="seats-8" data-seat="8" checked' in shown
    assert '<option value="draw_faults" selected>' in shown


def test_another_seed_is_another_table(author: Client) -> None:
    one, other = (
        re.search('name="banker_cards" value="([^"]*)"', page(author.get(NEW, ABOUT | {"seed": seed})))
        for seed in ("one", "other")
    )
    assert one and other and one[1] != other[1]


@pytest.mark.parametrize(
    "query",
    [{"rulebook": "nowhere"}, {"rulebook": BOOK, "kind": "nothing"}, {"kind": KIND}, {"from": "0"}, {"from": "x"}],
)
def test_what_there_is_not_is_not_found(author: Client, query: dict[str, str]) -> None:
    assert author.get(NEW, query).status_code == 404


@pytest.mark.parametrize("role", [Role.TRAINEE, Role.HR])
def test_only_instructors_edit(signed_in: Callable[..., Client], role: Role) -> None:
    client = signed_in(role)
    draft = make_draft()
    for path in (NEW, f"/scenarios/{draft.pk}/edit/"):
        assert client.get(path).status_code == 403
        assert client.post(path, fields() | {"do": "save"}).status_code == 403
    assert Version.objects.count() == 1


def test_kept_as_a_draft_with_the_engines_own_questions(author: Client) -> None:
    response = author.post(NEW, fields(loose="9c Js", ponto="4s 2s", banker_cards="Ad Kh") | {"do": "save"})
    draft = Version.objects.get()
    assert response.headers["Location"] == f"/scenarios/{draft.pk}/"
    assert (draft.author, draft.source, draft.topic, draft.state) == (
        person(author),
        Version.Source.INCIDENT,
        "draw_faults",
        Version.State.DRAFT,
    )
    assert kind_of(draft.scenario.situation.incident) == KIND
    assert facts(draft).loose == ("9c", "Js")
    assert [question.key for question in draft.scenario.questions]
    assert "104 e" in draft.scenario.solve().pivots


def test_refused_with_the_reason_and_nothing_typed_is_lost(author: Client) -> None:
    written = fields(loose="9c", bank="1 400", **{"calls-9-by": "ponto", "calls-9-says": ""})
    response = author.post(NEW, written | {"do": "send"})
    assert response.status_code == 422
    assert not Version.objects.exists()
    shown = page(response)
    assert 'value="1 400"' in shown
    assert 'name="calls-9-says" aria-invalid="true"' in shown
    assert "Please fill this in." in shown
    put_right = page(author.post(NEW, fields(loose="9c") | {"do": "send"}))
    assert 'name="loose" value="9♣"' in put_right
    assert 'aria-describedby="e-loose"' in put_right
    assert "The banker must have drawn exactly two cards." in put_right
    assert "svg" in put_right  # the table itself can be, so it is drawn


def test_a_draft_is_saved_in_any_state_and_opened_as_it_was(author: Client) -> None:
    """A draft can have impossible facts and no title; it cannot be sent for review until both are put right."""
    written = fields(loose="9c", bank="nothing") | {"pt-story": "Por acabar"}
    assert author.post(NEW, written | {"do": "save"}).status_code == 302
    draft = Version.objects.get()
    assert (draft.state, draft.words) == ("draft", {"pt": {"story": "Por acabar"}})
    assert "Not finished" in page(author.get(f"/scenarios/{draft.pk}/"))
    assert "not finished" in page(author.get("/scenarios/"))
    opened = page(author.get(f"/scenarios/{draft.pk}/edit/"))
    assert 'value="nothing"' in opened and 'name="loose" value="9♣"' in opened and "Por acabar" in opened
    with pytest.raises(services.Refused, match="do not fit together yet"):
        services.submit_for_review(draft, draft.author)
    about = {"seen": draft.changed_at.isoformat(), "pt-title": "Acabado", "do": "send"}
    assert author.post(f"/scenarios/{draft.pk}/edit/", written | about).status_code == 422
    assert author.post(f"/scenarios/{draft.pk}/edit/", fields() | about).status_code == 302
    draft.refresh_from_db()
    assert (draft.state, draft.unfinished) == ("in_review", {})


def test_a_later_moment_is_kept_unfinished_too(author: Client) -> None:
    draft = make_draft(person(author))
    about = {"topic": "draw_faults", "difficulty": "2", "seen": draft.changed_at.isoformat(), "do": "save"}
    next_one = f"/scenarios/{draft.pk}/next/"
    assert author.post(next_one + f"?kind={KIND}", fields(loose="9c") | about).status_code == 302
    assert 'value="9♣"' in page(author.get(next_one))
    draft.refresh_from_db()
    assert author.post(next_one, fields() | about | {"seen": draft.changed_at.isoformat()}).status_code == 302
    draft.refresh_from_db()
    assert (len(draft.moments), draft.unfinished) == (1, {})


def test_saving_goes_on_in_the_same_form(author: Client) -> None:
    """What Ctrl+S does: the form stays, as that of the draft that was saved."""
    saved = author.post(NEW, fields() | {"do": "save"}, headers={"HX-Request": "true", "HX-Target": "editor"})
    draft = Version.objects.get()
    assert saved.headers["HX-Replace-Url"] == f"/scenarios/{draft.pk}/edit/"
    assert f'action="/scenarios/{draft.pk}/edit/"' in page(saved)
    assert f'name="seen" value="{draft.changed_at.isoformat()}"' in page(saved)


@pytest.mark.parametrize("start", ["1", "2", "3", "empty"])
def test_a_new_scenario_starts_from_an_ordinary_or_an_empty_table(author: Client, start: str) -> None:
    shown = page(author.post(NEW, fields() | {"do": f"start:{start}", "pt-title": "Fica"}))
    seats = shown.count(" checked") - shown.count("visually-hidden")
    assert 'value="Fica"' in shown
    assert (re.search(r'name="banker_cards" value="([^"]*)"', shown) or [""])[1] == "" if start == "empty" else seats


def test_only_seats_that_the_table_has_can_be_taken(author: Client) -> None:
    assert 'name="seats-9"' in page(author.get(NEW, ABOUT))
    there = page(author.get(NEW, {"rulebook": "pt-black-jack", "kind": "split_followed"}))
    assert 'name="seats-7"' in there and 'name="seats-8"' not in there


def test_who_changed_a_draft_is_told_with_what_differs_and_both_are_kept(
    author: Client, signed_in: Callable[..., Client]
) -> None:
    draft = make_draft(person(author), words={"pt": {"title": "Primeiro"}})
    other = signed_in(Role.INSTRUCTOR)
    authors.add(draft, draft.author, person(other))
    address = f"/scenarios/{draft.pk}/edit/"
    opened = page(author.get(address))
    assert person(author).name in page(other.get(address)), "the other one is told who has it open"
    base = re.search('name="base" value="([^"]*)"', opened)
    assert base
    mine = edited(draft, bank="2600") | {"pt-title": "O meu", "base": unescape(base[1])}
    draft.refresh_from_db()
    assert other.post(address, edited(draft, bank="2000") | {"pt-title": "O dela"}).status_code == 302
    told = author.get(f"/scenarios/{draft.pk}/editors/", {"seen": mine["seen"]}, headers={"HX-Request": "true"})
    assert f"{person(other).name} changed this draft at" in page(told)
    refused = author.post(address, mine)
    assert refused.status_code == 409
    shown = page(refused)
    assert f"{person(other).name} changed this draft at" in shown
    row = next(row for row in shown.partition("What differs")[2].split("<tr>") if "Primeiro" in row)
    assert "<strong>O dela</strong>" in row and "<strong>O meu</strong>" in row
    assert "<strong>2000</strong>" in shown and "<strong>2600</strong>" in shown
    assert author.post(address, mine | {"do": "fork"}).status_code == 302
    theirs, kept = Version.objects.order_by("number")
    assert (facts(theirs).bank, theirs.words["pt"]["title"]) == (2000, "O dela")
    assert (facts(kept).bank, kept.words["pt"]["title"], kept.number) == (2600, "O meu", 2)
    assert (kept.author, authors.co_authors(kept)) == (person(author), [person(other)])
    for one in (theirs, kept):  # the bank is not what was called
        Version.objects.filter(pk=one.pk).update(accepted=[odd.key for odd in not_accepted(one.scenario, [])])
    reviewer = instructor()
    services.publish(services.submit_for_review(kept, kept.author), reviewer)
    services.submit_for_review(theirs, theirs.author)
    with pytest.raises(services.Refused, match="later version"):
        services.publish(theirs, reviewer)


def test_it_is_tried_as_a_trainee_before_it_is_saved(author: Client) -> None:
    asked = page(author.post("/figures/try/", fields(**{"pt-story": "Uma história"})))
    assert "Uma história" in asked and 'name="trial"' in asked and "art. 104 e)" not in asked
    token = unescape((re.search('name="trial" value="([^"]*)"', asked) or [""])[1])
    answered = page(author.post("/figures/try/", {"trial": token, **right_answer(scenario_of_start())}))
    assert "104 e" in answered
    assert not Version.objects.exists() and not Drill.objects.exists()
    assert author.post("/figures/try/", fields(loose="9c")).status_code == 422
    assert author.post("/figures/try/", {"trial": "made up"}).status_code == 422


def scenario_of_start() -> rules_engine.Scenario:
    book = rules_engine.rulebook(BOOK)
    return rules_engine.scenario_of(editor_starts.example(book, KIND), book, topic="draw_faults", difficulty=2)


def test_refusals_are_read_in_the_authors_language(author: Client) -> None:
    author.post("/language/", {"language": "pt", "next": "/"})
    shown = page(author.post(NEW, fields(loose="9c") | {"do": "check"}))
    assert "O banqueiro tem de ter tirado exatamente duas cartas." in shown
    silent = page(author.post(NEW, fields("ponto_has_extra_cards", **{"incident-extra": "1"}) | {"do": "check"}))
    assert "O art. 104 g) decide sobre três cartas em que ninguém sabe qual está a mais." in silent
    assert not re.search(r'<(span|li)[^>]* lang="en"', shown + silent)


def test_check_shows_the_ruling_and_keeps_nothing(author: Client) -> None:
    response = author.post(NEW, fields(loose="9c Js") | {"do": "check"})
    assert response.status_code == 200
    assert "art. 104 e)" in page(response)
    assert not Version.objects.exists()


def test_a_row_is_added_without_a_script(author: Client) -> None:
    def rows(response: Any) -> int:
        return len(re.findall('<select id="f-calls-[0-9]+-says"', page(response)))

    before = rows(author.post(NEW, fields()))
    response = author.post(NEW, fields() | {"do": "add:calls"})
    assert rows(response) == before + 1
    shown = page(response)
    assert "autofocus" in shown


def test_only_what_was_asked_for_comes_back(author: Client) -> None:
    def part(target: str) -> str:
        return page(author.post(NEW, fields(), headers={"HX-Request": "true", "HX-Target": target}))

    ruled, whole = part("ruled"), part("editor")
    assert '<section id="ruled"' in ruled and "<form" not in ruled and "<html" not in ruled
    assert '<div id="drawn" hx-swap-oob="true">' in ruled
    assert '<form id="editor"' in whole and "<html" not in whole


def test_a_draft_is_opened_changed_and_kept(author: Client) -> None:
    draft = make_draft(person(author))
    opened = author.get(f"/scenarios/{draft.pk}/edit/")
    seen = re.search('name="seen" value="([^"]+)"', page(opened))
    assert seen
    stored = draft.scenario
    changed = typed(stored.situation, stored.book) | {"bank": "2000", "difficulty": "4", "topic": stored.topic}
    response = author.post(f"/scenarios/{draft.pk}/edit/", changed | {"do": "save", "seen": seen[1]})
    assert response.status_code == 302, page(response)
    draft.refresh_from_db()
    assert (facts(draft).bank, draft.difficulty) == (2000, 4)
    again = author.post(f"/scenarios/{draft.pk}/edit/", changed | {"do": "save", "seen": seen[1], "bank": "2400"})
    assert again.status_code == 409
    assert 'value="2400"' in page(again)
    assert author.post(f"/scenarios/{draft.pk}/edit/", changed | {"do": "save"}).status_code == 409


def edited(draft: Version, **changes: str) -> dict[str, str]:
    stored = draft.scenario
    about = {"topic": stored.topic, "difficulty": "2", "seen": draft.changed_at.isoformat(), "do": "save"}
    return typed(stored.situation, stored.book) | about | changes


def test_facts_and_words_are_kept_by_one_button(author: Client) -> None:
    draft = make_draft(person(author), words={"es": {"title": "Mesa llena"}})
    written = {"pt-title": "Título", "pt-note": "*nota*", "es-title": "Mesa llena", "bank": "2000"}
    assert author.post(f"/scenarios/{draft.pk}/edit/", edited(draft, **written)).status_code == 302
    stale = edited(draft, **written | {"pt-title": "Outro"})
    draft.refresh_from_db()
    assert draft.words == {"pt": {"title": "Título", "note": "*nota*"}, "es": {"title": "Mesa llena"}}
    assert facts(draft).bank == 2000
    # The same form again is from before the change.
    again = author.post(f"/scenarios/{draft.pk}/edit/", stale)
    assert again.status_code == 409
    assert 'value="Outro"' in page(again)
    draft.refresh_from_db()
    assert draft.words["pt"]["title"] == "Título"


def test_sent_to_review_with_what_was_just_typed_and_never_without_a_title(author: Client) -> None:
    written = fields() | {"do": "send", "pt-story": "A mesa cheia"}
    refused = author.post(NEW, written)
    assert refused.status_code == 409
    assert "Give it a title before you send it" in page(refused)
    assert "A mesa cheia" in page(refused)
    assert not Version.objects.exists()
    assert author.post(NEW, written | {"pt-title": "Duas de uma vez"}).status_code == 302
    sent = Version.objects.get()
    assert sent.state == Version.State.IN_REVIEW
    assert sent.words == {"pt": {"title": "Duas de uma vez", "story": "A mesa cheia"}}


def test_what_is_odd_is_accepted_before_it_is_sent_and_shown_to_the_reviewer(
    author: Client, signed_in: Callable[..., Client]
) -> None:
    written = fields(bank="900") | {"do": "send", "pt-title": "Banca de novecentos"}
    refused = author.post(NEW, written)
    assert refused.status_code == 409
    assert "accept each remark" in page(refused)
    assert "The bank is €900, but" in page(refused)
    key = re.findall(r'name="accept"\s+value="([^"]+)"\s+form="editor"\s*>', page(refused))
    # Accepted for another amount is not accepted for this one.
    assert author.post(NEW, written | {"accept": [one.replace("900", "901") for one in key]}).status_code == 409
    assert author.post(NEW, written | {"accept": key}).status_code == 302
    sent = Version.objects.get()
    assert (sent.state, sent.accepted) == (Version.State.IN_REVIEW, key)
    shown = page(signed_in(Role.INSTRUCTOR).get(f"/scenarios/{sent.pk}/"))
    assert "aceite pelo autor" in shown
    assert "A banca é de 900" in shown


def test_the_reviewer_sees_what_changed_since_the_version_before(author: Client) -> None:
    published = make_published(person(author))
    assert "What changed since" not in page(author.get(f"/scenarios/{published.pk}/"))
    draft = drafts.new_version(published.item, person(author))
    assert "The same." in page(author.get(f"/scenarios/{draft.pk}/"))
    changes = {"bank": "2345", "pt-title": "Outro título", "banker_cards": " ".join(_another_hand(draft))}
    accept = {"accept": "bank_said"}
    assert author.post(f"/scenarios/{draft.pk}/edit/", edited(draft, **changes) | accept).status_code == 302
    shown = page(author.get(f"/scenarios/{draft.pk}/"))
    assert "What changed since version 1" in shown
    assert "<strong>2345</strong>" in shown
    assert "<strong>Outro título</strong>" in shown
    assert shown.count("The same.") == 0


def _another_hand(draft: Version) -> tuple[str, ...]:
    """Another first card of the banker, with which he is ruled on differently. A natural would have ended the coup."""
    book, now = draft.scenario.book, facts(draft)
    hands = [hand for rank in "A23456789" if not is_natural(hand := (f"{rank}c", *now.banker_cards[1:]))]
    asked = {question.key for question in draft.scenario.questions}

    def answers(hand: tuple[str, ...]) -> dict[str, Any]:
        ruling = book.rule(structs.replace(now, banker_cards=hand))
        return {key: ruling.get(key) for key in asked}

    return next(hand for hand in hands if answers(hand) != answers(now.banker_cards))


def test_a_draft_is_tried_as_a_trainee_and_nothing_of_it_is_stored(author: Client) -> None:
    draft = make_draft(person(author))
    path = f"/figures/trial/{draft.pk}/"
    asked = page(author.get(path))
    assert [key for key in (question.key for question in draft.scenario.questions) if key not in asked] == []
    assert 'class="steps"' not in asked  # no ruling before there is an answer
    right = {f"q.{key}": value for key, value in right_answer(draft.scenario).items()}
    marked = page(author.post(path, right))
    assert "verdict-line" in marked and "✓" in marked
    assert not Drill.objects.exists()


def test_withdrawing_is_told_as_withdrawing(author: Client) -> None:
    sent = make_in_review(person(author))
    author.post(f"/scenarios/{sent.pk}/act/", {"act": "send_back", "comment": ""})
    assert [act.kind for act in sent.acts.all()][-1] == "withdrawn"
    assert "Taken back by its author" in page(author.get(f"/scenarios/{sent.pk}/"))


def test_words_too_long_come_back_to_be_shortened(author: Client) -> None:
    response = author.post(NEW, fields() | {"do": "save", "pt-title": "x" * 121})
    assert response.status_code == 422
    assert "x" * 121 in page(response)
    assert "look at the words" in page(response)
    assert not Version.objects.exists()


def test_neither_anothers_draft_nor_what_is_published_can_be_changed(author: Client) -> None:
    for version in (make_draft(instructor()), make_published(person(author))):
        before = version.scenario_document
        path = f"/scenarios/{version.pk}/edit/"
        assert author.get(path).status_code == 409
        assert author.post(path, fields() | {"do": "save"}).status_code == 409
        version.refresh_from_db()
        assert version.scenario_document == before


@pytest.mark.parametrize("to", ["in_review", "published", "taken_away"])
def test_what_became_of_a_draft_meanwhile_neither_stops_the_live_check_nor_loses_the_form(
    author: Client, to: str
) -> None:
    """A check may come in after the draft was sent, here or by a co-author: it keeps nothing, so it is answered."""
    draft = make_draft(instructor() if to == "taken_away" else person(author))
    sent = fields() | {"seen": draft.changed_at.isoformat(), "pt-title": "Escrito por último", "do": ""}
    if to == "taken_away":
        authors.add(draft, draft.author, person(author))
        authors.remove(draft, draft.author, person(author))
    else:
        waiting = services.submit_for_review(draft, draft.author)
        if to == "published":
            services.publish(waiting, instructor())
    before = Version.objects.values().get(pk=draft.pk)
    live = {"HX-Request": "true", "HX-Target": "ruled"}
    for address in (f"/scenarios/{draft.pk}/edit/", f"/scenarios/{draft.pk}/next/"):
        answer = author.post(address, sent, headers=live)
        shown = page(answer)
        assert answer.status_code == 200 and 'id="ruled"' in shown and "<h1" not in shown
        for order in ("save", "send", "next"):
            keeping = live | {"HX-Target": "editor"}
            refused = author.post(address, sent | {"do": order}, headers=keeping)
            form = page(refused)
            assert refused.status_code == 409 and 'id="editor"' in form and "<h1" not in form
            assert "Only a draft can be changed" in form or "Only its authors" in form
            assert "Escrito por último" in form or address.endswith("next/"), "a later moment has no title"
            assert f'value="{signed(sent["loose"])}"' in form
    assert Version.objects.values().get(pk=draft.pk) == before


def test_a_new_draft_from_a_version_that_there_is(author: Client) -> None:
    published = make_published(instructor())
    shown = page(author.get(NEW, {"from": published.pk}))
    assert f'value="{signed(" ".join(facts(published).ponto))}"' in shown
    assert "seen" not in re.findall('name="([^"]+)"', shown)


@pytest.mark.parametrize("kind", ["banker_takes_two", "claims_open"])
def test_the_page_takes_the_same_queries_whatever_it_shows(
    author: Client, kind: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    # Four of them ask what exams use: for an example to start from, and for its ruling.
    with django_assert_num_queries(11):
        author.get(NEW, {"rulebook": BOOK, "kind": kind})


def test_a_form_of_nonsense_is_answered_not_obeyed(author: Client) -> None:
    nonsense = {f"calls-{number}-by": "x" for number in range(300)} | {"do": "send", "seats-x": "on"}
    response = author.post(NEW, ABOUT | nonsense)
    assert response.status_code == 422
    assert page(response).count('name="calls-') <= 60 * 3
    assert services.Item.objects.count() == 0  # type: ignore[attr-defined]
