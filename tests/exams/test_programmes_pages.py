"""Programmes on pages: what each reader sees, the draft editor without a script, comparing, putting in force."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from exams.audit.models import Entry
from exams.programmes import services, words
from exams.programmes.models import Examiner, Programme, ProgrammeVersion
from exams.programmes.rules import Line, Rules
from exams.results import grading
from rules_engine import GAMES
from tests.exams import making
from tests.exams.making import BOOK, close, enter, make_rules, make_session, make_version, start
from tests.factories import PersonFactory
from training.people.models import Role

pytestmark = pytest.mark.django_db
SignIn = Callable[..., Client]
HTMX = {"HX-Request": "true"}
MACAU = "pt-ponto-banca-macau"


@pytest.fixture
def writer() -> Client:
    return english(Role.INSTRUCTOR)


@pytest.fixture
def administrator() -> Client:
    return english(Role.ADMINISTRATOR)


def english(role: Role) -> Client:
    client = Client()
    client.person = PersonFactory(roles=[role], language="en")  # type: ignore[attr-defined]
    client.force_login(client.person)  # type: ignore[attr-defined]
    return client


def typed(rules: Rules, **changes: Any) -> dict[str, Any]:
    """The fields of the sheet for these rules, as a browser sends them."""
    names = ("minutes", "pass_mark", "mastery", "tries", "wait_days", "valid_months", "renewal_days")
    choices = ("examiners", "release", "decision", "annulment", "certificate", "appeal_days", "review_days")
    sent: dict[str, Any] = {name: getattr(rules, name) for name in (*names, *choices)}
    sent |= {"name_pt": "Chemin de fer", "name_en": "", "rulebooks": list(rules.rulebooks)}
    sent["critical_allowed"] = "" if rules.critical_allowed is None else rules.critical_allowed
    sent["parts"] = list(range(len(rules.sections)))
    for number, section in enumerate(rules.sections):
        part = f"part{number}"
        sent |= {f"{part}-{name}": getattr(section, name) for name in ("key", "pass_mark")}
        sent |= {f"{part}-name_{code}": section.names.get(code, "") for code in ("pt", "en")}
        sent[f"{part}-lines"] = list(range(len(section.lines)))
        for place, line in enumerate(section.lines):
            sent |= {f"{part}-line{place}-{name}": getattr(line, name) for name in ("difficulty", "items", "points")}
            sent[f"{part}-line{place}-topic"] = f"{line.rulebook}/{line.topic}"
    return sent | changes


def own_draft(client: Client, rules: Rules | None = None) -> ProgrammeVersion:
    person = client.person  # type: ignore[attr-defined]
    return services.create_programme(person, code="CDF-PT", names={"pt": "Exame"}, rules=rules or make_rules())


def seen(draft: ProgrammeVersion) -> str:
    draft.refresh_from_db()
    return draft.changed_at.isoformat()


def value(page: str, name: str) -> str:
    found = re.search(rf'<input[^>]*name="{name}"[^>]*?value="([^"]*)"', page)
    assert found, name
    return found[1]


# ---- reading


def test_trainees_read_what_is_in_force_and_nothing_of_drafts(signed_in: SignIn, writer: Client) -> None:
    held = make_version(names={"pt": "Em vigor"})
    services.new_version(held.programme, PersonFactory(roles=[Role.INSTRUCTOR]))
    draft = own_draft(writer)
    trainee = signed_in(Role.TRAINEE)
    listed = trainee.get(reverse("programmes")).content.decode()
    assert "Em vigor" in listed
    assert reverse("programme", args=[draft.programme_id]) not in listed
    assert trainee.get(reverse("programme", args=[draft.programme_id])).status_code == 404
    page = trainee.get(reverse("programme", args=[held.programme_id])).content.decode()
    assert "Em vigor" in page
    assert reverse("programme_draft", args=[held.programme_id]) not in page
    assert reverse("programme", args=[draft.programme_id]) in writer.get(reverse("programmes")).content.decode()
    assert writer.get(reverse("programme", args=[draft.programme_id])).status_code == 200


def test_only_who_writes_programmes_reads_their_codes(signed_in: SignIn, writer: Client) -> None:
    """A code is what HR's files and the numbers of certificates need, and its author typed it."""
    draft = own_draft(writer)
    session = make_session()
    grading.grade_sitting(close(start(enter(session))).pk)
    code = session.programme_version.programme.code
    listed, held = reverse("programmes"), reverse("programme", args=[session.programme_version.programme_id])
    administrator, hr = signed_in(Role.INSTRUCTOR, Role.ADMINISTRATOR), signed_in(Role.HR)
    trainee = signed_in(Role.TRAINEE)
    assert code in administrator.get(listed).content.decode()
    assert code in administrator.get(held).content.decode()
    assert draft.programme.code in writer.get(reverse("programme", args=[draft.programme_id])).content.decode()
    pages = [(administrator, reverse("exam_statistics")), (hr, listed), (hr, held), (trainee, listed), (trainee, held)]
    for reader, address in pages:
        page = reader.get(address).content.decode()
        assert "Exame" in page or session.programme_version.name("pt") in page, address
        assert not {word for word in (code, draft.programme.code) if word in page}, address


