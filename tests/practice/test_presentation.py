"""What the page says: questions that give nothing away, and feedback to learn from."""

import json
from dataclasses import replace
from typing import Any

import pytest
from django.utils import translation

import rules_engine
from rules_engine import Scenario, scenario_of
from rules_engine.games.chemin_de_fer import GAME
from rules_engine.narration import show
from tests.factories import PersonFactory
from tests.practice.drills import make_drill, put, right_answer, silent, wrong_answer
from training.library.models import Item, Version
from training.platform.engine_json import document
from training.practice import services
from training.practice.feedback import Feedback, feedback
from training.practice.models import Mark
from training.practice.presentation import questions, story


@pytest.fixture(autouse=True)
def _english() -> Any:
    with translation.override("en"):
        yield


def third_card(book: str = "pt-chemin-de-fer", **changes: Any) -> Scenario:
    """The ponto took a 4; the banker has 5, plays by the table and must draw in Portugal; in Sanremo he may choose."""
    facts = {
        "seats": [1, 2, 3, 4, 5, 6, 7],
        "banker": "7",
        "bank": 600,
        "holder": "2",
        "claim": "stake",
        "stakes": [{"player": "2", "amount": 300}, {"player": "1", "amount": 300}],
        "ponto": ["4h", "8d", "4s"],
        "banker_cards": ["Ks", "5d"],
        "next": ["As"],
        "by_table": ["banker"],
        "calls": [{"by": "ponto", "says": "card"}, {"by": "4", "says": "banco"}, {"by": "banker", "says": "no"}],
        "incident": {"kind": "banker_to_decide", "wish": "stand"},
    }
    return scenario_of(GAME.read(facts | changes), rules_engine.rulebook(book), topic="third_card")


def stuck(order_known: bool = False) -> Scenario:
    """Two cards stuck together: annulled in Portugal unless it is certain which came first (104 c)."""
    facts = {
        "seats": [1, 2, 3, 4, 5],
        "banker": "5",
        "bank": 600,
        "holder": "2",
        "claim": "stake",
        "calls": [{"by": "ponto", "says": "card"}],
        "ponto": ["2h", "2d"],
        "banker_cards": ["Ks", "3d"],
        "loose": ["5h", "9c"],
        "next": ["As"],
        "incident": {"kind": "stuck_third_cards", "order_known": order_known, "wish": "stand"},
    }
    return scenario_of(GAME.read(facts), rules_engine.rulebook("pt-chemin-de-fer"), topic="draw_faults")


def graded(scenario: Scenario, answer: dict[str, str]) -> Mark:
    attempt = services.submit_answer(put(scenario), rules_engine.answer_from({"parts": answer}))
    mark = services.grade(attempt.pk)
    assert mark
    return mark


def told(scenario: Scenario, answer: dict[str, str]) -> Feedback:
    return feedback(scenario, graded(scenario, answer), "en")


# ---------- before the answer ----------


def test_an_order_is_asked_of_everybody_at_the_table() -> None:
    """Offering only those concerned would be half the answer."""
    for seed in range(200):
        scenario = rules_engine.generate("pt-chemin-de-fer", "banco_priority", seed, 3)
        asked = [question for question in questions(scenario, "en", {}) if question.kind == "order"]
        if asked:
            present = sorted([*map(str, scenario.situation.seats), *scenario.situation.standing])
            assert [option.value for option in asked[0].options] == present
            return
    pytest.fail("no question of order in 200 seeds")


@pytest.mark.parametrize(
    ("book", "topic", "key", "example"),
    [
        ("pt-roleta-francesa", "payout", "paid_spot", "17, 17-20, encarnado"),
        ("pt-banca-francesa", "bets", "put_where", "ases, risco interior"),
    ],
)
def test_a_spot_is_asked_for_with_an_example_of_its_own_game(book: str, topic: str, key: str, example: str) -> None:
    made = (rules_engine.generate(book, topic, seed) for seed in range(100))
    scenario = next(one for one in made if any(question.key == key for question in one.questions))
    (asked,) = (one for one in questions(scenario, "pt", {}) if one.key == key)
    assert asked.example == example


@pytest.mark.parametrize("language", ["en", "pt"])
def test_the_questions_look_the_same_whether_they_arise_or_not(language: str) -> None:
    annulled, restored = (questions(stuck(known), language, {}) for known in (False, True))
    for one, other in zip(annulled, restored, strict=True):
        assert (one.key, one.kind, one.text, one.idle) == (other.key, other.kind, other.text, other.idle)
        if one.kind != "words":  # the easier mode of practice offers other words
            assert one.options == other.options
    assert [question.key for question in annulled if question.idle] == ["banker_draw", "ponto_score"]


