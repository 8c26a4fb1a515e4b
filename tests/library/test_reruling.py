"""When the engine changes its mind, what is published is taken out and listed with both rulings."""

from collections.abc import Callable
from io import StringIO

import msgspec
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import translation

from rules_engine import Rulebook, Ruling, Situation
from rules_engine.errors import ImpossibleFacts
from tests.library.versions import instructor, make_draft, make_published
from training.library import drafts, reruling, services, suspension
from training.library.models import Version
from training.library.tasks import check_published
from training.people.models import Role

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]
State = Version.State


@pytest.fixture
def changed_mind(monkeypatch: pytest.MonkeyPatch) -> Callable[[Version], None]:
    """Make the engine rule otherwise on the first choice of one version's facts, and only there."""
    ruled_before = Rulebook.rule

    def change(version: Version) -> None:
        facts = version.scenario.situation

        def rule(book: Rulebook, situation: Situation) -> Ruling:
            ruling = ruled_before(book, situation)
            if situation != facts:
                return ruling
            first = next(item for item in ruling.decisions if item.kind == "choice")
            other = next(option for option in book.game.options(first.key) if option != first.value)
            turned = [
                msgspec.structs.replace(item, value=other) if item is first else item for item in ruling.decisions
            ]
            return msgspec.structs.replace(ruling, decisions=tuple(turned))

        monkeypatch.setattr(Rulebook, "rule", rule)
        monkeypatch.setattr(version.scenario.book.game, "version", "2.0.0")

    return change


def test_the_same_engine_takes_nothing_out() -> None:
    published = make_published()
    assert reruling.check_published() == []
    assert Version.objects.get().state == State.PUBLISHED
    assert published.acts.count() == 3


def test_only_what_is_ruled_otherwise_is_taken_out(changed_mind: Callable[[Version], None]) -> None:
    touched, spared, draft = make_published(seed="1"), make_published(seed="2"), make_draft(seed="1")
    changed_mind(touched)
    assert reruling.check_published() == [touched]
    assert reruling.check_published() == []
    states = {version.pk: version.state for version in Version.objects.all()}
    assert states == {touched.pk: State.SUSPENDED, spared.pk: State.PUBLISHED, draft.pk: State.DRAFT}
    act = touched.acts.get(kind="suspended")
    assert (act.actor, act.engine) == (None, "2.0.0")
    stored = Version.objects.get(pk=touched.pk).ruling_document
    assert reruling.settled(stored) != reruling.settled(act.ruling_document)
    assert stored == touched.ruling_document


def test_facts_the_engine_no_longer_accepts_are_taken_out_with_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    published = make_published()

    def refuse(book: Rulebook, situation: Situation) -> Ruling:
        raise ImpossibleFacts("seats", "nobody has bet")

    monkeypatch.setattr(Rulebook, "rule", refuse)
    with translation.override("pt"):
        assert reruling.check_published() == [published]
    act = published.acts.get(kind="suspended")
    assert (act.comment, act.ruling_document) == ("Lugares ocupados: ninguém apostou.", None)
    # Whoever reads it later does so in a language of their own.
    assert suspension.suspension(published, act, "en").refusal == "Seats taken: nobody has bet."


def test_every_update_and_the_queue_check(changed_mind: Callable[[Version], None]) -> None:
    first = make_published()
    changed_mind(first)
    out = StringIO()
    call_command("check_published", stdout=out)
    assert f"scenario {first.pk} taken out of use" in out.getvalue()
    check_published()
    assert first.acts.filter(kind="suspended").count() == 1


def test_both_rulings_stand_side_by_side(
    signed_in: Callable[..., Client], changed_mind: Callable[[Version], None]
) -> None:
    published = make_published(words={"en": {"title": "The disputed one"}})
    changed_mind(published)
    reruling.check_published()
    client = signed_in(Role.INSTRUCTOR)
    client.post(reverse("set_language"), {"language": "en"})
    for address in (reverse("suspended"), reverse("version", args=[published.pk])):
        shown = client.get(address).content.decode()
        assert "When published (engine 1" in shown
        assert "Now (engine 2.0.0)" in shown
        assert "The disputed one" in shown
        assert all(f">{value}<" in shown for value in _shown_both(published))


def _shown_both(version: Version) -> list[str]:
    """The answers before and after, in the words of the page, to the question on which the engine changed its mind."""
    before, now = reruling.settled(version.ruling_document), reruling.settled(version.acts.last().ruling_document)
    (key,) = (key for key in before if before[key] != now[key])
    return [version.scenario.book.text(f"option.{key}.{ruled[key]}", "en") for ruled in (before, now)]


def test_a_suspended_one_can_be_worked_on_anew(changed_mind: Callable[[Version], None]) -> None:
    published, editor = make_published(), instructor()
    changed_mind(published)
    reruling.check_published()
    draft = services.submit_for_review(drafts.new_version(published.item, editor), editor)
    services.publish(draft, instructor())
    assert [version.state for version in Version.objects.order_by("number")] == [State.RETIRED, State.PUBLISHED]
    assert reruling.check_published() == []
