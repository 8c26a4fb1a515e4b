"""The search page of instructors, the list of scenarios, and official wordings with their letters."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import rules_engine
from tests.library.versions import instructor, make_draft, make_published, make_scenario
from training.house.models import OfficialText
from training.library import drafts, editor_starts, scenario_search
from training.people.models import Role

SignedIn = Callable[..., Client]
WORDING = "São faltas:\n\ni) O banqueiro lança cartas na caixa;\n\nm) As cartas que caiam ao chão são apanhadas."


@pytest.fixture
def client(signed_in: SignedIn) -> Client:
    return signed_in(Role.INSTRUCTOR)


@pytest.mark.django_db
def test_one_search_finds_incidents_articles_wordings_and_scenarios_and_marks_them(client: Client) -> None:
    OfficialText.objects.create(
        rulebook="pt-chemin-de-fer", source="a copy", articles={"104": WORDING}, loaded_at=timezone.now()
    )
    author = instructor()
    draft = make_draft(author)
    drafts.save_draft(draft, author, words={"pt": {"title": "Carta <caída> ao chão"}})
    page = client.get(reverse("search"), {"q": "cartas caídas no chão"})
    groups = {group.id: group for group in page.context["groups"]}
    assert {"incidents", "clauses", "official", "scenarios"} <= groups.keys()
    assert groups["official"].rows[0].url.endswith("104%20m/#official-2")
    assert groups["scenarios"].rows[0].url == reverse("version", args=[draft.pk])
    shown = page.content.decode()
    assert "<mark>chão</mark>" in shown and "&lt;" in shown and "<caída>" not in shown
    article = client.get(groups["official"].rows[0].url).content.decode()
    assert '<p id="official-2" class="this-letter" data-here>m) As cartas' in article
    only = client.get(reverse("search"), {"q": "104 m", "in": "clauses", "rulebook": "pt-chemin-de-fer"})
    assert [group.id for group in only.context["groups"]] == ["clauses"]
    assert client.get(reverse("search"), {"q": "xyzzy"}).context["groups"] == []


@pytest.mark.django_db
def test_scenarios_are_found_by_article_and_the_index_follows_changes() -> None:
    author = instructor()
    draft = drafts.create_draft(author, make_scenario("4"), source="authored")
    drafts.save_draft(draft, author, words={"pt": {"title": "Mesa de sábado"}})
    assert scenario_search.search("sábados") == [draft.pk]
    drafts.save_draft(draft, author, words={"pt": {"title": "Mesa de domingo"}})
    assert scenario_search.search("sábados") == []
    assert scenario_search.search("DOMINGO") == [draft.pk]
    cites = scenario_search._filed[draft.pk].cites
    assert draft.pk in scenario_search.search(f"art. {cites[0].split()[0]}")
    assert scenario_search.search("999") == []


@pytest.mark.django_db
def test_no_search_tells_the_notes_or_the_ruling_of_what_is_kept_for_exams() -> None:
    author = instructor()
    words = {"pt": {"title": "Sem nome", "note": "Decide o xaile."}}
    kept = make_published(author, words=words, reserved=True)
    drafted = drafts.new_version(kept.item, author)
    drafts.save_draft(drafted, author, words=words)
    assert scenario_search.search("xaile") == []
    usual = editor_starts.articles_of(rules_engine.rulebook(kept.rulebook), scenario_search._kind(kept), kept.topic)
    assert scenario_search._filed[kept.pk].cites == usual
