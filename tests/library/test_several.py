"""Several scenarios at once: tags, acts, a file of those chosen; and what is known is noticed at import."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.library.versions import instructor, make_draft, make_in_review, make_published
from training.library import import_export, selectors, services, tags
from training.library.models import Tag, Version
from training.mail.models import Mail
from training.people.models import Role
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.INSTRUCTOR)


def act(client: Client, name: str, *versions: Version, **more: str) -> Any:
    chosen = {"act": name, "versions": [version.pk for version in versions]}
    return client.post(reverse("act_on_several"), chosen | more, follow=True)


def test_tags_are_given_found_by_and_taken_away(client: Client) -> None:
    one, other = make_published(seed="1"), make_draft(client.person, "2")  # type: ignore[attr-defined]
    act(client, "tag", one, other, tags="Época alta, exame,  EPOCA  ALTA ")
    assert [tag.name for tag in one.item.tags.all()] == ["Época alta", "exame"]
    act(client, "untag", other, tags="época alta")
    high = Tag.objects.get(key="epoca alta")
    page = client.get(reverse("library"), {"tag": high.pk}).content.decode()
    assert reverse("version", args=[one.pk]) in page and reverse("version", args=[other.pk]) not in page
    [found] = selectors.versions(selectors.Filters(text="EPOCA"))
    assert found == one, "a tag is a word to look for, too"
    act(client, "untag", one, tags="época alta")
    assert not Tag.objects.filter(key="epoca alta").exists(), "what nothing carries is gone"
    with pytest.raises(Refused):
        tags.typed("x" * 41)
    with pytest.raises(Refused):
        tags.typed(",".join(map(str, range(11))))


def test_each_act_is_as_if_done_alone_and_refusals_are_named(client: Client) -> None:
    own = make_in_review(client.person, "1", words={"pt": {"title": "O meu"}})  # type: ignore[attr-defined]
    others = [make_in_review(seed="2"), make_in_review(seed="3")]
    shown = {f"seen-{one.pk}": one.changed_at.isoformat() for one in (own, *others)} | {"shown": "1"}
    page = act(client, "publish", own, *others, **shown).content.decode()
    assert "2 cenários publicados." in page and "«O meu»" in page
    states = {version.pk: version.state for version in Version.objects.all()}
    assert [states[version.pk] for version in (own, *others)] == ["in_review", "published", "published"]
    assert "2 cenários postos" not in act(client, "retire", *others).content.decode(), "a reason is asked for"
    retired = act(client, "retire", *others, comment="Já não se joga assim.").content.decode()
    assert "2 cenários postos de parte" in retired
    for nonsense in ("", "delete"):
        assert act(client, nonsense, own).status_code == 200
    assert "pelo menos um" in act(client, "publish").content.decode()


def test_what_is_published_is_shown_first_and_published_as_it_was_shown(client: Client) -> None:
    one, other = make_in_review(seed="1"), make_in_review(seed="2")
    page = act(client, "publish", one, other).content.decode()
    assert {one.state for one in Version.objects.all()} == {"in_review"}, "nothing is published unseen"
    assert page.count('class="table-drawing') >= 2 and page.count("art. 67 d)") >= 2
    form = {f"seen-{one.pk}": one.changed_at.isoformat() for one in (one, other)} | {"shown": "1"}
    assert f'name="seen-{one.pk}" value="{form[f"seen-{one.pk}"]}"' in page
    services.send_back(other, other.author, "")
    services.submit_for_review(other, other.author)
    page = act(client, "publish", one, other, **form).content.decode()
    assert "1 cenário publicado." in page and "alterado depois" in page
    assert sorted(Version.objects.values_list("state", flat=True)) == ["in_review", "published"]


def test_drafts_of_others_stay_and_owners_are_told_by_one_mail(client: Client) -> None:
    draft, mine = make_draft(seed="1"), make_draft(client.person, "2")  # type: ignore[attr-defined]
    owner = instructor()
    theirs = [make_published(owner, "3"), make_published(owner, "4")]
    page = act(client, "retire", draft, mine, *theirs, comment="Já não se joga assim.").content.decode()
    draft.refresh_from_db()
    assert draft.state == "draft" and f"rascunho de {draft.author.name}" in page
    [mail] = Mail.objects.all()
    assert mail.person == owner and "Já não se joga assim." in mail.body
    assert all(reverse("version", args=[one.pk]) in mail.body for one in theirs)
    act(client, "tag", draft, theirs[0], tags="noite")
    assert not draft.item.tags.exists() and theirs[0].item.tags.exists()
    services.retire(draft, client.person, "Não serve.")  # type: ignore[attr-defined]
    assert set(Mail.objects.values_list("person", flat=True)) == {owner.pk, draft.author_id}


def test_a_file_of_those_chosen_comes_back_with_their_tags(client: Client) -> None:
    one, other = make_draft(seed="1"), make_draft(seed="2")
    tags.add([one.item], ["Exame"], one.author)
    file = act(client, "export", one).getvalue()
    assert [entry["tags"] for entry in json.loads(file)] == [["Exame"]]
    import_export.dry_run(other.author, file)
    [again] = import_export.confirm(other.author)
    assert (again.words, again.scenario_document) == (one.words, one.scenario_document)
    assert [tag.name for tag in again.item.tags.all()] == ["Exame"]


def test_what_is_in_the_library_already_is_noticed_and_left_out(client: Client) -> None:
    known, gone = make_draft(seed="1").scenario_document, make_draft(seed="2")
    new = gone.scenario_document
    services.retire(gone, gone.author, "Não serve.")
    file = SimpleUploadedFile("casos.json", json.dumps([new, known, new]).encode())
    page = client.post(reverse("import_scenarios"), {"file": file}).content.decode()
    marked = [fold for fold in page.split("<details")[1:] if "já na biblioteca" in fold]
    assert [fold.split("<summary>")[1][:2] for fold in marked] == ["2.", "3."]
    assert "Importar mesmo assim" not in page
    client.post(reverse("confirm_import"))
    assert Version.objects.filter(source="imported").count() == 1
    again = SimpleUploadedFile("casos.json", json.dumps([new]).encode())
    assert "Importar mesmo assim" in client.post(reverse("import_scenarios"), {"file": again}).content.decode()
    assert "já estão na biblioteca" in client.post(reverse("confirm_import"), follow=True).content.decode()
    assert Version.objects.filter(source="imported").count() == 1
