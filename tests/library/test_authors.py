"""Several authors of a case: who names them, what they may do, that none reviews it, and that it is on record."""

import json
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

import rules_engine
from exams.hr import retention
from exams.hr.privacy import everything_about
from tests.factories import PersonFactory
from tests.library.versions import (
    instructor,
    make_draft,
    make_published,
    make_scenario,
    make_story,
    make_story_draft,
)
from training.home.instructors import work_of_instructors
from training.library import authors, drafts, editor, import_export, margin_remarks, selectors, services
from training.library.models import Act, CoAuthor, Origin, Remark, Version
from training.mail.models import Mail
from training.people.models import User
from training.platform.engine_json import as_stored
from training.platform.errors import Refused

State = Version.State
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


def shared() -> tuple[Version, User]:
    """A draft with a co-author."""
    draft, other = make_draft(), instructor(name="Rui Matos", language="pt")
    return authors.add(draft, draft.author, other), other


def test_the_author_adds_a_co_author_who_is_told_and_it_is_on_record() -> None:
    draft, other = shared()
    assert authors.co_authors(draft) == [other]
    act = draft.acts.get(kind=Act.Kind.AUTHOR_ADDED)
    assert (act.actor, act.person) == (draft.author, other)
    mail = Mail.objects.get(person=other)
    assert draft.author.name in mail.subject and "Caso 1" in mail.subject
    assert reverse("version", args=[draft.pk]) in mail.body


def test_who_may_be_added_and_by_whom() -> None:
    draft, other = shared()
    for person, why in (
        (other, "is already an author"),
        (draft.author, "is already an author"),
        (PersonFactory(), "Only instructors"),
        (instructor(is_active=False), "Only instructors"),
    ):
        with pytest.raises(Refused, match=why):
            authors.add(draft, draft.author, person)
    with pytest.raises(Refused, match="Only the author can name"):
        authors.add(draft, other, instructor())
    for _one in range(authors.MOST - 1):
        authors.add(draft, draft.author, instructor())
    with pytest.raises(Refused, match="at most 5"):
        authors.add(draft, draft.author, instructor())
    waiting = services.submit_for_review(draft, other)
    with pytest.raises(Refused, match="only while it is a draft"):
        authors.remove(waiting, draft.author, other)


def test_a_co_author_changes_sends_and_takes_back_and_never_reviews() -> None:
    draft, other = shared()
    drafts.save_draft(draft, other, scenario=make_scenario("2"))
    drafts.save_moment(draft, other, 2, scenario=make_scenario("3"), words={})
    waiting = services.submit_for_review(draft, other)
    assert set(services.allowed_acts(waiting, other, latest=True)) == {"send_back", "retire"}
    with pytest.raises(Refused, match="cannot review"):
        services.publish(waiting, other)
    back = services.send_back(waiting, other, "")
    assert (back.state, back.acts.last().kind) == (State.DRAFT, Act.Kind.WITHDRAWN)
    again = services.submit_for_review(back, back.author)
    assert services.publish(again, instructor()).state == State.PUBLISHED


def test_the_database_itself_knows_that_a_co_author_never_publishes() -> None:
    draft, other = shared()
    with pytest.raises(IntegrityError, match="a co-author never publishes"), transaction.atomic():
        Version.objects.filter(pk=draft.pk).update(published_by=other)
    published = make_published(seed="7")
    with pytest.raises(IntegrityError, match="who wrote a published version"), transaction.atomic():
        CoAuthor.objects.create(version=published, person=other)


def test_who_changed_it_and_is_no_co_author_any_more_does_not_review_it_either() -> None:
    draft, other = shared()
    drafts.save_draft(draft, other, words={"pt": {"title": "Dele"}})
    idle = instructor()
    authors.add(draft, draft.author, idle)
    for person in (other, idle):
        authors.remove(draft, draft.author, person)
    assert draft.acts.filter(kind=Act.Kind.AUTHOR_REMOVED).count() == 2
    with pytest.raises(Refused, match="Only its authors"):
        drafts.save_draft(draft, other, words={})
    waiting = services.submit_for_review(draft, draft.author)
    for refused in (lambda: services.publish(waiting, other), lambda: services.send_back(waiting, other, "não")):
        with pytest.raises(Refused, match="cannot review"):
            refused()
    assert services.allowed_acts(waiting, other, latest=True) == ["retire"]
    assert services.publish(waiting, idle).published_by == idle, "who wrote nothing may"


