"""House rulings: practice follows what is recorded, exams what two have signed; what was asked keeps its reading."""

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

import rules_engine
from exams.audit.models import Entry
from exams.audit.words import describe
from exams.house_office import rulings
from exams.papers.pool import fit_for_exam
from exams.worklist import work_of_exams
from rules_engine import Adopted, Scenario
from tests.exams.making import right_answer
from tests.factories import PersonFactory
from tests.house import put
from training.house.models import HouseRuling
from training.house.readings import as_examined, as_practised, examined, practised
from training.library import drafts, reruling, services
from training.library.models import Version
from training.people.models import Role, User
from training.platform.errors import Refused, Unfit
from training.practice import services as practice
from training.practice.feedback import feedback
from training.practice.fresh import fresh_scenario
from training.practice.models import Drill

pytestmark = pytest.mark.django_db
BOOK, CLAUSE, QUESTION = "pt-cussec", "VII 5 s4", "VII5"


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    with override("en"):
        yield


@pytest.fixture
def instructor() -> User:
    return PersonFactory(roles=[Role.INSTRUCTOR], name="Rita Moura", language="en")


@pytest.fixture
def administrator() -> User:
    return PersonFactory(roles=[Role.ADMINISTRATOR], name="Abel Nunes", language="en")


def rung() -> Scenario:
    """A bet after the bell and before the words: ours counts it as in time."""
    made = (rules_engine.generate(BOOK, None, seed, 1, article=CLAUSE) for seed in range(40))
    return next(scenario for scenario in made if CLAUSE in scenario.solve().pivots)


def adopt(by: User, choice: str = "bell", **changes: Any) -> HouseRuling:
    given: dict[str, Any] = {
        "rulebook": BOOK,
        "question": QUESTION,
        "choice": choice,
        "decided_by": "Gaming board",
        "decided_on": date(2026, 11, 3),
        "reason": "The bell is heard at every seat.",
    }
    return rulings.adopt(by=by, **given | changes)


def test_a_house_ruling_changes_a_mark_and_its_record_is_shown(instructor: User) -> None:
    trainee = PersonFactory(roles=[Role.TRAINEE], language="en")
    elsewhere = rung()  # as a house puts it that has recorded nothing
    before = put(trainee, as_practised(elsewhere))
    adopt(instructor)
    after = put(trainee, as_practised(elsewhere))
    marks = []
    for drill in (before, after):
        mark = _answered(drill, right_answer(elsewhere)).attempt.mark
        marks.append(mark)
        shown = feedback(drill.scenario, mark, "en")
        recorded = {step.house.reason for step in shown.steps if step.house}
        assert recorded == (set() if drill == before else {"The bell is heard at every seat."})
    assert marks[0].points == marks[0].of and marks[1].points < marks[1].of
    assert elsewhere.solve()["allowed"] == "allowed"
    assert after.scenario.solve()["allowed"] == "refused"


def _answered(drill: Drill, answer: dict[str, Any]) -> Drill:
    practice.grade(practice.submit_answer(drill, rules_engine.answer_from({"parts": answer})).pk)
    return Drill.objects.get(pk=drill.pk)


def test_exams_follow_it_after_two_signatures_only(instructor: User, administrator: User) -> None:
    scenario = rung()
    assert not fit_for_exam(as_examined(scenario) or scenario)
    ruling = adopt(instructor)
    assert practised(BOOK) and not examined(BOOK)
    # Taught otherwise than it would be examined: it is in no exam meanwhile.
    assert as_examined(scenario) is None
    with pytest.raises(Refused, match="a second person must"):
        rulings.sign(ruling.pk, instructor)
    rulings.sign(ruling.pk, administrator)
    made = as_examined(scenario)
    assert made is not None and fit_for_exam(made) and made.solve()["allowed"] == "refused"
    with pytest.raises(Refused, match="already signed it"):
        rulings.sign(ruling.pk, PersonFactory(roles=[Role.INSTRUCTOR]))


def test_confirming_our_reading_lifts_the_hold_from_exams(instructor: User, administrator: User) -> None:
    rulings.sign(adopt(instructor, "").pk, administrator)
    made = as_examined(rung())
    assert made is not None and fit_for_exam(made) and made.solve()["allowed"] == "allowed"


def test_what_was_asked_keeps_its_reading_when_it_is_withdrawn(instructor: User, administrator: User) -> None:
    trainee = PersonFactory(roles=[Role.TRAINEE])
    ruling = adopt(instructor)
    asked = put(trainee, as_practised(rung()))
    rulings.withdraw(ruling.pk, administrator, "The board thought again.")
    assert asked.scenario.solve()["allowed"] == "refused"
    assert as_practised(rung()).solve()["allowed"] == "allowed" and not practised(BOOK)
    with pytest.raises(Refused, match="no longer in force"):
        rulings.withdraw(ruling.pk, administrator, "again")
    assert adopt(administrator).pk != ruling.pk