def test_every_rule_is_said_in_words(writer: Client) -> None:
    rules = make_rules(
        mastery=80, critical_allowed=2, examiners="appointed", release="by_examiner", decision="by_examiner"
    )
    page = writer.get(reverse("programme", args=[make_version(rules).programme_id])).content.decode()
    for said in (
        *("Portugal · chemin de fer", "30 minutes", "5 questions, 12 points", "At least 70% of the points"),
        *(
            "2 questions with a critical fault are forgiven; one more fails the exam",
            "3 questions, 2 points each",
            "3 attempts",
            "24 months",
        ),
        *("At least 80% of the rules of each rulebook known", "Only examiners appointed for this programme"),
        *("When an examiner releases them", "By an examiner, on the computed result", "From 90 days before its end"),
    ):
        assert said in page, said


def test_no_queries_are_added_by_more_versions(writer: Client, django_assert_max_num_queries: Any) -> None:
    held = make_version()
    address = reverse("programme", args=[held.programme_id])
    with django_assert_max_num_queries(12) as first:
        writer.get(address)
    for number in range(2, 6):
        ProgrammeVersion.objects.create(
            programme=held.programme,
            number=number,
            state="retired",
            names=held.names,
            rules_document=held.rules_document,
            author=PersonFactory(roles=[Role.INSTRUCTOR]),
            published_by=held.published_by,
            published_at=held.published_at,
        )
        Examiner.objects.create(programme=held.programme, person=PersonFactory(roles=[Role.INSTRUCTOR]))
    with django_assert_max_num_queries(len(first)):
        assert b"version 5" in writer.get(address).content


@pytest.mark.parametrize(
    ("change", "label", "before", "after"),
    [
        ({"minutes": 40}, "Time", "30 minutes", "40 minutes"),
        ({"critical_allowed": None}, "Critical faults", "A single question", "They cost their points"),
        ({"taught_may_examine": True}, "Whoever taught a candidate", "May not decide on them", "May examine"),
        ({"wait_days": 1}, "Wait after a failed attempt", "None", "1 day"),
        ({"certificate": "by_hr"}, "Issued", "At once", "By human resources"),
        ({"review_days": 31}, "Are decided within", "30 days", "31 days"),
        ({"renewal_days": 0}, "Renewal", "From 90 days", "Only once it has ended"),
    ],
)
def test_what_differs_is_told_field_by_field(change: dict[str, Any], label: str, before: str, after: str) -> None:
    one, other = make_version(), make_version(make_rules(**change))
    with translation.override("en"):
        [told] = words.differences(one, other)
    assert told.label == label
    assert told.before.startswith(before)
    assert told.after.startswith(after)


def test_sections_and_lines_that_come_and_go_are_told() -> None:
    coup, claims = make_rules().sections
    line = Line(rulebook=BOOK, topic="suivi", difficulty=3, items=1)
    changed = make_rules(sections=(type(coup)(key="coup", names=coup.names, lines=(*coup.lines, line)),))
    with translation.override("en"):
        told = words.differences(make_version(), make_version(changed))
    said = {(one.group, one.label): (one.before, one.after) for one in told}
    assert said["Section “The coup”", "Suivi (level 3 · the finer points)"] == ("–", "1 question, 1 point each")
    assert said["Section “The claims”", "To pass"] == ("No pass mark of its own", "–")
    assert said["The exam", "Sections"] == ("The coup, The claims", "The coup")
    assert words.differences(one := make_version(), one) == []
    assert claims.key == "claims"