def test_that_it_does_not_arise_is_an_option_or_a_box_beside_what_is_typed() -> None:
    given = dict.fromkeys(("announcement", "banker_draw"), rules_engine.DOES_NOT_ARISE)
    both = (*questions(stuck(), "en", given), *questions(silent(), "en", given))
    asked = {question.key: question for question in both}
    assert asked["banker_draw"].options[-1] == asked["banker_draw"].idle
    assert asked["banker_draw"].options[-1].chosen
    words = asked["announcement"]
    assert words.idle and words.idle.chosen
    assert (words.given, words.idle in words.options) == ("", False)
    assert asked["coup"].idle is None


def test_the_words_of_a_question_that_does_not_arise_can_be_picked_too() -> None:
    """The list of the easier mode is there as it is for a question that does."""
    words = next(question for question in questions(silent(), "en", {}) if question.kind == "words")
    assert len(words.options) > 1


def test_what_was_given_is_chosen_again() -> None:
    asked = {question.key: question for question in questions(third_card(), "en", {"winner": "tie"})}
    assert [option.value for option in asked["winner"].options if option.chosen] == ["tie"]
    assert not asked["announcement"].picked


def test_the_log_knows_where_the_speaker_is() -> None:
    lines = story(third_card(), "en").calls
    assert [line.place for line in lines] == ["2", "4", "7"]
    assert (lines[0].words, lines[0].meaning) == ("Carta.", "Card.")


@pytest.mark.parametrize("language", ["pt", "en"])
def test_a_face_down_card_stays_face_down_until_the_mark(language: str) -> None:
    scenario = third_card(
        "it-sanremo-chemin-de-fer",
        hidden=["loose.1"],
        ponto=["2h", "3h"],
        loose=["9c", "4s"],
        calls=[{"by": "ponto", "says": "no"}],
        incident={"kind": "unasked_card"},
        by_table=[],
        next=[],
    )
    with translation.override(language):
        told = story(scenario, language)
        asked = questions(scenario, language, {})
    page = json.dumps([document(told.sentences), told.table.words, [q.text for q in asked], str(told.table)])
    assert "4♠" in json.dumps([q.text for q in asked], ensure_ascii=False)
    assert "9♣" not in json.dumps(json.loads(page), ensure_ascii=False)
    assert "9 of clubs" not in page and "9 de paus" not in page
    assert "rank='9'" not in page and "suit='c'" not in page


# ---------- after it ----------


@pytest.mark.django_db
def test_the_verdict_is_full_nearly_partly_or_not() -> None:
    scenario = third_card()
    right = right_answer(scenario)
    full, words, nothing = (
        told(scenario, answer)
        for answer in (right, right | {"announcement": "Igualdade a 5"}, dict.fromkeys(right, ""))
    )
    assert (full.standing, full.line) == ("full", "All of it is right.")
    nearly = told(scenario, right | {"winner": "ponto"})
    assert (nearly.standing, nearly.line) == ("nearly", "Nearly all of it is right: 1 thing to put right.")
    assert (words.standing, words.line) == ("partly", "Part of it is right: 2 of 3.")
    assert (nothing.standing, nothing.line) == ("not", "Not this time. Here is the ruling.")
    assert [part.correct for part in nearly.parts] == [True, True, False]
    assert (len(nearly.right), [part.right for part in nearly.wrong]) == (2, ["tie"])


@pytest.mark.django_db
def test_a_lost_part_names_the_clause_it_broke_and_a_right_one_none() -> None:
    scenario = third_card()
    shown = told(scenario, right_answer(scenario) | {"announcement": "Igualdade a 5"})
    assert [[clause.cite for clause in part.clauses] for part in shown.parts] == [["96 b-2"], [], []]
    (clause,) = shown.parts[0].clauses
    assert (clause.rulebook, clause.shown, clause.language) == (scenario.rulebook, "art. 96 b)", "en")
    assert clause.text == scenario.book.law.summary("96 b-2", "en")


@pytest.mark.django_db
def test_values_come_back_as_one_says_them() -> None:
    """No codes, no bare numbers, no capital within a line."""
    scenario = third_card()
    idle = told(scenario, right_answer(scenario) | {"announcement": rules_engine.DOES_NOT_ARISE}).parts[0]
    assert (idle.words, "does_not_arise" in repr(idle)) == ((), False)
    book = scenario.book
    assert show("ponto_score", "score", "0", book, "pt") == "Bacará"
    assert show("next_bank", "amount", "216000", book, "pt") == "216\N{NO-BREAK SPACE}000\N{NO-BREAK SPACE}€"
    assert show("next_bank", "amount", "216.000", book, "pt") == show("next_bank", "amount", 216000, book, "pt")
    assert show("next_bank", "amount", "muito", book, "pt") == "Muito"
    assert show("priority", "order", "7, 3a", book, "en") == "Seat 7, standing player 3a"
    for seed in range(60):
        asked = rules_engine.generate("pt-chemin-de-fer", "cards_to", seed, 3)
        places = {question.key: "nobody" for question in asked.questions if question.kind == "player"}
        shown = told(asked, right_answer(asked) | places)
        given = [part.given for part in shown.parts] + [part.right for part in shown.wrong]
        assert not [text for text in given if text.startswith(("Seat", "Standing"))]