def test_one_person_alone_does_not_change_what_exams_ask(instructor: User, administrator: User) -> None:
    """Some open questions do not keep a case out of exams; a signed reading of one is followed until a second person
    signs its withdrawal."""
    about = {"rulebook": "pt-ponto-banca-macau-1995", "question": "Q25"}
    cases = (rules_engine.generate(about["rulebook"], None, seed, 4, article="11 d") for seed in range(200))
    case = next(one for one in cases if decided(one) != decided(rules_engine.under(one, {"Q25": Adopted("actual")})))
    assert fit_for_exam(case)
    ruling = adopt(instructor, "actual", **about)
    rulings.sign(ruling.pk, administrator)
    signed = as_examined(case)
    assert signed is not None and decided(signed) != decided(case)
    rulings.withdraw(ruling.pk, instructor, "The board thought again.")
    assert as_examined(case) == signed
    rulings.sign_withdrawal(ruling.pk, administrator)
    asked = as_examined(case)
    assert asked is not None and decided(asked) == decided(case)


def test_what_one_person_withdrew_in_an_earlier_release_waits_for_two(instructor: User, administrator: User) -> None:
    about = {"rulebook": "pt-ponto-banca-macau-1995", "question": "Q25"}
    cases = (rules_engine.generate(about["rulebook"], None, seed, 4, article="11 d") for seed in range(200))
    case = next(one for one in cases if decided(one) != decided(rules_engine.under(one, {"Q25": Adopted("actual")})))
    ruling = adopt(instructor, "actual", **about)
    rulings.sign(ruling.pk, administrator)
    HouseRuling.objects.filter(pk=ruling.pk).update(withdrawn_by=instructor, withdrawn_at=timezone.now())
    assert as_examined(case) is None
    rulings.sign(adopt(instructor, "", **about).pk, administrator)
    asked = as_examined(case)
    assert asked is not None and decided(asked) == decided(case)


def test_withdrawing_what_two_signed_takes_two(instructor: User, administrator: User) -> None:
    ruling = adopt(instructor)
    rulings.sign(ruling.pk, administrator)
    with pytest.raises(Refused, match="Nobody has asked"):
        rulings.sign_withdrawal(ruling.pk, administrator)
    with pytest.raises(Unfit):
        rulings.withdraw(ruling.pk, administrator, " ")
    asked = rulings.withdraw(ruling.pk, administrator, "The board thought again.")
    assert asked.withdrawal_waits and asked.in_exams and examined(BOOK) and practised(BOOK)
    with pytest.raises(Refused, match="already asked"):
        rulings.withdraw(ruling.pk, instructor, "Me too.")
    with pytest.raises(Refused, match="a second person must"):
        rulings.sign_withdrawal(ruling.pk, administrator)
    with pytest.raises(Refused, match="Only instructors"):
        rulings.sign_withdrawal(ruling.pk, PersonFactory(roles=[Role.TRAINEE]))
    with pytest.raises(IntegrityError), transaction.atomic():
        HouseRuling.objects.filter(pk=ruling.pk).update(withdrawn_by=administrator)
    kept = rulings.keep(ruling.pk, instructor)
    assert not kept.withdrawal_waits and kept.in_exams and not kept.withdrawn_because
    rulings.withdraw(ruling.pk, instructor, "Decided by the board.")
    gone = rulings.sign_withdrawal(ruling.pk, administrator)
    assert gone.withdrawn_because == "Decided by the board." and not practised(BOOK) and not examined(BOOK)
    acts = list(Entry.objects.order_by("number").values_list("act", flat=True))
    assert [act.removeprefix("reading.") for act in acts] == [
        *("adopted", "signed", "withdrawal_asked", "kept", "withdrawal_asked", "withdrawn")
    ]
    assert describe(Entry.objects.filter(act="reading.withdrawal_asked"))[0].reason == "The board thought again."


def test_a_withdrawal_waits_on_the_page_of_the_second_person(instructor: User, administrator: User) -> None:
    ruling = adopt(instructor)
    rulings.sign(ruling.pk, administrator)
    rulings.withdraw(ruling.pk, instructor, "The board thought again.")
    assert {one.kind: one.count for one in work_of_exams(administrator, timezone.now())}["readings"] == 1
    assert {one.kind: one.count for one in work_of_exams(instructor, timezone.now())}.get("readings", 0) == 0


def decided(scenario: Scenario) -> dict[str, Any]:
    return {decision.key: decision.value for decision in scenario.solve().decisions}


