"""The listener: free about form, strict about content, and clear about what was wrong."""

import pytest

from rules_engine import RULEBOOKS, Rulebook, rulebook
from rules_engine.announcements import fill, hear, plain
from rules_engine.ruling import Utterance

PT = rulebook("pt-chemin-de-fer")
SEVEN_FIVE = Utterance("result", {"ponto": 7, "banker": 5})


@pytest.mark.parametrize(
    "said",
    [
        "7 no ponto, 5 na banca",
        "7 NO PONTO 5 NA BANCA",
        "sete no ponto; cinco na banca!",
        "«7 no ponto», «5 na banca»",
        "  Sete   no ponto, 5 na banca. ",
    ],
)
def test_case_punctuation_and_number_words_are_free(said: str) -> None:
    assert hear(PT.formulas, SEVEN_FIVE, said, ["pt"]).ok


@pytest.mark.parametrize("zero", ["bacará", "bacara", "Baccará", "0", "zero"])
@pytest.mark.parametrize("one", ["1", "um"])
def test_baccara_and_one_in_every_form(zero: str, one: str) -> None:
    said = Utterance("result", {"ponto": 0, "banker": 1})
    assert hear(PT.formulas, said, f"{zero} no ponto, {one} na banca", ["pt"]).ok


@pytest.mark.parametrize(("word", "score"), [("dois", 2), ("três", 3), ("tres", 3)])
def test_two_and_three_by_word_wherever_they_stand(word: str, score: int) -> None:
    said = Utterance("result", {"ponto": 7, "banker": score})
    assert hear(PT.formulas, said, f"sete no ponto, {word} na banca", ["pt"]).ok


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("", "heard.nothing"),
        ("…", "heard.nothing"),
        ("5 no ponto, 7 na banca", "heard.wrong_side"),
        ("7 no ponto, 6 na banca", "heard.wrong_slot"),
        ("8 no ponto, 5 na banca", "heard.wrong_slot"),
        ("Igualdade a 7", "heard.wrong_moment"),
        ("7 no ponto", "heard.missing"),
        ("ganha o ponto", "heard.missing"),
        ("7 au ponte, 5 à la banque", "heard.wrong_language"),
        ("7 no ponto, 5 na banca, ganha o ponto", "heard.too_much"),
    ],
)
def test_what_is_wrong_is_named(said: str, problem: str) -> None:
    assert hear(PT.formulas, SEVEN_FIVE, said, ["pt"]).problem == problem


def test_a_wrong_number_is_told_with_the_right_one() -> None:
    heard = hear(PT.formulas, SEVEN_FIVE, "7 no ponto, 6 na banca", ["pt"])
    assert heard.values == {"slot": "banker", "said": 6, "right": 5, "kind": "score"}


def test_pt_cdf_96_foreign_players_may_hear_it_again_in_french_or_english() -> None:
    both = "7 no ponto, 5 na banca. Sept au ponte, cinq à la banque"
    assert hear(PT.formulas, SEVEN_FIVE, both, ["pt", "fr", "en"]).ok
    assert not hear(PT.formulas, SEVEN_FIVE, both, ["pt"]).ok
    wrong = "7 no ponto, 5 na banca. Sept au ponte, six à la banque"
    assert hear(PT.formulas, SEVEN_FIVE, wrong, ["pt", "fr", "en"]).problem == "heard.wrong_slot"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("500", "500"),
        ("500 €", "500"),
        ("€ 500", "500"),
        ("500,00 euros", "500"),
        ("1.500", "1500"),
        ("1 500", "1500"),
        ("1\N{NO-BREAK SPACE}500 €", "1500"),
        ("quinhentos euros", "500"),
        ("mil e duzentos", "1200"),
        ("20.000$00", "20000"),
        ("12.000.000", "12000000"),
    ],
)
def test_amounts_in_every_usual_form(text: str, number: str) -> None:
    assert plain(text, "pt") == number


@pytest.mark.parametrize("book", RULEBOOKS.values(), ids=RULEBOOKS)
def test_every_formula_is_heard_as_itself(book: Rulebook) -> None:
    for formula in book.formulas.values():
        slots: dict[str, int | str] = {name: 4 if kind == "score" else 500 for name, kind in formula.slots.items()}
        said = Utterance(formula.name, slots)
        assert formula.cite in book.law, f"{formula.name} cites nothing"
        for form in formula.forms(book.language):
            spoken = fill(formula, form, said, book.language)
            assert hear(book.formulas, said, spoken, [book.language]).ok, (formula.name, spoken)