@pytest.mark.parametrize("by_another", [False, True])
def test_a_dropped_draft_made_anew_is_reviewed_by_none_who_wrote_it(by_another: bool) -> None:
    draft, other = shared()
    drafts.save_draft(draft, other, scenario=make_scenario("2"))
    authors.remove(draft, draft.author, other)
    services.retire(draft, draft.author, "Fica para depois")
    made = drafts.new_version(draft.item, instructor() if by_another else draft.author)
    waiting = services.submit_for_review(made, made.author)
    for person in (other, draft.author):
        with pytest.raises(Refused):
            services.publish(waiting, person)
        assert waiting not in authors.to_review(person)
    reviewer = instructor()
    assert waiting in authors.to_review(reviewer)
    services.publish(waiting, reviewer)
    further = drafts.new_version(draft.item, made.author)
    again = services.submit_for_review(further, made.author)
    assert again in authors.to_review(other), "what was theirs is reviewed by now"
    assert services.publish(again, other).published_by == other


def test_a_remark_of_the_reviewer_is_settled_by_no_author() -> None:
    draft, other = shared()
    waiting, reviewer = services.submit_for_review(draft, other), instructor()
    margin_remarks.remark(waiting, reviewer, "facts", "O lugar 4?")
    with pytest.raises(Refused, match="another reviewer, can settle it"):
        margin_remarks.settle(waiting, other, Remark.objects.get().pk)


def test_the_authors_stay_together_in_the_next_version_that_one_of_them_makes() -> None:
    draft, other = shared()
    published = services.publish(services.submit_for_review(draft, other), instructor())
    by_other = drafts.new_version(published.item, other)
    assert (by_other.author, authors.co_authors(by_other)) == (other, [draft.author])
    services.retire(by_other, other, "não")
    assert authors.co_authors(drafts.new_version(published.item, instructor())) == []


def test_lists_know_them(client: Client) -> None:
    draft, other = shared()
    client.force_login(other)
    page = client.get(f"{reverse('library')}?author={other.pk}").content.decode()
    assert f"{draft.author.name}, Rui Matos" in page
    assert list(selectors.versions(selectors.Filters(author=other.pk))) == [draft]
    waiting = services.submit_for_review(draft, other)

    def reviews(person: User) -> int:
        return next(one.count for one in work_of_instructors(person, timezone.now()) if one.kind == "reviews")

    assert [reviews(person) for person in (draft.author, other, instructor())] == [0, 0, 1]
    services.send_back(waiting, instructor(), "Falta o título")
    found = {one.kind: one.count for one in work_of_instructors(other, timezone.now())}
    assert found["sent_back"] == 1


def test_the_page_adds_and_takes_away(client: Client) -> None:
    author, other = instructor(language="en"), instructor(name="Rui Matos")
    draft = make_draft(author)
    client.force_login(author)
    address, page = reverse("act_on_version", args=[draft.pk]), reverse("version", args=[draft.pk])
    assert f'<option value="{other.pk}">Rui Matos' in client.get(page).content.decode()
    assert client.post(address, {"act": "add_author", "person": other.pk}).status_code == 302
    shown = client.get(page).content.decode()
    assert "Remove Rui Matos" in shown and "Co-author added" in shown
    assert client.post(address, {"act": "add_author", "person": "x"}).status_code == 409
    outsider = PersonFactory(name="Zulmira Fora")
    for act in ("add_author", "remove_author"):
        refused = client.post(address, {"act": act, "person": outsider.pk})
        assert refused.status_code == 409 and "Zulmira" not in refused.content.decode(), "numbers tell no names"
    client.force_login(other)
    assert client.get(reverse("edit_version", args=[draft.pk])).status_code == 200
    assert client.post(address, {"act": "add_author", "person": instructor().pk}).status_code == 409
    client.force_login(author)
    assert client.post(address, {"act": "remove_author", "person": other.pk}).status_code == 302
    assert not CoAuthor.objects.exists()