def test_comparing_on_the_page(writer: Client) -> None:
    held = make_version()
    draft = services.new_version(held.programme, writer.person)  # type: ignore[attr-defined]
    address = reverse("compare_programme", args=[held.programme_id])
    assert "There are no differences" in writer.get(address).content.decode()
    services.change_draft(draft, draft.author, names=draft.names, rules=make_rules(minutes=45), seen=draft.changed_at)
    page = writer.get(address, {"one": "1", "other": "2"}).content.decode()
    assert "45 minutes" in page
    assert writer.get(address, {"one": "1", "other": "3"}).status_code == 404


# ---- writing


def test_a_programme_is_made_on_one_page(writer: Client) -> None:
    address = reverse("new_programme")
    assert value(writer.get(address).content.decode(), "pass_mark") == "70"
    sections = make_rules().sections
    sent = typed(make_rules(critical_allowed=None), code="cdf-pt", **{"part0-key": "", "part1-key": ""})
    response = writer.post(address, sent)
    made = ProgrammeVersion.objects.get()
    assert response.url == reverse("programme_version", args=[made.programme_id, 1])  # type: ignore[attr-defined]
    assert (made.programme.code, made.names) == ("CDF-PT", {"pt": "Chemin de fer"})
    assert made.rules.critical_allowed is None
    assert [section.lines for section in made.rules.sections] == [section.lines for section in sections]
    assert [section.key for section in made.rules.sections] == ["o-golpe", "as-vozes"]


def test_tables_are_listed_by_game_and_those_of_other_games_are_folded(writer: Client) -> None:
    """Open: the games of the programme, and those with a table ticked already."""
    folded = r'<details class="game-tables"( open)?>\s*<summary>([^<]*)</summary>'
    new = re.findall(folded, writer.get(reverse("new_programme")).content.decode())
    names = [name for _open, name in new]
    assert len(names) == len(set(names)) == len(GAMES) and not any(unfolded for unfolded, _name in new)
    assert {"Chemin de fer", "French roulette"} & set(names)
    draft = own_draft(writer)
    page = writer.get(reverse("programme_draft", args=[draft.programme_id])).content.decode()
    assert [name for unfolded, name in re.findall(folded, page) if unfolded] == ["Chemin de fer"]
    [key] = [key for key in re.findall(r'name="tables" value="([^"]*)"', page) if key.startswith(MACAU)][:1]
    again = writer.post(reverse("new_programme"), typed(make_rules(), code="", tables=[key])).content.decode()
    assert len([name for unfolded, name in re.findall(folded, again) if unfolded]) == 2


def test_two_sections_of_one_name_get_two_keys(writer: Client) -> None:
    same = {"part0-key": "", "part1-key": "", "part0-name_pt": "O golpe", "part1-name_pt": "O golpe"}
    writer.post(reverse("new_programme"), typed(make_rules(), code="CDF-PT", **same))
    assert [section.key for section in ProgrammeVersion.objects.get().rules.sections] == ["o-golpe", "o-golpe-2"]


def test_a_kept_draft_comes_back_as_it_is_and_is_kept_again(writer: Client) -> None:
    draft = own_draft(writer)
    address = reverse("programme_draft", args=[draft.programme_id])
    page = writer.get(address).content.decode()
    assert (value(page, "part0-line0-items"), value(page, "part1-line0-points")) == ("3", "3")
    writer.post(address, typed(make_rules(), seen=seen(draft)))
    draft.refresh_from_db()
    assert draft.rules == make_rules()


