"""What a page tells around a ruling: no card that lies face down, words compared one by one, what a step turned on."""

import msgspec
import pytest

from rules_engine import GAMES, RULEBOOKS, Scenario, Step, Utterance, generate, rulebook, topics
from rules_engine.announcements import speak, word_by_word
from rules_engine.equipment.cards import CardTable
from rules_engine.games.chemin_de_fer import GAME
from rules_engine.games.chemin_de_fer.table import Situation
from rules_engine.narration import ask, cited, narrate, show, turned_on
from rules_engine.situation import Situation as AnySituation
from rules_engine.words import LANGUAGES, card_sign

PT = rulebook("pt-chemin-de-fer")
SEVEN_FIVE = Utterance("result", {"ponto": 7, "banker": 5})


# ---------- cards that lie face down ----------


def unasked_card(**changes: object) -> Situation:
    facts = {
        "seats": [1, 2, 3, 4, 5, 6, 7, 8, 9],
        "banker": "3",
        "bank": 500,
        "holder": "6",
        "ponto": ["2h", "3h"],
        "banker_cards": ["Kd", "6d"],
        "loose": ["9c", "4s"],
        "calls": [{"by": "ponto", "says": "no"}],
        "incident": {"kind": "unasked_card"},
    }
    return GAME.read(facts | changes)


@pytest.mark.parametrize(
    ("language", "where"),
    [("en", "lying apart"), ("pt", "à parte"), ("it", "a parte"), ("es", "aparte")],
)
def test_a_question_on_a_face_down_card_says_where_it_lies_and_not_which_it_is(language: str, where: str) -> None:
    shown, hidden = unasked_card(), unasked_card(hidden=["loose.1"])
    assert "9♣" in ask("fate.loose.1", shown, PT, language)
    asked = ask("fate.loose.1", hidden, PT, language)
    assert where in asked
    assert "9" not in asked and "♣" not in asked


def with_hidden_cards(scenario: Scenario) -> list[str]:
    """The signs of the cards that lie face down and of which no other copy is to be seen."""
    situation = scenario.situation
    if not isinstance(situation, CardTable):
        return []
    lying = {f"{heap}.{n}": card for heap, cards in situation.heaps().items() for n, card in enumerate(cards, start=1)}
    seen = {card for ref, card in lying.items() if ref not in situation.hidden}
    return [card_sign(lying[ref]) for ref in situation.hidden if lying[ref] not in seen]


def test_nothing_told_before_the_answer_names_a_face_down_card() -> None:
    tried = 0
    for book in RULEBOOKS.values():
        for topic in topics(book.id):
            for seed in range(6):
                scenario = generate(book.id, topic, seed, 1 + seed % 5)
                secret = with_hidden_cards(scenario)
                tried += bool(secret)
                for language in LANGUAGES if secret else ():
                    told = narrate(scenario.situation, book, language)
                    for question in scenario.questions:
                        told.append(ask(question.key, scenario.situation, book, language))
                        told += [show(question.key, question.kind, o, book, language) for o in question.options]
                    leaked = [sign for sign in secret if any(sign in sentence for sentence in told)]
                    assert not leaked, (book.id, topic, seed, language)
    assert tried > 30


# ---------- words compared ----------


def compared(said: str, expected: Utterance = SEVEN_FIVE, book: str = "pt-chemin-de-fer") -> str:
    """The comparison as one line: what is missing in [brackets], what is too much in (round ones)."""
    formula = rulebook(book).formula(expected.formula)
    signs = {"said": "{}", "missing": "[{}]", "extra": "({})"}
    words = word_by_word(formula, expected, said, rulebook(book).language)
    return " ".join(signs[word.state].format(word.text) for word in words)


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("Sete no PONTO, cinco na banca!", "7 no ponto, 5 na banca"),
        ("7 no ponto, 6 na banca", "7 no ponto, [5] (6) na banca"),
        ("7 no ponto", "7 no ponto, [5] [na] [banca]"),
        ("boa noite, 7 no ponto, 5 na banca", "(boa) (noite) 7 no ponto, 5 na banca"),
        ("Não sei", "[7] [no] [ponto,] [5] [na] [banca] (Não) (sei)"),
        ("", "[7] [no] [ponto,] [5] [na] [banca]"),
        ("bacará no ponto, 5 na banca", "[7] (bacará) no ponto, 5 na banca"),
    ],
)
def test_words_are_compared_one_by_one(said: str, line: str) -> None:
    assert compared(said) == line


def test_zero_and_baccara_are_the_same_word() -> None:
    assert compared("zero no ponto, 1 na banca", Utterance("result", {"ponto": 0, "banker": 1})) == (
        "bacará no ponto, 1 na banca"
    )


def test_the_canonical_words_of_every_formula_miss_nothing() -> None:
    for book in RULEBOOKS.values():
        for formula in book.formulas.values():
            said = Utterance(formula.name, dict.fromkeys(formula.slots, 7))
            words = word_by_word(formula, said, speak(formula, said, book.language), book.language)
            assert {word.state for word in words} == {"said"}, (book.id, formula.name)


# ---------- what a step turned on ----------


def step(text: str, **values: object) -> Step:
    return Step(cite="67 d", text=text, values=values)  # type: ignore[arg-type]


def test_scores_light_the_hands_they_were_counted_from() -> None:
    assert turned_on(
        step("higher_wins", ponto=5, banker=6, winner="banker"), unasked_card(), rulebook("pt-chemin-de-fer")
    ) == (
        "ponto.1",
        "ponto.2",
        "banker.1",
        "banker.2",
    )


def things(situation: AnySituation) -> set[str]:
    """What can be lit at a table besides its places: cards that lie there, or the spots of a layout."""
    if isinstance(situation, CardTable):
        return {f"{heap}.{n}" for heap, cards in situation.heaps().items() for n in range(1, len(cards) + 1)}
    return {f"spot:{key}" for key in GAMES[situation.game].spots}


def test_every_step_of_every_topic_lights_only_what_is_there() -> None:
    lit = 0
    for book in RULEBOOKS:
        for topic in topics(book):
            for seed in range(3):
                scenario = generate(book, topic, seed, 3)
                situation = scenario.situation
                there = things(situation)
                places = {str(number) for number in range(1, 10)} | set(situation.standing) | {"bank"}
                for found in scenario.solve().steps:
                    refs = set(turned_on(found, situation, scenario.book))
                    lit += bool(refs)
                    assert refs <= there | places, (book, topic, seed, msgspec.to_builtins(found))
    assert lit > 200


# ---------- citations ----------


def test_a_citation_names_the_article_or_the_heading() -> None:
    assert cited("67 d", rulebook("pt-chemin-de-fer"), "en") == "art. 67 d)"
    assert cited("67 d", rulebook("pt-chemin-de-fer-1995"), "en") == "art. I 67 d)"
    assert cited("15 s2", rulebook("pt-ponto-banca-1995"), "pt") == "art. II 15"
    assert cited("15 s2", rulebook("pt-black-jack"), "pt") == "art. V 15"
    assert cited("X 20 b", rulebook("pt-roleta-francesa"), "pt") == "art. X 20 b)"
    assert cited("distribuicao B-3", rulebook("pt-ponto-banca-macau"), "pt") == "secção «distribuição»"


def test_every_row_of_every_rulebook_can_be_cited() -> None:
    for book in RULEBOOKS.values():
        for cite in book.law.rows:
            for language in LANGUAGES:
                assert cited(cite, book, language)