def test_programs_add_and_take_away() -> None:
    client, author, other = Client(), instructor(), instructor()
    draft = make_draft(author)
    client.force_login(author)
    address = f"/api/v1/scenarios/{draft.pk}/acts/"

    def do(**body: object) -> tuple[int, dict[str, object]]:
        response = client.post(address, body, content_type="application/json")
        return response.status_code, response.json()

    status, told = do(act="add_author", person=other.pk)
    assert (status, told["co_authors"]) == (200, [{"id": other.pk, "name": other.name}])
    assert do(act="add_author", person=other.pk)[0] == 409
    assert do(act="add_author")[0] == 422
    assert do(act="add_author", person=999_999)[0] == 422
    assert do(act="submit")[0] == 200
    client.force_login(other)
    status, _refused = do(act="publish")
    assert status == 409 and Version.objects.get(pk=draft.pk).state == State.IN_REVIEW
    assert do(act="send_back")[0] == 200, "taken back as an author does, without a reason"
    client.force_login(author)
    assert do(act="remove_author", person=other.pk)[1]["co_authors"] == []


def test_a_person_s_own_copy_tells_what_they_write_with_others_and_names_nobody() -> None:
    draft, other = shared()
    told = everything_about(other)["library.CoAuthor"]
    assert [row["version"] for row in told] == [draft.pk]
    own = everything_about(draft.author)["library.Act"]
    assert own and all("person" not in row for row in own)


# ---- facts copied from a colleague's case


def copied_by(author: User, origin: Version, *, changed: bool = True) -> Version:
    """A new case that the page makes from one there is, in review."""
    client = Client()
    client.force_login(author)
    page = client.get(reverse("new_scenario"), {"from": origin.pk}).content.decode()
    assert f'name="from" value="{origin.pk}"' in page
    sketch = editor.sketch_of(make_scenario("31") if changed else origin.scenario)
    about = {"rulebook": origin.rulebook, "kind": sketch.kind, "topic": sketch.topic, "difficulty": sketch.difficulty}
    sent = {**sketch.typed, **about, "pt-title": "Cópia", "do": "send"}
    if changed:
        sent["from"] = str(origin.pk)
    client.post(reverse("new_scenario"), sent)
    made = Version.objects.latest("pk")
    assert (made.author, made.state) == (author, State.IN_REVIEW)
    return made


@pytest.mark.parametrize("changed", [True, False])
def test_whoever_wrote_the_facts_is_no_second_pair_of_eyes_for_a_copy(client: Client, changed: bool) -> None:
    origin = make_published(instructor(name="Ana"))
    ana, copier = origin.author, instructor(language="en")
    made = copied_by(copier, origin, changed=changed)
    for refused in (lambda: services.publish(made, ana), lambda: services.send_back(made, ana, "não")):
        with pytest.raises(Refused, match="copied from a scenario of yours"):
            refused()
    assert made not in authors.to_review(ana) and made in authors.to_review(instructor())
    assert services.allowed_acts(made, ana, latest=True) == ["retire"]
    ana.language = "en"
    ana.save()
    client.force_login(ana)
    assert "copied from a scenario of yours" in client.get(reverse("version", args=[made.pk])).content.decode()
    body = {"act": "publish"}
    answer = client.post(f"/api/v1/scenarios/{made.pk}/acts/", body, content_type="application/json")
    assert answer.status_code == 409 and "copied from a scenario of yours" in answer.json()["error"]["message"]
    assert services.publish(made, instructor()).state == State.PUBLISHED


def test_a_copy_of_a_copy_is_still_theirs_and_so_is_what_programs_and_files_repeat() -> None:
    draft, other = shared()
    ana = draft.author
    published = services.publish(services.submit_for_review(draft, ana), instructor())
    first = copied_by(instructor(), published)
    second = copied_by(instructor(), first, changed=False)
    assert {row.person for row in second.origins.all()} == {ana, other, first.author}
    services.send_back(second, second.author, "")
    dropped = services.retire(second, second.author, "Fica para depois")
    again = drafts.new_version(dropped.item, instructor())
    assert {row.person for row in again.origins.all()} == {ana, other, first.author}
    [sent] = import_export.read(b"".join(import_export.json_lines([published])))
    by_program = import_export.make_draft(instructor(), sent)
    assert {row.person for row in by_program.origins.all()} == {ana, other}
    importer = instructor()
    import_export.dry_run(importer, b"".join(import_export.json_lines([published])))
    [imported] = import_export.confirm(importer)
    assert {ana, other} <= {row.person for row in imported.origins.all()}
    assert not make_draft(seed="55").origins.exists()