@pytest.mark.parametrize(
    ("changes", "said", "anchor"),
    [
        ({"pass_mark": 0}, "Overall pass mark, %", "id_pass_mark"),
        ({"tries": ""}, "Attempts", "id_tries"),
        ({"part1-line0-topic": ""}, "“The claims”, line 1: Topic", "id_part1-line0-topic"),
        ({"part0-line0-items": 0}, "“The coup”, line 1: Questions", "id_part0-line0-items"),
        ({"part0-name_pt": "", "part0-name_en": ""}, "needs a name", "id_part0-name_pt"),
        (
            {"part1-line0-topic": f"{MACAU}/drawing"},
            "“The claims”, line 1: The certificate is not for Portugal · ponto e banca, Macau",
            "id_part1-line0-topic",
        ),
        ({"rulebooks": [BOOK, MACAU]}, "No line examines Portugal · ponto e banca, Macau", "id_rulebooks"),
        ({"minutes": 1}, "less than 20 seconds for each question", "id_minutes"),
        ({"part1-lines": []}, "“The claims” needs at least one line", ""),
        ({"parts": []}, "at least one section", ""),
        ({"renewal_days": 365, "valid_months": 6}, "shorter than the validity", "id_renewal_days"),
    ],
)
def test_what_is_wrong_is_said_at_its_place_and_nothing_typed_is_lost(
    changes: dict[str, Any], said: str, anchor: str, writer: Client
) -> None:
    draft = own_draft(writer)
    sent = typed(make_rules(), seen=seen(draft), **({"name_en": "Half typed", "wait_days": "77"} | changes))
    response = writer.post(reverse("programme_draft", args=[draft.programme_id]), sent)
    page = response.content.decode()
    assert response.status_code == 422
    assert said in page
    assert not anchor or f'href="#{anchor}"' in page
    assert not anchor or f'id="{anchor}"' in page
    assert (value(page, "name_en"), value(page, "wait_days")) == ("Half typed", "77")
    draft.refresh_from_db()
    assert draft.rules == make_rules()


def test_rows_come_and_go_without_a_script_and_keep_what_is_typed(writer: Client) -> None:
    address = reverse("new_programme")
    sent = typed(make_rules(), code="cdf-pt", minutes="abc", **{"part0-line0-items": "7"})

    def order(what: str, **changes: Any) -> str:
        response = writer.post(address, sent | changes | {"do": what})
        assert response.status_code == 200
        page = response.content.decode()
        assert (value(page, "minutes"), value(page, "code")) == ("abc", "cdf-pt")
        assert 'class="errors"' not in page
        return page

    page = order("add:line:0")
    assert re.findall(r'name="part0-lines" value="(\d)"', page) == ["0", "1"]
    assert value(page, "part0-line0-items") == "7"
    assert "autofocus" in re.search(r'<select[^>]*id="id_part0-line1-topic"[^>]*>', page)[0]  # type: ignore[index]
    assert re.findall(r'name="parts" value="(\d)"', order("add:part")) == ["0", "1", "2"]
    assert re.findall(r'name="parts" value="(\d)"', order("remove:part:0")) == ["1"]
    assert re.findall(r'name="parts" value="(\d)"', order("up:part:1")) == ["1", "0"]
    assert 'name="part0-lines"' not in order("remove:line:0:0")
    for senseless in (
        "add:line:9",
        "remove:part:9",
        "up:part:0",
        "remove:line:0:x",
        "add:",
        "remove:line",
        "up:line:0:0",
    ):
        assert re.findall(r'name="parts" value="(\d)"', order(senseless)) == ["0", "1"]
    assert not Programme.objects.exists()


def test_a_new_line_after_one_was_taken_away_does_not_take_its_place(writer: Client) -> None:
    """Numbers of rows are not places: the fields of two rows must never meet."""
    sent = typed(make_rules()) | {"part0-lines": ["0", "3"], "part0-line3-items": "9", "do": "add:line:0"}
    page = writer.post(reverse("new_programme"), sent).content.decode()
    assert re.findall(r'name="part0-lines" value="(\d)"', page) == ["0", "3", "4"]
    assert value(page, "part0-line3-items") == "9"


def test_totals_follow_the_typing(writer: Client) -> None:
    sent = typed(make_rules(), minutes="25", **{"part0-line0-items": "8", "part1-line0-points": "x"})
    response = writer.post(reverse("new_programme"), sent, headers=HTMX)
    text = re.sub(r"<[^>]+>|\s+", " ", response.content.decode())
    assert "In all 10 16" in re.sub(r"\s+", " ", text)
    assert "2 min 30 s for each question" in text
    assert "<form" not in response.content.decode()
    assert not Programme.objects.exists()


def test_a_draft_changed_in_another_window_is_not_overwritten(writer: Client) -> None:
    draft = own_draft(writer)
    address, before = reverse("programme_draft", args=[draft.programme_id]), seen(draft)
    assert writer.post(address, typed(make_rules(minutes=31), seen=before)).status_code == 302
    response = writer.post(address, typed(make_rules(minutes=32), seen=before))
    assert response.status_code == 409
    assert value(response.content.decode(), "minutes") == "32"
    assert writer.post(address, typed(make_rules(), seen="yesterday")).status_code == 409
    draft.refresh_from_db()
    assert draft.rules.minutes == 31


