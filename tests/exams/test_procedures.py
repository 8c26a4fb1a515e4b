"""Procedures where a rulebook is silent: adopted, taught, drilled, examined once two have signed, cited, withdrawn."""

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

import rules_engine
from exams.audit.models import Entry
from exams.audit.words import describe
from exams.house_office import rulings
from exams.hr import dossier
from exams.papers import pool
from exams.papers.knowledge import Known
from exams.programmes.eligibility import eligibility
from exams.programmes.readiness import readiness_of
from exams.programmes.rules import Line, Section
from exams.programmes.validation import supply
from exams.records.models import Candidate
from exams.results.grading import grade_sitting
from rules_engine import Scenario
from rules_engine.silences import ASK, TOPIC
from tests.exams import making
from tests.exams.making import right_answer
from tests.exams.test_papers import forms_of, preparing, ready
from tests.factories import PersonFactory
from training.figures.expected import Experience
from training.house.models import House, HouseRuling
from training.house.readings import as_examined, examined, practised, silence
from training.lessons.rule_cards import card
from training.mastery.memory import Rule
from training.mastery.models import Memory
from training.mastery.rules_to_learn import rules_of_law, rules_to_learn
from training.mastery.services import take_as_known
from training.people.models import Role, User
from training.platform.errors import Refused, Unfit
from training.practice import services as practice
from training.practice.feedback import feedback
from training.practice.fresh import fresh_scenario
from training.practice.models import Drill
from training.practice.reasoning import steps

pytestmark = pytest.mark.django_db
SILENCES = [
    (book.id, kind, option)
    for book in rules_engine.RULEBOOKS.values()
    for kind, silence in book.silences.items()
    for option in silence.options
]
BOOK, KIND = "pt-roleta-francesa", "ball_left_wheel"
ONE, OTHER = rules_engine.rulebook(BOOK).silences[KIND].options[:2]
FULL = silence(rules_engine.rulebook(BOOK), KIND, "en").others[ONE]
WORDS = "Como no manual da sala, página 12."


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


@pytest.fixture
def trainee() -> User:
    return PersonFactory(roles=[Role.TRAINEE], language="en")


def adopt(by: User, **changes: Any) -> HouseRuling:
    given: dict[str, Any] = {
        "rulebook": BOOK,
        "kind": KIND,
        "choice": ONE,
        "decided_by": "Gaming board",
        "decided_on": date(2026, 11, 3),
        "words": WORDS,
    }
    return rulings.adopt_procedure(by=by, **given | changes)


def withdraw(ruling: HouseRuling, first: User, second: User) -> None:
    """Withdraw what two people signed: two sign that as well."""
    rulings.withdraw(ruling.pk, first, "The board thought again.")
    assert practised(ruling.rulebook)
    rulings.sign_withdrawal(ruling.pk, second)


def drilled(trainee: User, book: str, kind: str) -> Drill:
    """A drill of the kind, answered as its ruling says and graded."""
    drill = practice.start_drill(trainee, rulebook=book, topic=None, difficulty=2, article=kind)
    answer = rules_engine.answer_from({"parts": right_answer(drill.scenario)})
    practice.grade(practice.submit_answer(drill, answer).pk)
    return Drill.objects.get(pk=drill.pk)


def asks(scenario: Scenario) -> bool:
    """Whether the answer is to ask the floor manager."""
    return ASK in [decision.value for decision in scenario.solve().decisions]


@pytest.mark.parametrize(("book", "kind", "option"), SILENCES)
def test_each_silence_is_adopted_drilled_examined_cited_and_withdrawn(
    book: str, kind: str, option: str, instructor: User, administrator: User, trainee: User
) -> None:
    before = drilled(trainee, book, kind)
    assert asks(before.scenario) and before.attempt.mark.points == before.attempt.mark.of
    assert Rule(book, kind) not in rules_to_learn(book) and not Memory.objects.filter(cite=kind).exists()
    assert not supply((book, TOPIC, 2, ""), 1)

    ruling = adopt(instructor, rulebook=book, kind=kind, choice=option)
    drill = drilled(trainee, book, kind)
    assert not asks(drill.scenario) and kind in drill.scenario.solve().pivots
    assert Rule(book, kind) in rules_to_learn(book) and Memory.objects.filter(cite=kind).exists()
    assert as_examined(drill.scenario) is None and not supply((book, TOPIC, 2, ""), 1)  # one signature is not enough
    taught = card(Rule(book, kind), "en")
    assert taught.house == ruling and taught.house.words == WORDS
    assert taught.procedure == rules_engine.rulebook(book).text(f"procedure.{kind}.{option}", "en")

    rulings.sign(ruling.pk, administrator)
    made = as_examined(drill.scenario)
    assert made is not None and made.solve().exam_safe and supply((book, TOPIC, 2, ""), 3) == 3
    shown = feedback(drill.scenario, drill.attempt.mark, "en")
    cites = [step.cite for step in shown.steps if step.article == kind]
    issuer = House.objects.get().name
    assert set(cites) == {f"Procedure 1 of {issuer}, 3 Nov 2026, signed by Rita Moura and Abel Nunes"}
    [pivot] = [step for step in shown.steps if step.article == kind and step.pivot]
    assert pivot.house == ruling and pivot.read_so == taught.procedure

    withdraw(ruling, instructor, administrator)
    assert asks(fresh_scenario(book, None, 2, kind)) and Rule(book, kind) not in rules_to_learn(book)
    kept = Drill.objects.get(pk=drill.pk)
    assert kept.scenario.solve() == drill.scenario.solve() and not asks(kept.scenario)
    again = [step.cite for step in feedback(kept.scenario, kept.attempt.mark, "en").steps if step.article == kind]
    assert again == cites  # what was asked stays cited as it was


