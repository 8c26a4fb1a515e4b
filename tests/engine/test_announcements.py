"""The listener: free about form, strict about content, and clear about what was wrong."""

import pytest

from rules_engine import RULEBOOKS, Rulebook, rulebook
from rules_engine.announcements import fill, hear, plain
from rules_engine.errors import EngineError
from rules_engine.forms import apart, each_option, first_wording, in_full
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
        for wording in (one for form in formula.forms(book.language) for one in each_option(form)):
            spoken = fill(formula, wording, said, book.language)
            assert hear(book.formulas, said, spoken, [book.language]).ok, (formula.name, spoken)


CRAPS = rulebook("pt-craps")
POINT_SET = Utterance("point_set", {"total": 6, "point": 6})
POINT_ON = Utterance("point_on", {"total": 5, "point": 6})
LINE_WINS = Utterance("line_wins", {"total": 11})
LINE_BARRED = Utterance("line_barred", {"total": 12})
SEVEN_OUT = Utterance("seven_out", {"total": 7})


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        (POINT_SET, "6. O ponto é 6. Mesmo deitador, mesmo ponto"),
        (POINT_SET, "6. O ponto é 6. Mesmo lançador, mesmo ponto"),
        (POINT_SET, "Total seis. O ponto é o seis. O mesmo lançador para o mesmo ponto"),
        (POINT_SET, "Seis, ponto 6, o lançador continua a ser o mesmo, para o mesmo ponto"),
        (POINT_ON, "Cinco. O ponto continua a ser o seis. O mesmo lançador para o mesmo ponto"),
        (POINT_ON, "Saiu o 5, continua o ponto 6; o lançador e o ponto continuam a ser os mesmos"),
        (LINE_WINS, "Onze. Ganha o pass-line e perde o don't pass. Continua o mesmo lançador para um novo ponto"),
        (LINE_WINS, "11. Perde o don't pass, ganha o pass. Mesmo lançador, novo ponto"),
        (
            LINE_WINS,
            "Total onze, ponto onze. Ganha o pass, perde o don't pass. O mesmo lançador, novo ponto",
        ),
        (LINE_WINS, "Total 11, saiu o ponto 11. Ganha o pass, perde o don't pass. O mesmo deitador para novo ponto"),
        (POINT_ON, "Total 5. O ponto 6 continua. O mesmo deitador para o mesmo ponto"),
        (Utterance("void_throw"), "Golpe nulo. O mesmo deitador para o mesmo ponto"),
        (LINE_BARRED, "Doze. Perde o pass-line, o don't pass não ganha nem perde. Mesmo lançador, novo ponto"),
        (SEVEN_OUT, "Sete. Perde o pass-line e ganha o don't pass-line. Novo lançador para um novo ponto"),
        (SEVEN_OUT, "7. Perde o pass, ganha o don't pass. Muda o lançador, novo ponto"),
    ],
)
def test_pt_craps_13_3_a_the_one_who_throws_goes_by_two_names(expected: Utterance, said: str) -> None:
    assert hear(CRAPS.formulas, expected, said, ["pt", "en"]).ok


@pytest.mark.parametrize(
    ("expected", "said", "problem"),
    [
        (POINT_SET, "6. O ponto é 6. Novo lançador para o mesmo ponto", "heard.missing"),
        (POINT_SET, "6. O ponto é 6. O mesmo lançador para um novo ponto", "heard.missing"),
        (POINT_SET, "6. O ponto é 8. O mesmo lançador para o mesmo ponto", "heard.wrong_slot"),
        (POINT_SET, "8. O ponto é 6. O mesmo lançador para o mesmo ponto", "heard.wrong_slot"),
        (POINT_SET, "6. O ponto é 6. Mesmo lançador", "heard.missing"),
        (POINT_ON, "5. O ponto continua a ser o 5. O mesmo lançador para o mesmo ponto", "heard.wrong_slot"),
        (POINT_ON, "5. O ponto é 6. O mesmo lançador para o mesmo ponto", "heard.wrong_moment"),
        (LINE_WINS, "11. Perde o pass-line, ganha o don't pass-line. Mesmo lançador, novo ponto", "heard.wrong_moment"),
        (LINE_WINS, "11. Ganha o pass-line, perde o don't pass-line. Novo lançador, novo ponto", "heard.missing"),
        (LINE_WINS, "11, ponto 6. Ganha o pass-line, perde o don't pass. Mesmo lançador, novo ponto", "heard.too_much"),
        (SEVEN_OUT, "7. Perde o pass, ganha o don't pass. Mesmo lançador, novo ponto", "heard.wrong_moment"),
        (
            SEVEN_OUT,
            "7. Perde o pass, ganha o don't pass. O lançador continua o mesmo, novo ponto",
            "heard.wrong_moment",
        ),
    ],
)
def test_pt_craps_13_3_a_another_shooter_or_point_is_still_wrong(expected: Utterance, said: str, problem: str) -> None:
    assert hear(CRAPS.formulas, expected, said, ["pt", "en"]).problem == problem


