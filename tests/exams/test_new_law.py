"""A new version of the law: sessions on its day, the page of differences, the lesson, and the command."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from exams.demo.held_exams import played_at, under_the_law_of
from exams.exam_sessions import preparation, setup
from exams.mock import upcoming
from exams.papers import maker
from exams.practical.models import ExamTable
from exams.programmes import law, services
from exams.programmes.models import ProgrammeVersion
from exams.programmes.rules import Line, Section
from exams.records.models import Candidate, Session
from exams.sittings import selectors, sitting
from exams.worklist import work_of_exams
from rules_engine import RULEBOOKS, Rulebook, rulebook
from rules_engine.amendments import remove
from tests.amending import FOLDER, NEW, OLD, amended, copied
from tests.exams import making, practising, setting_up
from tests.exams.making import judged
from tests.exams.new_law import CDF, CDF_1995, LISBON, black_jack, holder_of, signed, text, visit
from tests.exams.test_papers import forms_of
from tests.factories import PersonFactory
from training.demo import training_data
from training.house.amendments import load_configured
from training.lessons import law_changes
from training.mastery.memory import Rule
from training.people.models import Role
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db
OUTDATED = "papers on another law"


@pytest.fixture
def new() -> Iterator[Rulebook]:
    with amended() as book:
        yield book


# ---- sessions


def test_a_session_is_refused_on_a_day_on_which_another_version_is_in_force(new: Rulebook) -> None:
    version, by = making.make_version(black_jack()), setting_up.examiner()
    with pytest.raises(
        Refused, match=r"está em vigor «Portugal 2026 .*», e este programa examina «Portugal 1995"
    ) as refused:
        setting_up.make(by, version)
    assert "nova versão do programa" in str(refused.value)
    made = services.new_version(version.programme, by)
    assert made.rules.rulebooks == (NEW,)
    assert {line.rulebook for line in made.rules.lines} == {NEW}
    services.publish(judged(made), PersonFactory(roles=[Role.ADMINISTRATOR]), seen=made.changed_at)
    made.refresh_from_db()
    assert setting_up.make(by, made).programme_version == made


def test_the_day_of_the_change_decides(new: Rulebook) -> None:
    eve, day = (datetime(2026, month, number, 12, tzinfo=LISBON) for month, number in ((9, 30), (10, 1)))
    old, later = making.make_version(black_jack()), making.make_version(black_jack(NEW))
    setup.verify_in_force(old, eve)
    setup.verify_in_force(later, day)
    for version, moments in ((old, (eve, day)), (later, (eve, day)), (old, (day,)), (later, (eve,))):
        with pytest.raises(Refused):
            setup.verify_in_force(version, *moments)


def test_a_programme_on_the_replaced_text_of_1995_is_refused_and_brought_up_to_date() -> None:
    lines = (Line(rulebook=CDF_1995, topic="third_card", items=2),)
    rules = making.make_rules(
        rulebooks=(CDF_1995,), sections=(Section(key="coup", names={"pt": "O golpe"}, lines=lines),)
    )
    with pytest.raises(Refused, match="Portugal"):
        setting_up.make(version=making.make_version(rules))
    assert law.brought_up_to_date(rules, timezone.localdate()).rulebooks == (CDF,)
    assert law.brought_up_to_date(making.make_rules(), timezone.localdate()) == making.make_rules()


def test_the_programme_says_that_its_law_was_replaced(new: Rulebook) -> None:
    version = making.make_version(black_jack())
    page = text(visit(Role.INSTRUCTOR), f"/programmes/{version.programme_id}/")
    assert "is in force, and this programme examines" in page


def test_a_session_set_up_before_the_new_version_came_is_marked() -> None:
    session = setting_up.make(version=making.make_version(black_jack()))
    reader = signed(session.created_by)
    assert "is in force, and this programme examines" not in text(reader, f"/exams/sessions/{session.pk}/")
    with amended():
        assert "is in force, and this programme examines" in text(reader, f"/exams/sessions/{session.pk}/")


def test_a_session_is_open_until_midnight_of_the_day_on_which_the_law_changes(new: Rulebook) -> None:
    """Entry runs into the day of the new version: the page warns, and until midnight the session is just open."""
    eve, midnight = datetime(2026, 9, 30, 22, tzinfo=LISBON), datetime(2026, 10, 1, tzinfo=LISBON)
    session = Session(
        programme_version=making.make_version(black_jack()),
        opens_at=eve,
        entry_closes_at=midnight + timedelta(hours=1),
        state=Session.State.READY,
    )
    before, after = midnight - timedelta(seconds=1), midnight
    assert preparation.why_outdated(session, before) and not preparation.is_blocked(session, before)
    assert preparation.is_blocked(session, after)
    assert not preparation.is_blocked(session, session.entry_closes_at)


@pytest.mark.parametrize(
    ("book", "moment", "begins"),
    [
        (OLD, datetime(2026, 9, 30, 23, 59, 59, tzinfo=LISBON), True),
        (OLD, datetime(2026, 10, 1, 0, 0, 0, tzinfo=LISBON), False),
        (OLD, datetime(2026, 10, 2, 0, 0, 0, tzinfo=LISBON), False),
        (NEW, datetime(2026, 9, 30, 23, 59, 59, tzinfo=LISBON), False),
        (NEW, datetime(2026, 10, 1, 0, 0, 0, tzinfo=LISBON), True),
        (NEW, datetime(2026, 10, 2, 0, 0, 0, tzinfo=LISBON), True),
    ],
)
def test_nobody_begins_an_exam_about_a_law_that_is_not_in_force_that_day(
    new: Rulebook, book: str, moment: datetime, begins: bool
) -> None:
    eve, later = (datetime(2026, month, day, 12, tzinfo=LISBON) for month, day in ((9, 30), (10, 3)))
    session = Session(
        programme_version=making.make_version(black_jack(book)),
        opens_at=eve,
        entry_closes_at=later,
        state=Session.State.READY,
    )
    assert bool(sitting.why_not_now(session, moment)) == (not begins)


def test_a_session_prepared_before_the_new_version_came_waits_until_it_is_prepared_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    version, by = making.make_version(black_jack()), setting_up.examiner()
    session = setting_up.ready(setting_up.make(by, version))
    candidate, opened = session.candidates.get(), session.opens_at + timedelta(minutes=1)
    address, client = f"/exams/sessions/{session.pk}/", signed(by)
    with amended():
        with pytest.raises(Refused, match="A lei mudou depois de este exame ser preparado"):
            sitting.begin(candidate, session.access_code, device="", now=opened)
        assert selectors.own_exam(candidate, "pt", opened).state == "waiting"
        assert "«Portugal 2026" in selectors.own_exam(candidate, "pt", opened).why
        page = text(client, address)
        assert "until its papers are made again" in page and "Go to the programme" in page
        assert OUTDATED in page and OUTDATED in text(client, "/exams/sessions/")
        work = {one.kind: one for one in work_of_exams(by, opened)}
        assert (work["sessions_blocked"].count, work["sessions_blocked"].late) == (1, 1)
        assert work["sessions_blocked"].address == address and not work["sessions_open"].count
        assert "made again" in text(client, "/")
        assert client.post(f"{address}prepare/", {"anew": "1"}).status_code == 409
        made = services.new_version(version.programme, by)
        services.publish(judged(made), PersonFactory(roles=[Role.ADMINISTRATOR]), seen=made.changed_at)
        assert "Make the papers again, with version 2 of the programme" in text(client, address)
        monkeypatch.setattr("exams.clock.now", lambda: opened)  # already open: it may still be prepared again
        [shown] = upcoming.ahead(candidate.person, opened, "pt").now
        assert "Portugal 2026" in shown.why
        assert client.post(f"{address}prepare/", {"anew": "1"}).status_code == 302
        assert maker.make_papers(session.pk)
        session.refresh_from_db()
        assert session.programme_version == ProgrammeVersion.objects.get(pk=made.pk)
        page = text(client, address)
        assert "until its papers are made again" not in page and OUTDATED not in page and "open now" in page
        counts = {one.kind: one.count for one in work_of_exams(by, opened)}
        assert (counts["sessions_blocked"], counts["sessions_open"]) == (0, 1)
        again = Candidate.objects.get(pk=candidate.pk)
        assert selectors.own_exam(again, "pt", opened).state == "open"
        assert sitting.begin(candidate, session.access_code, device="", now=opened)
        [form] = forms_of(session)
        assert {item.scenario.rulebook for item in form} == {NEW}


def test_the_demo_is_about_the_law_of_today_even_in_its_past(new: Rulebook) -> None:
    """Its exams of last year are held by the version that came into force this year."""
    today, last_year = datetime(2026, 11, 1, 12, tzinfo=LISBON), datetime(2025, 11, 1, 12, tzinfo=LISBON)
    with played_at(today):
        assert training_data.house_books(new.game) == [NEW]
    version = making.make_version(black_jack(NEW))
    with pytest.raises(Refused):
        setup.verify_in_force(version, last_year)
    with under_the_law_of(today.date()):
        setup.verify_in_force(version, last_year, today)


def test_a_practical_session_stays_practical_when_it_is_prepared_again() -> None:
    topic, kinds = sorted(practising.kinds_of(OLD).items())[0]
    fault = practising.FaultLine(topic=topic, kinds=kinds, count=1)
    part = practising.make_part(rulebook=OLD, table=rulebook(OLD).table, faults=(fault,))
    version, by = making.make_version(black_jack(practical=part)), setting_up.examiner()
    session = setting_up.make(by, version, part=Session.Part.PRACTICE)
    Candidate.objects.create(session=session, person=PersonFactory())
    preparation.prepare(session, by)
    assert maker.make_papers(session.pk)
    with amended():
        made = services.new_version(version.programme, by)
        services.publish(judged(made), PersonFactory(roles=[Role.ADMINISTRATOR]), seen=made.changed_at)
        again = preparation.prepare_anew(session, by)
        assert again.is_practical
        assert maker.make_papers(session.pk)
        assert ExamTable.objects.get().rulebook == NEW


def test_papers_are_not_made_again_once_somebody_has_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    version, by = making.make_version(black_jack()), setting_up.examiner()
    session = setting_up.ready(setting_up.make(by, version), PersonFactory(), PersonFactory())
    opened = session.opens_at + timedelta(minutes=1)
    assert sitting.begin(session.candidates.all()[0], session.access_code, device="", now=opened)
    with amended():
        made = services.new_version(version.programme, by)
        services.publish(judged(made), PersonFactory(roles=[Role.ADMINISTRATOR]), seen=made.changed_at)
        monkeypatch.setattr("exams.clock.now", lambda: opened)
        with pytest.raises(Refused, match="tenha começado"):
            preparation.prepare_anew(session, by)
        page = text(signed(by), f"/exams/sessions/{session.pk}/")
        assert "Make the papers again" not in page and "enter the others in a new session" in page
    session.refresh_from_db()
    assert session.programme_version == version and session.state == Session.State.READY


# ---- what changed


def test_the_page_of_differences_shows_each_change_with_an_example(new: Rulebook) -> None:
    page = text(visit(Role.TRAINEE), f"/rulebooks/changes/{OLD}/{NEW}/")
    for expected in (
        "Maximum bet is 30 times the minimum.",
        "Maximum bet is 50 times the minimum.",
        "«Querem fazer seguro?»",
        "«Seguros, por favor»",
        "1 October 2026",
        "4 articles differ.",
        "difference: 3.",
    ):
        assert expected in page
    assert page.count("No visible difference") == 1
    assert "Refresher exam" not in page
    played = text(visit(Role.TRAINEE), f"/rulebooks/changes/{OLD}/{NEW}/37/")
    assert "Portugal 2026 · black jack/21 (amended)" in played
    for address in (
        f"/rulebooks/changes/{NEW}/{OLD}/",
        f"/rulebooks/changes/{OLD}/{CDF}/",
        f"/rulebooks/changes/{OLD}/{NEW}/38/",
        f"/rulebooks/changes/{OLD}/{NEW}/5/",
    ):
        text(visit(Role.TRAINEE), address, 404)


def test_the_shipped_pair_says_honestly_where_nothing_shows() -> None:
    page = text(visit(Role.HR, language="pt"), f"/rulebooks/changes/{CDF_1995}/{CDF}/")
    # At a table in euro both announce sums in euro; the escudos of 1995 stand among the words that changed.
    assert page.count("Sem diferença visível") == 3
    assert "$»" in page
    assert "1 de dezembro de 1995" in page.lower()
    assert "não indica a data de entrada em vigor" in page
    assert "data-article" not in page  # human resources may not open articles


def test_who_studied_or_holds_the_old_version_is_pointed_to_the_lesson(new: Rulebook) -> None:
    held = holder_of(language="en").holder
    page = text(signed(held), "/")
    assert f"/practice/changes/{OLD}/{NEW}/" in page
    assert "3 changed rules are new to you." in page
    lesson = text(signed(held), f"/practice/changes/{OLD}/{NEW}/")
    assert lesson.count("Try it") == 3
    begun = signed(held).post("/practice/lessons/", {"lesson": f"{NEW}/37", "this_rule": "1"})
    assert begun.status_code == 302
    assert held.drills.get().scenario.rulebook == NEW
    assert f"/practice/changes/{OLD}/{NEW}/" not in text(visit(Role.TRAINEE), "/")


def test_who_has_met_every_changed_rule_is_pointed_no_more(new: Rulebook) -> None:
    met = [Rule(NEW, cite) for cite in ("10", "33 s1", "37")]
    assert law_changes.pointers([OLD], met, "en") == []
    [left] = law_changes.pointers([OLD, OLD], met[:2], "en")
    assert (left.old, left.new, left.left) == (OLD, NEW, 1)
    assert law_changes.pointers([NEW, "pt-craps"], [], "en") == []


# ---- the command


def test_the_command_checks_an_amendment(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("check_amendment", str(FOLDER))
    told = capsys.readouterr().out
    remove(RULEBOOKS[NEW])
    assert "article 37: maximum_times_minimum: shows in largest_bet" in told
    assert "article 38: wording: NO CASE SHOWS A DIFFERENCE" in told
    broken = copied(tmp_path)
    (broken / "law.toml").unlink()
    with pytest.raises(CommandError, match=r"law\.toml"):
        call_command("check_amendment", str(broken))


def test_a_process_with_a_broken_amendment_does_not_start(settings: Any, tmp_path: Path) -> None:
    """Called when Django is set up: in web, workers and beat alike."""
    settings.AMENDMENTS = [str(tmp_path / "pt-none")]
    with pytest.raises(SystemExit, match=r"Sabot cannot start: SABOT_AMENDMENTS: .*there is no such folder"):
        load_configured()
    settings.AMENDMENTS = [str(FOLDER)]
    try:
        load_configured()
        load_configured()
        assert RULEBOOKS[NEW].coded_as == OLD
    finally:
        remove(RULEBOOKS[NEW])