def _rules() -> Any:
    line = Line(rulebook=BOOK, topic=TOPIC, difficulty=2, items=2, points=2)
    return making.make_rules(rulebooks=(BOOK,), sections=(Section(key="p", names={"en": "Procedures"}, lines=(line,)),))


def test_an_exam_asks_what_two_have_signed_and_keeps_it_when_it_is_withdrawn(
    instructor: User, administrator: User
) -> None:
    ruling = adopt(instructor)
    session = preparing(1, _rules())
    with pytest.raises(pool.CannotMake):
        list(pool.Pool(session, session.programme_version.rules, {1: Known()}, Experience()).fill())
    rulings.sign(ruling.pk, administrator)
    [form] = forms_of(ready(preparing(1, _rules())))
    assert {item.scenario.readings[KIND].record for item in form} == {str(ruling.pk)}  # type: ignore[index]
    assert all(KIND in item.scenario.solve().pivots for item in form)
    withdraw(ruling, administrator, instructor)
    assert not any(asks(item.scenario) for item in form)


def test_numbers_are_never_used_again(instructor: User, administrator: User) -> None:
    first = adopt(instructor)
    rulings.withdraw(first.pk, administrator, "No.")
    second = adopt(instructor, choice=OTHER)
    third = adopt(instructor, rulebook="pt-roleta-americana")
    assert [first.number, second.number, third.number] == [1, 2, 3]


def test_another_decision_is_learnt_anew_and_the_same_one_is_not(
    instructor: User, administrator: User, trainee: User
) -> None:
    ruling = adopt(instructor)
    drilled(trainee, BOOK, KIND)
    rulings.withdraw(ruling.pk, administrator, "No.")
    ruling = adopt(instructor)
    assert Memory.objects.filter(trainee=trainee, cite=KIND).exists()
    rulings.withdraw(ruling.pk, administrator, "No.")
    adopt(instructor, choice=OTHER)
    assert not Memory.objects.filter(trainee=trainee, cite=KIND).exists()


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"choice": ""}, Unfit),
        ({"choice": "toss_a_coin"}, Unfit),
        ({"kind": "number_called"}, Refused),
        ({"rulebook": "pt-nowhere"}, Refused),
        ({"words": "x" * 1001}, Unfit),
        ({"decided_on": date(2999, 1, 1)}, Unfit),
        ({"decided_by": ""}, Unfit),
    ],
)
def test_what_cannot_be_adopted(instructor: User, changes: dict[str, Any], error: type[Refused]) -> None:
    with pytest.raises(error):
        adopt(instructor, **changes)
    assert not HouseRuling.objects.exists()


def test_who_may_not_adopt_or_sign(instructor: User) -> None:
    for role in (Role.TRAINEE, Role.HR):
        with pytest.raises(Refused, match="Only instructors"):
            adopt(PersonFactory(roles=[role]))
    ruling = adopt(instructor)
    with pytest.raises(Refused, match="a second person must"):
        rulings.sign(ruling.pk, instructor)
    with pytest.raises(Refused, match="already"):
        adopt(instructor, choice=OTHER)
    assert not examined(BOOK) and practised(BOOK)
    for changes in ({"choice": OTHER}, {"words": "otherwise"}, {"number": 7}):
        with pytest.raises(IntegrityError), transaction.atomic():
            HouseRuling.objects.filter(pk=ruling.pk).update(**changes)


def test_the_acts_are_on_record_in_sentences(instructor: User, administrator: User) -> None:
    ruling = adopt(instructor)
    rulings.sign(ruling.pk, administrator)
    withdraw(ruling, administrator, instructor)
    entries = describe(Entry.objects.order_by("number"))
    acts = ("adopted", "signed", "withdrawal_asked", "withdrawn")
    assert [one.entry.act for one in entries] == [f"procedure.{act}" for act in acts]
    assert "procedure 1" in entries[0].sentence and entries[3].reason == "The board thought again."
    assert {one.entry.details["text"] for one in entries} == {FULL}  # what they signed, in full