def origins(version: Version) -> set[User]:
    return {row.person for row in version.origins.all()}


def imported_by(importer: User, rows: list[dict[str, Any]]) -> list[Version]:
    import_export.dry_run(importer, json.dumps(rows).encode())
    return import_export.confirm(importer)


def exported(*versions: Version) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(b"".join(import_export.json_lines(versions)))
    return rows


@pytest.mark.parametrize("how", ["topic", "moment", "later", "retired"])
def test_a_file_that_was_changed_a_little_still_tells_whose_facts_it_repeats(how: str) -> None:
    """Not the same case by the library's own list, and yet the same facts."""
    origin = make_published()
    [row] = exported(origin)
    if how == "topic":
        row["topic"] = next(one for one in rules_engine.topics(origin.rulebook) if one != origin.topic)
    elif how == "moment":
        row["moments"] = exported(make_draft(instructor(), "77"))
        del row["moments"][0]["words"]
    elif how == "later":
        own = as_stored(make_scenario("77"))
        row = own | {"words": row.pop("words"), "moments": [row]}
    else:
        services.retire(origin, origin.author, "Fica para depois")
    [made] = imported_by(instructor(), [row])
    assert origin.author in origins(made)
    waiting = services.submit_for_review(made, made.author)
    with pytest.raises(Refused, match="copied from a scenario of yours"):
        services.publish(waiting, origin.author)
    assert services.publish(waiting, instructor()).state == State.PUBLISHED


def test_a_story_s_later_moments_are_somebody_s_facts_too() -> None:
    story = make_story()
    alone = exported(story)[0]["moments"][0] | {"words": {"pt": {"title": "Só o segundo"}}}
    [made] = imported_by(instructor(), [alone])
    assert origins(made) == {story.author}


def test_whose_facts_a_file_repeats_is_asked_once_for_the_whole_file() -> None:
    written = [make_draft(seed=str(seed)) for seed in range(1, 7)]
    asked = []
    for chosen in (written[:1], written[1:]):
        made = [import_export.make_draft(instructor(), entry, noted=False) for entry in read_again(chosen)]
        with CaptureQueriesContext(connection) as queries:
            authors.note_facts([(one, [one.scenario_document["situation"]]) for one in made])
        assert [origins(one) for one in made] == [{one.author} for one in chosen]
        asked.append(len(queries))
    assert asked[0] == asked[1]


def read_again(versions: list[Version]) -> list[import_export.Entry]:
    return import_export.read(b"".join(import_export.json_lines(versions)))


@pytest.mark.parametrize("how", ["save", "moment", "next_moment", "patch", "patch_moments", "mistake"])
def test_facts_that_are_edited_into_a_draft_are_still_those_of_who_wrote_them(client: Client, how: str) -> None:
    origin, author = make_published(seed="41"), instructor(language="en")
    draft = make_story_draft(author, "42") if how == "moment" else make_draft(author, "42")
    address, facts = f"/api/v1/scenarios/{draft.pk}/", origin.scenario_document
    client.force_login(author)
    if how == "save":
        drafts.save_draft(draft, author, scenario=origin.scenario)
    elif how in ("moment", "next_moment"):
        drafts.save_moment(draft, author, 2, scenario=origin.scenario, words={})
    elif how == "mistake":
        draft = drafts.start_from_mistake(author, facts)
        drafts.save_draft(draft, author, words={"pt": {"title": "Erro"}})
    else:
        body = {"situation": facts["situation"]} if how == "patch" else {"moments": [facts]}
        assert client.patch(address, body, content_type="application/json").status_code == 200
    assert origins(draft) == {origin.author}
    drafts.save_draft(draft, author, scenario=make_scenario("43"))
    drafts.save_draft(draft, author, scenario=origin.scenario)
    assert origins(draft) == {origin.author}, "written into it twice, noted once"
    waiting = services.submit_for_review(draft, author)
    with pytest.raises(Refused, match="copied from a scenario of yours"):
        services.publish(waiting, origin.author)
    assert services.publish(waiting, instructor()).state == State.PUBLISHED


