"""A document that fits the schema is ruled on, declined, or refused by the name of a fact; none breaks the engine."""

import json
from collections import Counter
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from rules_engine import GAMES, Answer, Rulebook, Scenario, decode, encode, exam_fit, grade, rulebook, scenario_of
from rules_engine.errors import EngineError, ImpossibleFacts, NotRegulated
from rules_engine.narration import ask, call_log, languages_of, narrate, reason, show, turned_on
from tests.engine.documents import Document, Documents, smallest
from tests.samples import sample

DOCUMENTS = 50_000
SUBJECTS = sorted((book.id, kind) for game in GAMES.values() for book in game.books for kind in book.kinds())
EACH = -(-DOCUMENTS // len(SUBJECTS))
FEWEST = sample(EACH // 8, EACH)  # and more, up to EACH, until one is ruled on


@cache
def documents_of(game: str) -> Documents:
    return Documents(game)


def outcome(document: Document, book: Rulebook) -> str:
    """What the engine makes of a document. Whatever it rules on it must also ask about, tell, write and read again."""
    try:
        situation = book.game.read(document)
    except EngineError:
        return "refused"
    try:
        book.rule(situation)
    except ImpossibleFacts:
        return "refused"
    except NotRegulated:
        return "declined"
    scenario = scenario_of(situation, book)
    assert decode(encode(scenario)) == scenario
    exam_fit(scenario)
    grade(scenario, Answer({question.key: None for question in scenario.questions}))
    for language in languages_of(book):
        tell(scenario, language)
    return "ruled"


def tell(scenario: Scenario, language: str) -> None:
    situation, book = scenario.situation, scenario.book
    narrate(situation, book, language)
    call_log(situation, book, language)
    for question in scenario.questions:
        ask(question.key, situation, book, language)
        for option in question.options:
            show(question.key, question.kind, option, book, language)
    for step in scenario.solve().steps:
        reason(step, book, language)
        turned_on(step, situation, book)


def check(document: Document, book: Rulebook) -> str:
    """The same; a document that breaks the engine is reported with the facts that matter to it."""
    try:
        return outcome(document, book)
    except Exception as error:
        broken = error
    kept = smallest(document, documents_of(book.game.id), lambda less: breaks(less, book, type(broken)))
    pytest.fail(f"{broken!r} under {book.id}:\n{json.dumps(kept)}")


def breaks(document: Document, book: Rulebook, how: type[Exception]) -> bool:
    try:
        outcome(document, book)
    except Exception as error:
        return type(error) is how
    return False


@pytest.mark.parametrize(("book_id", "kind"), SUBJECTS)
def test_no_document_breaks_the_engine(book_id: str, kind: str) -> None:
    book, found = rulebook(book_id), Counter[str]()
    for number in range(EACH):
        document = documents_of(book.game.id).any(Random(f"{book_id} {kind} {number}"), kind)
        found[check(document, book)] += 1
        if found["ruled"] and number >= FEWEST:
            break
    assert found["ruled"], "the documents never come as far as the rule"


@pytest.mark.parametrize("game", GAMES)
def test_nor_one_that_hypothesis_thinks_of(game: str) -> None:
    books = GAMES[game].books
    documents = documents_of(game)

    @settings(
        max_examples=sample(100, 500),
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(random=st.randoms(use_true_random=False), kind=st.sampled_from(sorted(documents.kinds)), data=st.data())
    def try_one(random: Random, kind: str, data: Any) -> None:
        outcome(documents.any(random, kind), data.draw(st.sampled_from(books)))

    try_one()


@pytest.mark.parametrize("game", GAMES)
def test_the_documents_fit_the_schema(game: str) -> None:
    documents = documents_of(game)
    table = {**documents.model, "properties": {**documents.model["properties"], "incident": True}}
    for kind, incident in documents.kinds.items():
        checks = [Draft202012Validator({**part, "$defs": documents.definitions}).validate for part in (table, incident)]
        for number in range(10):
            document = documents.any(Random(f"{kind} {number}"), kind)
            checks[0](document)
            checks[1](document["incident"])


TABLE: Document = {"seats": [1, 2, 3], "standing": ["2a"], "banker": "1", "bank": 1000, "minimum": 100, "unit": 10}
BANKER_ALONE: Document = TABLE | {"seats": [1]}
DEALT: Document = {"ponto": ["Kh", "2s"], "banker_cards": ["Kd", "4c"]}
CARD: Document = {"by": "ponto", "says": "card"}
BID: Document = {"by": "2", "says": "bid", "amount": 200}


@pytest.mark.parametrize(
    ("facts", "incident", "refusal"),
    [
        ({"minimum": 0, "calls": [BID]}, {"kind": "bid_made", "base": 100, "step": 100}, "minimum: an auction is held"),
        ({"bank": 0, "calls": [CARD]}, {"kind": "betting_goes_on"}, "bank: nobody bets against a bank of nothing"),
        (
            {"calls": [CARD, BID | {"amount": None}]},
            {"kind": "sum_short"},
            r"calls\[1\].amount: these words name a sum",
        ),
        ({"calls": [{"by": "croupier\n", "says": "closed"}]}, {"kind": "sum_short"}, r"calls\[0\].by: nobody is at"),
        ({"stakes": [{"player": "2", "amount": 0}]}, {"kind": "sum_short"}, r"stakes\[0\].amount: a stake of nothing"),
        ({"hidden": ["ponto.²"], "ponto": ["Kh", "2s"]}, {"kind": "sum_short"}, "hidden: there is no card ponto.²"),
        ({"ponto": ["Kh\n"]}, {"kind": "sum_short"}, r"situation\.ponto\[0\]: expected at most 2 characters"),
        (
            DEALT | {"ponto": ["Kh", "2s", "3c"], "calls": [CARD | {"says": "suivi"}]},
            {"kind": "ponto_false_draw"},
            "calls: the ponto has said neither card nor no",
        ),
        (DEALT | {"calls": [CARD | {"says": "suivi"}]}, {"kind": "coup_goes_on"}, "calls: a ponto with the cards says"),
        (
            DEALT,
            {"kind": "cards_binned", "by": "ponto", "stage": "seen", "cards": ["banker.²"]},
            "incident.cards: there is no card banker.²",
        ),
        (
            DEALT,
            {"kind": "card_on_floor", "card": "ponto.1", "by": "ponto", "picker": "4"},
            "incident.picker: nobody is at 4",
        ),
        (
            {"ponto": ["Kh"], "loose": ["2s"], "next": ["3c", "4c", "5c"]},
            {"kind": "deal_under_way", "by": "3a", "wish": "raise"},
            "incident.by: nobody is at 3a",
        ),
        ({}, {"kind": "neighbour_sought", "of": "croupier\n", "side": "left"}, "incident.of: nobody is at croupier"),
    ],
)
def test_a_fact_that_cannot_be_is_refused_by_its_name(facts: Document, incident: Document, refusal: str) -> None:
    needed = {"player": "2", "said": 20, "down": 10} if incident["kind"] == "sum_short" else {}
    with pytest.raises(EngineError, match=f"^{refusal}"):
        GAMES["chemin_de_fer"].read(TABLE | facts | {"incident": incident | needed})


@pytest.mark.parametrize(
    ("facts", "incident"),
    [
        ({}, {"kind": "coup_over", "result": "lost"}),
        ({}, {"kind": "auction_unsold", "regular": "1"}),
        ({}, {"kind": "buyer_wont_deal", "passer": "2a", "acquired": "auction"}),
        ({}, {"kind": "inspector_deals", "dealt": 1, "back": False, "running": False}),
        ({"wins": 1}, {"kind": "passes_bank", "regular": "1", "coups": ["won"]}),
        ({}, {"kind": "moved_seat", "mover": "1", "left": 4}),
        ({}, {"kind": "bank_out_of_turn", "previous": "1", "stage": "drawn"}),
        ({}, {"kind": "neighbour_sought", "of": "1", "side": "left"}),
    ],
)
def test_the_bank_needs_somebody_to_go_to(facts: Document, incident: Document) -> None:
    with pytest.raises(ImpossibleFacts, match=r"^seats: nobody (else )?is seated"):
        GAMES["chemin_de_fer"].read(BANKER_ALONE | facts | {"incident": incident})


@pytest.mark.parametrize(
    ("game", "incident"),
    [
        ("chemin_de_fer", {"kind": "game_opens"}),
        ("chemin_de_fer", {"kind": "cut_offered", "first_shoe": True}),
        ("chemin_de_fer", {"kind": "neighbour_sought", "of": "croupier", "side": "left"}),
        ("ponto_banca", {"kind": "cut_offered"}),
    ],
)
def test_a_table_where_nobody_sits_is_refused_where_a_seat_is_asked_for(game: str, incident: Document) -> None:
    standing = {"seats": [], "standing": ["2a"], "incident": incident}
    banker = {"banker": "2a"} if game == "chemin_de_fer" else {}
    with pytest.raises(ImpossibleFacts, match=r"^seats: nobody (else )?is seated"):
        GAMES[game].read(standing | banker)


@pytest.mark.parametrize(
    ("book_id", "facts", "incident", "silence"),
    [
        (
            "es-chemin-de-fer",
            DEALT
            | {
                "stakes": [{"player": "2", "amount": 40, "line": True}],
                "calls": [CARD],
                "loose": ["3c"],
                "next": ["As"],
            },
            {"kind": "third_card_binned", "wish": "draw"},
            "arts. 1 to 4 do not speak of chips on the line",
        ),
        (
            "pt-chemin-de-fer",
            {"calls": [{"by": "croupier", "says": "banco"}]},
            {"kind": "betting_goes_on"},
            r"art\. 96 a\): the croupier repeats the bancô of a player, and none has called one",
        ),
    ],
)
def test_what_a_text_is_silent_about_is_declined(
    book_id: str, facts: Document, incident: Document, silence: str
) -> None:
    situation = GAMES["chemin_de_fer"].read(TABLE | facts | {"incident": incident})
    with pytest.raises(NotRegulated, match=f"^{silence}$"):
        rulebook(book_id).rule(situation)


def test_a_ponto_whose_place_is_not_told_is_called_by_his_part() -> None:
    """Bancô frees the banker whoever called it."""
    facts = TABLE | DEALT | {"claim": "banco", "calls": [CARD | {"says": "no"}], "next": ["3c"]}
    situation = GAMES["chemin_de_fer"].read(facts | {"incident": {"kind": "banker_to_decide", "wish": "draw"}})
    book = rulebook("pt-chemin-de-fer")
    told = [reason(step, book, "en") for step in book.rule(situation).steps if step.cite == "70 s2"]
    assert told == ["Banco by the ponto: the banker may depart from the table."]


def test_of_nothing_won_the_house_takes_nothing() -> None:
    """The smallest chip on the line plays for nothing."""
    facts = TABLE | {"stakes": [{"player": "2", "amount": 1, "line": True}], "incident": {"kind": "bank_won"}}
    assert rulebook("it-sanremo-chemin-de-fer").rule(GAMES["chemin_de_fer"].read(facts))["cagnotte"] == 0


def test_another_rulebook_that_needs_more_facts_does_not_stand_in_the_way() -> None:
    """Under the Portuguese text bancô lets the draw stand; at Sanremo the shoe would have to give a card."""
    facts = TABLE | DEALT | {"claim": "banco", "calls": [CARD | {"says": "no"}], "by_table": ["ponto"]}
    situation = GAMES["chemin_de_fer"].read(facts | {"incident": {"kind": "ponto_false_draw"}})
    with pytest.raises(ImpossibleFacts, match=r"^next: the shoe has no card left"):
        rulebook("it-sanremo-chemin-de-fer").rule(situation)
    assert scenario_of(situation, rulebook("pt-chemin-de-fer")).questions