RESULT = Utterance("result", {"low": 4, "middle": 6, "high": 6, "total": 16, "side": "grande"})


@pytest.mark.parametrize("said", ["Dezasseis, grande: 4, 6 e 6", "Total 16: seis, 6 e quatro", "Grande, 16: 6, 4, 6"])
def test_pt_cussec_5_the_total_may_come_before_the_dice(said: str) -> None:
    assert hear(rulebook("pt-cussec").formulas, RESULT, said, ["pt"]).ok
    assert not hear(rulebook("pt-cussec").formulas, RESULT, said.replace("6", "5").replace("sei", "cin"), ["pt"]).ok


def test_pt_black_jack_18_the_seat_may_be_named() -> None:
    formulas = rulebook("pt-black-jack").formulas
    for said in ("Lugar 1, quer carta?", "O lugar três deseja mais cartas?", "Quer outra carta?"):
        assert hear(formulas, Utterance("more_cards"), said, ["pt"]).ok
    assert not hear(formulas, Utterance("more_cards"), "Lugar 1, quer seguro?", ["pt"]).ok


def test_pt_1995_96_the_english_of_a_sale_is_free() -> None:
    formulas, sold = rulebook("pt-chemin-de-fer-1995").formulas, Utterance("bank_awarded", {"amount": 200000})
    for said in ("Bank of 200 000$00, awarded", "Bank of 200,000 escudos, sold", "Bank sold at 200 000"):
        assert hear(formulas, sold, said, ["en"]).ok
    assert not hear(formulas, sold, "Bank of 200 000 escudos", ["en"]).ok


def test_digits_of_scripts_that_are_no_numbers_are_words_like_others() -> None:
    assert hear(PT.formulas, SEVEN_FIVE, "፩ no ponto, 5 na banca", ["pt"]).problem == "heard.wrong_slot"
    assert not hear(PT.formulas, SEVEN_FIVE, "7 no ponto, 5 na banca ፩", ["pt"]).ok


def test_what_is_missing_is_told_in_the_words_that_were_begun() -> None:
    heard = hear(CRAPS.formulas, POINT_SET, "6. O ponto é 6. Mesmo lançador", ["pt"])
    assert heard.values == {"words": "mesmo ponto"}


def test_a_form_with_choices() -> None:
    form = in_full("[O|] mesmo <shooter> [para [um|o]|, ] novo ponto", {"shooter": "[lançador|deitador]"})
    assert first_wording(form) == "O mesmo lançador para um novo ponto"
    assert set(each_option(form)) == {
        "O mesmo lançador para um novo ponto",
        "Mesmo lançador para um novo ponto",
        "O mesmo deitador para um novo ponto",
        "O mesmo lançador para o novo ponto",
        "O mesmo lançador, novo ponto",
    }


@pytest.mark.parametrize("form", ["[a|b", "a|b", "a]", "<nobody>"])
def test_a_form_that_cannot_be_read_is_refused(form: str) -> None:
    with pytest.raises(EngineError):
        in_full(form, {})


def test_choices_with_slots_are_heard_apart() -> None:
    assert apart("[{low}, {high}|{high}, {low}] [total|] {total}") == [
        "{low}, {high} [total|] {total}",
        "{high}, {low} [total|] {total}",
    ]
    assert apart("[a [b|c] {d}|e] f") == ["a [b|c] {d} f", "e f"]