def test_adopted_signed_and_withdrawn_on_the_page(instructor: User, administrator: User, trainee: User) -> None:
    first, second, third = Client(), Client(), Client()
    for client, who in ((first, instructor), (second, administrator), (third, trainee)):
        client.force_login(who)
    address, page = f"/house/procedures/{BOOK}/", f"/rulebooks/{BOOK}/{KIND}/"
    assert "ask your floor manager" in third.get(page).content.decode()
    assert "Ask your floor manager" in third.get(f"{reverse('rules')}?rulebook={BOOK}").content.decode()
    given = {"choice": ONE, "decided_by": "Gaming board", "decided_on": "2026-11-03", "words": WORDS}
    wrong = first.post(f"{address}{KIND}/", given | {"decided_by": ""})
    assert wrong.status_code == 422 and WORDS in wrong.content.decode()  # nothing typed is lost
    assert first.post(f"{address}{KIND}/", given).status_code == 302
    shown = first.get(address).content.decode()
    assert "in practice only" in shown and "Sign as the second person" not in shown
    assert "Sign as the second person" in second.get(address).content.decode()
    ruling = HouseRuling.objects.get()
    signed = second.post(f"/house/readings/{ruling.pk}/sign/")
    assert signed.status_code == 302 and signed["Location"] == address
    for where in (page, f"/rulebooks/{BOOK}/"):
        told = third.get(where).content.decode()
        assert "signed by Rita Moura and Abel Nunes" in told and WORDS in told and FULL in told
    assert first.post(f"/house/readings/{ruling.pk}/withdraw/", {"reason": "No."}).status_code == 302
    assert "Withdrawn procedures" not in first.get(address).content.decode()
    assert second.post(f"/house/readings/{ruling.pk}/withdraw/sign/").status_code == 302
    assert "Withdrawn procedures" in first.get(address).content.decode()


def test_the_pages_take_the_same_queries_for_many_procedures(
    instructor: User, administrator: User, django_assert_max_num_queries: Any
) -> None:
    client = Client()
    client.force_login(administrator)
    counts = []
    for kinds in ([KIND], [kind for kind in rules_engine.rulebook(BOOK).silences if kind != KIND]):
        for kind in kinds:
            options = rules_engine.rulebook(BOOK).silences[kind].options
            adopt(instructor, kind=kind, choice=options[0])
        for address in (f"/house/procedures/{BOOK}/", f"/rulebooks/{BOOK}/"):
            client.get(address)
            with django_assert_max_num_queries(100) as counted:
                client.get(address)
            counts.append(len(counted))
    assert counts[:2] == counts[2:]


def test_an_exam_review_and_a_dossier_cite_the_procedure(instructor: User, administrator: User) -> None:
    ruling = adopt(instructor)
    rulings.sign(ruling.pk, administrator)
    candidate = Candidate.objects.get(session=ready(preparing(1, _rules())))
    sitting = making.close(making.start(candidate))
    result = grade_sitting(sitting.pk)
    assert result is not None
    cited = f"Procedure 1 of {House.objects.get().name}, 3 Nov 2026, signed by Rita Moura and Abel Nunes"
    assert dossier._procedures(result) == [("Procedure of the house", f"{cited}. {FULL}")]
    [form] = forms_of(candidate.session)
    for item in form:
        assert cited in [step.cite for step in steps(item.scenario, item.scenario.solve(), "en")]


def test_readiness_counts_only_procedures_that_two_have_signed(
    instructor: User, administrator: User, trainee: User
) -> None:
    ruling = adopt(instructor)
    drilled(trainee, BOOK, KIND)
    assert readiness_of(trainee, _rules(), timezone.now()).percent == 0
    rulings.sign(ruling.pk, administrator)
    assert readiness_of(trainee, _rules(), timezone.now()).percent > 90


def test_one_person_alone_does_not_change_who_may_sit(instructor: User, administrator: User, trainee: User) -> None:
    line = Line(rulebook=BOOK, topic="payout", items=1)
    section = Section(key="p", names={"en": "Paying"}, lines=(line,))
    version = making.make_version(making.make_rules(rulebooks=(BOOK,), sections=(section,), mastery=100))
    take_as_known(trainee, list(rules_of_law(BOOK)), at=timezone.now())
    assert eligibility(trainee, version, timezone.now()).ok
    adopted = adopt(instructor)
    assert eligibility(trainee, version, timezone.now()).ok
    rulings.sign(adopted.pk, administrator)
    assert not eligibility(trainee, version, timezone.now()).ok