@pytest.mark.django_db
def test_what_is_wrong_with_words_is_said_once() -> None:
    scenario = third_card()
    right = right_answer(scenario)
    missing = told(scenario, right | {"announcement": "Igualdade"}).parts[0]
    assert (missing.hint, bool(missing.words)) == ("", True)
    other = told(scenario, right | {"announcement": "Carta"}).parts[0]
    assert "another moment" in other.hint
    alike = told(scenario, right | {"announcement": "6 no ponto, 6 na banca"}).parts[0]
    assert alike.hint == "Those words belong to the same article, but to another result."


@pytest.mark.django_db
def test_wrong_words_are_compared_and_right_ones_are_not() -> None:
    scenario = third_card()
    right = right_answer(scenario)
    words = told(scenario, right | {"announcement": "Igualdade a 5"}).parts[0]
    assert [(word.text, word.state) for word in words.words] == [
        ("Igualdade", "said"),
        ("a", "said"),
        ("6", "missing"),
        ("5", "extra"),
    ]
    assert told(scenario, right | {"announcement": "igualdade a SEIS"}).parts[0].words == ()


@pytest.mark.django_db
def test_a_step_lights_what_it_turned_on_before_and_after() -> None:
    scenario = third_card()
    steps = told(scenario, right_answer(scenario)).steps
    scores = steps[-1]
    assert scores.lit == "ponto.1 ponto.2 ponto.3 banker.1 banker.2"
    assert scores.lit_after == scores.lit
    assert any(step.reading and step.reading.reading for step in steps)


@pytest.mark.django_db
def test_elsewhere_names_the_rulebooks_that_differ_and_no_others() -> None:
    scenario = third_card()
    elsewhere = told(scenario, wrong_answer(scenario)).elsewhere
    names = " ".join(other.rulebooks for other in elsewhere)
    assert "Sanremo" in names
    assert "Portugal" not in names
    sanremo = next(other for other in elsewhere if "Sanremo" in other.rulebooks)
    assert ("The banker's third card:", "may choose") in sanremo.rulings


@pytest.mark.django_db
def test_feedback_of_every_topic_of_every_rulebook() -> None:
    """The page must hold for whatever the engine makes, in the rulebook's own language too."""
    trainee = PersonFactory()
    for book in rules_engine.RULEBOOKS.values():
        for topic in rules_engine.topics(book.id):
            scenario = rules_engine.generate(book.id, topic, "feedback", 3)
            drill = make_drill(trainee, rulebook=book.id, topic=topic, article=None)
            drill.scenario_document = document(scenario)
            drill.save()
            attempt = services.submit_answer(drill, rules_engine.answer_from({"parts": {}}))
            mark = services.grade(attempt.pk)
            assert mark, (book.id, topic)
            for language in ("en", "pt"):
                shown = feedback(scenario, mark, language)
                assert shown.steps and shown.line
                assert len(shown.parts) == len(scenario.questions)


@pytest.mark.django_db
def test_an_authors_words_are_shown_and_the_note_only_with_the_mark() -> None:
    scenario = third_card()
    version = Version.objects.create(
        item=Item.objects.create(),
        source=Version.Source.AUTHORED,
        rulebook=scenario.rulebook,
        topic=scenario.topic,
        scenario_document=document(scenario),
        words={"en": {"title": "The slow banker", "story": "It is **late**.", "note": "Mind <script>5</script>."}},
        author=PersonFactory(),
    )
    before = story(scenario, "en", version=version)
    assert before.title == "The slow banker"
    assert before.authored == "<p>It is <strong>late</strong>.</p>\n"
    assert "Mind" not in str(before)
    after = feedback(scenario, graded(scenario, right_answer(scenario)), "en", version=version)
    assert "Mind" in after.note and "<script>" not in after.note


@pytest.mark.django_db
def test_a_clause_that_many_lost_parts_broke_is_told_once() -> None:
    """A table of payments answered all wrong: the first part tells the clause, the others only name it."""
    scenario = rules_engine.generate("pt-black-jack", "payout", "3", 5)
    found = [clause for part in feedback(scenario, graded(scenario, {}), "en").wrong for clause in part.clauses]
    told = [clause.cite for clause in found if clause.text]
    assert len(found) > len(told) == len(set(told)) == len({clause.cite for clause in found})


def test_the_gist_is_the_end_of_the_story() -> None:
    told = story(third_card(), "en")
    assert told.sentences[-1] == f"{told.gist[0]} {told.gist[1]}"
    assert all(part.endswith(".") for part in told.gist)
    (only,) = replace(told, sentences=["One sentence."]).gist[:1]
    assert only == "One sentence."
    assert replace(told, sentences=["One sentence."]).gist[1] == ""
