"""Remarks in the margin: who makes, answers and settles them, and that nothing is published over an open one."""

import pytest
from django.test import Client

from tests.library.versions import instructor, make_in_review
from training.library import drafts, margin_remarks, services
from training.library.models import Act, Remark, Version
from training.platform.errors import Refused, Unfit

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


def only() -> Remark:
    return Remark.objects.get(about=None)


def test_a_remark_is_made_answered_and_settled_and_leaves_acts() -> None:
    version, reviewer = make_in_review(), instructor()
    margin_remarks.remark(version, reviewer, "facts", " Seat 4 is empty ")
    with pytest.raises(Refused, match="margin is open"):
        services.publish(version, reviewer)
    margin_remarks.answer(version, version.author, only().pk, "So it was")
    with pytest.raises(Refused, match="another reviewer, can settle it"):
        margin_remarks.settle(version, version.author, only().pk)
    margin_remarks.settle(version, reviewer, only().pk)
    assert (only().text, only().settled_by, only().answers.get().text) == ("Seat 4 is empty", reviewer, "So it was")
    assert list(version.acts.values_list("kind", flat=True))[-3:] == ["remarked", "answered", "settled"]
    assert services.publish(version, reviewer).state == Version.State.PUBLISHED


def test_it_stays_with_the_versions_that_follow() -> None:
    version, reviewer = make_in_review(), instructor()
    margin_remarks.remark(version, reviewer, "words", "Kürzer")
    margin_remarks.settle(version, reviewer, only().pk)
    published = services.publish(version, reviewer)
    later = drafts.new_version(published.item, version.author)
    assert [one.text for one in margin_remarks.remarks(later)] == ["Kürzer"]
    margin_remarks.remark(later, reviewer, "ruling", "Open")
    assert [one.text for one in margin_remarks.remarks(published)] == ["Kürzer"]


def test_what_is_refused() -> None:
    version, reviewer = make_in_review(), instructor()
    with pytest.raises(Unfit):
        margin_remarks.remark(version, reviewer, "facts", "  ")
    with pytest.raises(Refused, match="what it is about"):
        margin_remarks.remark(version, reviewer, "title", "x")
    margin_remarks.remark(version, reviewer, "facts", "x")
    margin_remarks.settle(version, reviewer, only().pk)
    with pytest.raises(Refused, match="no such open"):
        margin_remarks.answer(version, version.author, only().pk, "late")
    other = make_in_review(seed="2")
    margin_remarks.remark(other, reviewer, "facts", "of another case")
    with pytest.raises(Refused, match="no such open"):
        margin_remarks.settle(version, reviewer, Remark.objects.latest("pk").pk)
    services.retire(other, reviewer, "spent")
    with pytest.raises(Refused, match="retired"):
        margin_remarks.remark(other, reviewer, "facts", "x")


def test_the_page_shows_them_and_keeps_what_was_refused() -> None:
    version, reviewer, client = make_in_review(), instructor(), Client()
    client.force_login(reviewer)
    where = f"/scenarios/{version.pk}/margin/"
    assert client.post(where, {"part": "facts", "text": "Lugar 4?"}).status_code == 302
    page = client.get(f"/scenarios/{version.pk}/").content.decode()
    assert "Lugar 4?" in page and 'name="settle"' in page
    refused = client.post(where, {"part": "nothing", "text": "Fica cá"})
    assert refused.status_code == 409 and "Fica cá" in refused.content.decode()
    assert client.post(where, {"about": str(only().pk), "settle": "1"}).status_code == 302
    client.force_login(version.author)
    assert 'name="settle"' not in client.get(f"/scenarios/{version.pk}/").content.decode()
    assert Act.objects.filter(kind="settled").count() == 1