def test_who_copied_a_draft_may_review_it_when_only_its_words_change() -> None:
    draft = make_draft(seed="41")
    [made] = imported_by(instructor(), exported(draft))
    drafts.save_draft(draft, draft.author, scenario=draft.scenario, words={"pt": {"title": "Outro título"}})
    assert not origins(draft)
    assert services.publish(services.submit_for_review(draft, draft.author), made.author).state == State.PUBLISHED


def test_once_somebody_reviewed_a_copy_its_next_version_is_anybody_s_to_review() -> None:
    origin = make_published()
    made = services.publish(copied_by(instructor(), origin), instructor())
    following = services.submit_for_review(drafts.new_version(made.item, made.author), made.author)
    assert services.publish(following, origin.author).published_by == origin.author


def test_the_database_itself_knows_who_wrote_what_was_copied() -> None:
    origin = make_published()
    made = copied_by(instructor(), origin)
    with pytest.raises(IntegrityError, match="that it was copied from never publishes"), transaction.atomic():
        Version.objects.filter(pk=made.pk).update(published_by=origin.author)
    published = make_published(seed="7")
    with pytest.raises(IntegrityError, match="who wrote a published version"), transaction.atomic():
        Origin.objects.create(version=published, person=instructor())
    with pytest.raises(IntegrityError, match="who wrote a published version"), transaction.atomic():
        made.origins.update(version=published)


def test_the_database_refuses_co_authors_who_change_and_publishers_named_before_them() -> None:
    draft, other = shared()
    published = make_published(seed="7")
    with pytest.raises(IntegrityError, match="who wrote a published version"), transaction.atomic():
        draft.co_authorships.update(version=published)
    done = services.publish(services.submit_for_review(draft, other), instructor())
    with pytest.raises(IntegrityError, match="who wrote a published version"), transaction.atomic():
        done.co_authorships.update(person=instructor())
    for table in (CoAuthor, Origin):
        early, reviewer = make_draft(seed="8"), instructor()
        Version.objects.filter(pk=early.pk).update(published_by=reviewer)
        table.objects.create(version=early, person=reviewer)
        with pytest.raises(IntegrityError, match="never publishes"), transaction.atomic():
            Version.objects.filter(pk=early.pk).update(
                state=State.PUBLISHED, published_at=timezone.now(), ruling_document={}
            )


def test_the_database_never_removes_who_wrote_what_is_published() -> None:
    draft, other = shared()
    Origin.objects.create(version=draft, person=instructor())
    CoAuthor.objects.create(version=draft, person=instructor()).delete()
    Origin.objects.create(version=draft, person=instructor()).delete()
    done = services.publish(services.submit_for_review(draft, other), instructor())
    for rows in (done.co_authorships, done.origins):
        with pytest.raises(IntegrityError, match="who wrote a published version"), transaction.atomic():
            rows.all().delete()
        assert rows.count() == 1
    User.objects.filter(pk=other.pk).update(is_active=False)
    retention.erase(other, by=None, reason="Pediu-o por carta")
    assert authors.co_authors(done) == [other], "who is forgotten stays named by what they stand for"


def test_adding_and_taking_away_in_turn_writes_one_letter_a_day_for_each_case() -> None:
    draft, other = shared()
    for _round in range(3):
        authors.remove(draft, draft.author, other)
        authors.add(draft, draft.author, other)
    assert Mail.objects.filter(person=other).count() == 1
    authors.add(make_draft(draft.author, "5"), draft.author, other)
    assert Mail.objects.filter(person=other).count() == 2, "another case is news"
    draft.acts.update(at=timezone.now() - authors.TOLD_ONCE_IN)
    authors.remove(draft, draft.author, other)
    authors.add(draft, draft.author, other)
    assert Mail.objects.filter(person=other).count() == 3, "and so is another day"
