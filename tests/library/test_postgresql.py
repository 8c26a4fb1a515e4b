"""The same on PostgreSQL, whose triggers and JSON are other than SQLite's."""

from collections.abc import Callable

import pytest

from tests import furnished
from tests.running import PRODUCTION, Installation

SCRIPT = """
from django.db import IntegrityError, transaction
from training.library import drafts, authors, generated, reruling, selectors, services
from training.library.models import Origin, Version
from training.people.models import RoleGrant, User
from training.practice import services as practice, stories
from rules_engine import answer_from

author, reviewer = (User.objects.get(email=f"{name}@sabot.example") for name in ("helena", "rui"))
offered = generated.offer(generated.Wish("pt-chemin-de-fer", "third_card", "67 d", 2, "offer"), 2)
draft, other = generated.keep(author, [item.token for item in offered])
assert generated.keep(author, [offered[0].token]) == [draft]
draft = drafts.save_draft(draft, author, words={"pt": {"title": "Bancô tardio de ensaio"}}, seen=draft.changed_at)
assert list(selectors.versions(selectors.Filters(text="BANCO ensaio"))) == [draft]
draft = drafts.save_moment(draft, author, 2, scenario=other.scenario, words={})
published = services.publish(services.submit_for_review(draft, author), reviewer)
cite = published.pivots.first().cite
assert published in selectors.practised_turning_on("pt-chemin-de-fer", cite)
frozen = ({"words": {}}, {"scenario_document": {}}, {"ruling_document": None}, {"state": "draft"}, {"moments": []})
for change in frozen:
    try:
        with transaction.atomic():
            Version.objects.filter(pk=published.pk).update(**change)
    except IntegrityError as refusal:
        print("refused:", str(refusal).splitlines()[0])
assert reruling.check_published() == []
drill = practice.put_drill(reviewer, published.scenario, mode="free", version=published)
practice.grade(practice.submit_answer(drill, answer_from({"parts": {}})).pk)
assert stories.go_on(drill) == stories.go_on(drill) and stories.go_on(drill).before == drill
copy = drafts.start_from_mistake(reviewer, published.moments[0]["scenario"])
drafts.save_draft(copy, reviewer, scenario=published.scenario)
assert [row.person for row in copy.origins.all()] == [author]
authors.add(other, author, reviewer)
assert list(selectors.versions(selectors.Filters(author=reviewer.pk)).filter(pk=other.pk)) == [other]
try:
    with transaction.atomic():
        Version.objects.filter(pk=other.pk).update(published_by=reviewer)
except IntegrityError as refusal:
    print("refused:", str(refusal).splitlines()[0])
assert other.co_authorships.all().delete()[0] == 1 and not other.co_authorships.exists()
authors.add(other, author, reviewer)
third = User.objects.create_user("terceira@sabot.example", name="Terceira", password=None)
RoleGrant.objects.create(user=third, role="instructor")
Origin.objects.create(version=other, person=User.objects.get(email="marta@sabot.example"))
other = drafts.save_draft(other, author, words={"pt": {"title": "Outro de ensaio"}})
shared = services.publish(services.submit_for_review(other, author), third)
for rows in (shared.co_authorships, shared.origins):
    try:
        with transaction.atomic():
            rows.all().delete()
    except IntegrityError as refusal:
        print("refused:", str(refusal).splitlines()[0])
    assert rows.count() == 1
services.retire(published, author, "fora")
print("done")
"""


@pytest.mark.services
def test_postgresql_keeps_what_is_published_too(install: Callable[..., Installation], postgres_url: str) -> None:
    installation = install(DATABASE_URL=postgres_url)
    furnished.with_people(installation)
    ran = installation.manage("shell", "--no-imports", "-c", SCRIPT)
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.strip().splitlines()
    frozen, by_author = "a published version never changes; make a new version", "a co-author never publishes"
    writers = "who wrote a published version never changes"
    assert lines == [f"refused: {line}" for line in (*[frozen] * 5, by_author, *[writers] * 2)] + ["done"]
    # Preparing again, as after an update, finds everything in place.
    again = installation.manage("prepare", **PRODUCTION | {"DATABASE_URL": postgres_url})
    assert again.returncode == 0, again.stderr


AT_ONCE = """
import threading
from django.db import connection, transaction
from tests.library.versions import instructor, make_in_review, make_published, make_story_draft
from training.library import drafts, services
from training.platform.errors import Refused

def published(version, reviewer, **how):
    try:
        return "published" if services.publish(version, reviewer, **how) else ""
    except Refused as refusal:
        return "refused"
    finally:
        connection.close()

def beside(act, waiting, reviewer, **how):
    told, other = [], threading.Thread(target=lambda: told.append(published(waiting, reviewer, **how)))
    with transaction.atomic():
        act()
        other.start()
        other.join(2)
        print("done before" if told else "waited")
    other.join(30)
    print(*told)

reviewer, second = instructor(), instructor()
for moments in (1, 2):
    seed = f"same {moments}"
    story = make_story_draft(seed=seed, moments=moments)
    story = services.submit_for_review(story, story.author)
    beside(lambda: services.publish(story, reviewer), make_in_review(seed=seed), second, reserved=True)
    reserved, later = make_in_review(seed=f"later {moments}"), make_in_review(seed=f"later {moments}")
    beside(lambda: services.publish(reserved, reviewer, reserved=True), later, second)
kept = make_published(seed="kept", reserved=True)
beside(lambda: services.release(kept, reviewer, "Para treino"), make_in_review(seed="kept"), second, reserved=True)
beside(lambda: services.publish(make_in_review(seed="a"), reviewer), make_in_review(seed="b"), second, reserved=True)
"""


@pytest.mark.services
def test_the_same_facts_never_go_to_practice_and_to_the_bank_at_once(
    install: Callable[..., Installation], postgres_url: str
) -> None:
    installation = install(DATABASE_URL=postgres_url)
    furnished.with_tables(installation)
    seen = installation.run(AT_ONCE).splitlines()
    assert seen == ["waited", "refused"] * 5 + ["done before", "published"]


TAGS = """
import threading
from django.db import connection
from training.library import generated, tags
from training.library.models import Tag
from training.people.models import User

author = User.objects.get(email="helena@sabot.example")
offered = generated.offer(generated.Wish("pt-chemin-de-fer", "third_card", "67 d", 2, "offer"), 2)
one, other = (draft.item for draft in generated.keep(author, [item.token for item in offered]))
failed = []
for _again in range(15):
    tags.take([other], ["corrida"], author)
    tags.add([one], ["corrida"], author)
    ready = threading.Barrier(2)
    def act(work, item):
        ready.wait()
        try:
            work([item], ["corrida"], author)
        except Exception as error:
            failed.append(type(error).__name__)
        connection.close()
    pairs = ((tags.take, one), (tags.add, other))
    threads = [threading.Thread(target=act, args=pair) for pair in pairs]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
print(failed, list(Tag.objects.filter(items=other).values_list("name", flat=True)))
"""


@pytest.mark.services
def test_a_tag_is_given_while_its_last_is_taken_away(install: Callable[..., Installation], postgres_url: str) -> None:
    installation = install(DATABASE_URL=postgres_url)
    furnished.with_people(installation)
    ran = installation.manage("shell", "--no-imports", "-c", TAGS)
    assert ran.stdout.strip().splitlines() == ["[] ['corrida']"], ran.stderr