def test_fresh_drills_and_the_library_follow_it(instructor: User) -> None:
    author, other = (PersonFactory(roles=[Role.INSTRUCTOR]) for _each in range(2))
    version = drafts.create_draft(author, rung(), source=Version.Source.AUTHORED, words={"en": {"title": "Bell"}})
    services.submit_for_review(version, author)
    version = services.publish(Version.objects.get(pk=version.pk), other)
    adopt(instructor)
    assert fresh_scenario(BOOK, None, 1, CLAUSE).readings == practised(BOOK)
    assert [one.pk for one in reruling.check_published()] == [version.pk]


def test_only_one_is_in_force_and_its_words_never_change(instructor: User, administrator: User) -> None:
    ruling = adopt(instructor)
    with pytest.raises(Refused, match="already"):
        adopt(administrator, "")
    for changes in ({"choice": ""}, {"reason": "otherwise"}, {"recorded_by": administrator}):
        with pytest.raises(IntegrityError), transaction.atomic():
            HouseRuling.objects.filter(pk=ruling.pk).update(**changes)
    with pytest.raises(IntegrityError), transaction.atomic():
        HouseRuling.objects.filter(pk=ruling.pk).update(signed_by=instructor)
    with pytest.raises(IntegrityError), transaction.atomic():
        ruling.delete()


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"choice": "lamp"}, Unfit),
        ({"question": "PT51"}, Refused),
        ({"decided_on": date(2999, 1, 1)}, Unfit),
        ({"decided_by": " "}, Unfit),
        ({"reason": "x" * 1001}, Unfit),
    ],
)
def test_what_cannot_be_adopted(instructor: User, changes: dict[str, Any], error: type[Refused]) -> None:
    with pytest.raises(error):
        adopt(instructor, **changes)
    assert not HouseRuling.objects.exists()


def test_a_trainee_decides_nothing() -> None:
    with pytest.raises(Refused, match="Only instructors"):
        adopt(PersonFactory(roles=[Role.TRAINEE]))


def test_the_acts_are_on_record_in_sentences(instructor: User, administrator: User) -> None:
    ruling = adopt(instructor)
    rulings.sign(ruling.pk, administrator)
    rulings.withdraw(ruling.pk, administrator, "The board thought again.")
    rulings.sign_withdrawal(ruling.pk, instructor)
    entries = describe(Entry.objects.order_by("number"))
    assert [one.entry.act for one in entries] == [
        *("reading.adopted", "reading.signed", "reading.withdrawal_asked", "reading.withdrawn")
    ]
    assert entries[0].sentence.startswith("Rita Moura recorded the house's reading")
    assert "What closes the bets" in entries[0].sentence and entries[3].reason == "The board thought again."


def test_recorded_signed_and_withdrawn_on_the_page(instructor: User, administrator: User) -> None:
    first, second = Client(), Client()
    first.force_login(instructor)
    second.force_login(administrator)
    address = f"/house/readings/{BOOK}/"
    given = {"choice": "bell", "decided_by": "Gaming board", "decided_on": "2026-11-03", "reason": "It is heard."}
    assert first.post(f"{address}{QUESTION}/", given | {"reason": ""}).status_code == 422
    assert first.post(f"{address}{QUESTION}/", given).status_code == 302
    page = first.get(address).content.decode()
    assert "in practice only" in page and "Sign as the second person" not in page
    assert "Sign as the second person" in second.get(address).content.decode()
    ruling = HouseRuling.objects.get()
    assert second.post(f"/house/readings/{ruling.pk}/sign/").status_code == 302
    assert "Signed by Rita Moura and Abel Nunes." in first.get(f"/rulebooks/{BOOK}/{CLAUSE}/").content.decode()
    assert first.post(f"/house/readings/{ruling.pk}/withdraw/", {"reason": "No."}).status_code == 302
    waits = first.get(address).content.decode()
    assert "Rita Moura asked on" in waits and "Sign the withdrawal" not in waits and "Withdrawn rulings" not in waits
    assert "Sign the withdrawal as the second person" in second.get(address).content.decode()
    assert first.post(f"/house/readings/{ruling.pk}/withdraw/sign/").status_code == 409
    assert second.post(f"/house/readings/{ruling.pk}/keep/").status_code == 302
    assert "Rita Moura asked on" not in first.get(address).content.decode()
    assert first.post(f"/house/readings/{ruling.pk}/withdraw/", {"reason": "No."}).status_code == 302
    assert second.post(f"/house/readings/{ruling.pk}/withdraw/sign/").status_code == 302
    gone = first.get(address).content.decode()
    assert "Withdrawn rulings" in gone and "Signed by Rita Moura and Abel Nunes. Reason: No." in gone