def test_a_draft_is_its_authors(writer: Client, administrator: Client) -> None:
    draft = own_draft(writer)
    address = reverse("programme_draft", args=[draft.programme_id])
    page = administrator.get(address).content.decode()
    assert "Only its author can change a draft" in page
    assert 'id="sheet"' not in page
    response = administrator.post(address, typed(make_rules(minutes=31), seen=seen(draft)))
    assert response.status_code == 409
    assert "Only its author can change a draft" in response.content.decode()
    draft.refresh_from_db()
    assert draft.rules.minutes == 30


# ---- putting in force


def test_a_second_person_reads_what_will_hold_and_puts_it_in_force(writer: Client, administrator: Client) -> None:
    draft = making.judged(own_draft(writer))
    address = reverse("publish_programme", args=[draft.programme_id])
    own = writer.get(address).content.decode()
    assert "a second person must" in own
    assert 'name="seen"' not in own
    assert writer.post(address, {"seen": seen(draft)}).status_code == 409
    page = administrator.get(address).content.decode()
    assert "At least 70% of the points" in page
    assert administrator.post(address).status_code == 422
    administrator.post(address, {"seen": value(page, "seen")})
    draft.refresh_from_db()
    assert (draft.state, draft.published_by) == ("published", administrator.person)  # type: ignore[attr-defined]
    assert administrator.get(address).status_code == 404


def test_what_was_changed_after_it_was_read_is_shown_again_first(writer: Client, administrator: Client) -> None:
    draft = own_draft(writer)
    address, read = reverse("publish_programme", args=[draft.programme_id]), seen(draft)
    services.change_draft(draft, draft.author, names=draft.names, rules=make_rules(minutes=59), seen=draft.changed_at)
    making.judged(draft)
    response = administrator.post(address, {"seen": read})
    page = response.content.decode()
    assert response.status_code == 409
    assert "59 minutes" in page
    assert value(page, "seen") == seen(draft)


def test_a_draft_that_no_longer_holds_is_refused_by_name(administrator: Client) -> None:
    draft = make_version(make_rules(pass_mark=0), state="draft", published_by=None, published_at=None)
    page = administrator.get(reverse("publish_programme", args=[draft.programme_id])).content.decode()
    assert "an exam that nobody can fail certifies nothing" in page
    assert 'name="seen"' not in page


def test_new_versions_and_discarding_on_the_page(writer: Client, administrator: Client) -> None:
    held = make_version()
    new, gone = (
        reverse(name, args=[held.programme_id]) for name in ("new_programme_version", "discard_programme_draft")
    )
    assert writer.post(new).url == reverse("programme_draft", args=[held.programme_id])  # type: ignore[attr-defined]
    page = writer.post(new, follow=True).content.decode()
    assert "There is a draft already" in page
    colleague = Client()
    colleague.force_login(PersonFactory(roles=[Role.INSTRUCTOR]))
    colleague.post(gone)
    assert held.programme.versions.count() == 2
    assert administrator.post(gone, follow=True).status_code == 200
    assert held.programme.versions.count() == 1
    assert administrator.post(gone).status_code == 404


def test_examiners_are_looked_for_appointed_and_dismissed(administrator: Client) -> None:
    version, person = make_version(), PersonFactory(name="Élia Sá", roles=[Role.INSTRUCTOR])
    trainee = PersonFactory(roles=[Role.TRAINEE])
    address = reverse("examiners", args=[version.programme_id])
    assert "Élia Sá" in administrator.get(address, {"q": "elia"}).content.decode()
    assert administrator.post(address, {"appoint": trainee.pk}).status_code == 404
    assert administrator.post(address, {"appoint": person.pk}).status_code == 302
    assert "Élia Sá" in administrator.get(address).content.decode()
    assert administrator.post(address, {"dismiss": person.pk}).status_code == 302
    assert administrator.post(address, {"dismiss": person.pk}).status_code == 404
    assert list(Entry.objects.values_list("act", flat=True)) == ["examiner.appointed", "examiner.dismissed"]
