"""An exam may take its items from several games: sound, levelled, certified for each, and counted for each."""

from collections import Counter
from datetime import timedelta

import pypdfium2
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from exams.certificates import issuance
from exams.certificates.credential import payload
from exams.certificates.document import document
from exams.invigilation.acts import check_identity
from exams.papers import maker
from exams.programmes import validation
from exams.programmes.rules import Line
from exams.records.models import Candidate, FormItem, Session
from exams.results import release
from exams.results.grading import grade_sitting
from exams.results.models import Result
from rules_engine import rulebook
from rules_engine.narration import book_name
from tests.exams import making
from tests.exams.certifying import make_certificate
from tests.exams.making import THREE_GAMES, mixed_rules
from tests.exams.staffing import TODAY, certify, staff
from tests.factories import PersonFactory
from training.people.models import Role

pytestmark = pytest.mark.django_db
languages = pytest.mark.parametrize("language", ["pt", "en"])


def test_a_blueprint_of_three_games_is_sound() -> None:
    assert validation.verify(mixed_rules()) == []


def test_no_game_is_certified_that_was_not_asked() -> None:
    rules = mixed_rules()
    short = mixed_rules(sections=rules.sections[:2])
    [fault] = validation.verify(short)
    assert fault.path == "rulebooks"
    assert book_name("pt-roleta-francesa", "pt") in fault.message


def test_no_game_is_asked_that_is_not_certified() -> None:
    books = tuple(THREE_GAMES)
    [fault] = validation.verify(mixed_rules(rulebooks=books[:2]))
    assert fault.path == "sections.2.lines.0.rulebook"
    assert book_name(books[2], "pt") in fault.message


def test_a_line_may_not_borrow_a_topic_of_another_game() -> None:
    rules = mixed_rules()
    borrowed = Line(rulebook="pt-roleta-francesa", topic="third_card", difficulty=2, items=2, points=2)
    last = type(rules.sections[2])(key="roulette", names={"pt": "Roleta"}, lines=(borrowed,))
    [fault] = validation.verify(mixed_rules(sections=(*rules.sections[:2], last)))
    assert fault.path == "sections.2.lines.0.topic"


def test_every_form_has_all_three_games_and_a_right_one_is_certified_for_each() -> None:
    now = timezone.now()
    version = making.make_version(mixed_rules())
    session = Session.objects.create(
        programme_version=version,
        title="Exame misto",
        opens_at=now - timedelta(minutes=5),
        entry_closes_at=now + timedelta(hours=1),
        access_code="SABOT-7",
        state=Session.State.PREPARING,
        created_by=version.author,
    )
    for _number in range(3):
        person = PersonFactory()
        Candidate.objects.create(session=session, person=person, name=person.name, entered_by=version.author)
    assert maker.make_papers(session.pk), Session.objects.get(pk=session.pk).why_no_forms
    for candidate in session.candidates.all():
        placed = FormItem.objects.filter(form__candidate=candidate).values_list("item__rulebook", flat=True)
        assert Counter(placed) == dict.fromkeys(THREE_GAMES, 2)

    first, second = session.candidates.all()[:2]
    for candidate, right in ((first, 6), (second, 4)):
        sitting = making.start(candidate)
        check_identity(sitting, name=sitting.name, by=version.author, now=now)
        making.answer(sitting, right=right)
        grade_sitting(making.close(sitting).pk)
    results = {result.sitting.candidate_id: result for result in Result.objects.all()}
    assert (results[first.pk].passed, results[second.pk].passed) == (True, False)
    assert issuance.follow(results[first.pk].pk) is None, "the third candidate may still begin with the same cases"
    Session.objects.filter(pk=session.pk).update(entry_closes_at=now)
    assert release.release_due() == 2
    certificate = issuance.follow(results[first.pk].pk)
    assert certificate is not None
    assert certificate.scope == list(THREE_GAMES)


@languages
def test_a_certificate_names_every_game_wherever_it_is_shown(client: Client, language: str) -> None:
    holder = PersonFactory(language=language)
    certificate = make_certificate(making.make_version(mixed_rules()), holder)
    with pypdfium2.PdfDocument(document(certificate)) as opened:
        printed = " ".join(opened[0].get_textpage().get_text_bounded().split())
    achievement = payload(certificate)["credentialSubject"]["achievement"]
    code = reverse("check_code", args=[certificate.code])
    stranger = client.get(code, headers={"accept-language": language}).content.decode()
    data = client.get(code, headers={"accept-language": language, "accept": "application/json"}).json()
    assert list(data["rulebooks"]) == list(THREE_GAMES)
    # The achievement is one for all who hold it, so it is in the language of the house.
    assert achievement["tag"] == [book_name(book, achievement["inLanguage"]) for book in THREE_GAMES]
    assert all(name in achievement["description"] for name in achievement["tag"])
    client.force_login(holder)
    own = client.get(reverse("own_certificates")).content.decode()
    for book in THREE_GAMES:
        name, game = book_name(book, language), rulebook(book).game.name(language)
        assert game.casefold() in name.casefold()
        for shown in (printed, stranger, own, data["rulebooks"][book]):
            assert name in shown


@languages
def test_who_may_deal_counts_each_game(client: Client, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exams.clock.today", lambda: TODAY)
    mixed, twice = staff("Ana Mista"), staff("Rui Roleta")
    certify(mixed, scope=tuple(THREE_GAMES))
    certify(twice, scope=("pt-roleta-francesa", "pt-roleta-americana"))
    client.force_login(PersonFactory(roles=[Role.HR], language=language))
    games = client.get(reverse("hr_tonight")).context["games"]
    counted = {game["name"]: (game["people"], [book["count"] for book in game["rulebooks"]]) for game in games}
    names = [rulebook(book).game.name(language) for book in THREE_GAMES]
    # Two rulebooks of roulette, and one person with both is still one person.
    assert counted == dict(zip(names, [(1, [1]), (1, [1]), (2, [2, 1])], strict=True))
