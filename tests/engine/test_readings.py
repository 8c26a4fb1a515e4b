"""Readings that a house adopts where a text is open: the engine follows them, and says so."""

import msgspec
import pytest

from rules_engine import (
    RULEBOOKS,
    Adopted,
    Scenario,
    decode,
    encode,
    exam_fit,
    generate,
    rulebook,
    scenario_from,
    under,
)
from rules_engine.errors import UnknownName
from rules_engine.games.baccarat.cards import score
from rules_engine.narration import languages_of, reason
from rules_engine.topics import cases
from tests.samples import sample

OTHERS = [
    (book.id, question, choice)
    for book in RULEBOOKS.values()
    for question in book.open_questions
    for choice in book.game.others(question)
]
SEEDS = range(sample(40, 120))  # readings of a rule often agree
# Clauses whose cases another reading reaches though ours does not.
REACHED = {"Q9": ("87 s1",)}


def _made(book_id: str, question: str) -> list[Scenario]:
    """Cases made for the clauses that a question is about."""
    law = rulebook(book_id).law
    promised = {cite for case in cases(book_id) for cite in case.turns_on[book_id]}
    cites = [row.cite for row in law.clauses.values() if row.reading == question and row.cite in promised]
    return [generate(book_id, None, seed, 1 + seed % 5, article=cite) for cite in cites for seed in SEEDS]


@pytest.mark.parametrize(("book_id", "question", "choice"), OTHERS)
def test_another_reading_is_followed_and_named_wherever_it_decides(book_id: str, question: str, choice: str) -> None:
    adopted = Adopted(choice, "7")
    changed = 0
    for scenario in _made(book_id, question):
        house = under(scenario, {question: adopted})
        before, after = scenario.solve(), house.solve()
        if [one.value for one in before.decisions] != [one.value for one in after.decisions]:
            changed += 1
            followed = [step for step in after.steps if step.reading == question]
            assert followed and all(step.adopted == adopted for step in followed)
        assert all(reason(step, house.book, language) for step in after.steps for language in languages_of(house.book))
        assert decode(encode(house)).solve() == after
    # Of the two texts on the tie each has one of the readings for its own wording.
    assert changed or (book_id, choice) in {("pt-ponto-banca-macau", "actual"), ("pt-ponto-banca-macau-1995", "fixed")}


def test_every_game_with_cards_and_four_others_have_another_reading_to_follow() -> None:
    games = {rulebook(book_id).game.id for book_id, _question, _choice in OTHERS}
    assert games >= {"chemin_de_fer", "ponto_banca", "black_jack", "craps", "cussec", "machines"}


def test_what_no_house_has_adopted_is_written_and_ruled_as_ever() -> None:
    scenario = generate("pt-cussec", None, 3, article="VII 5 s4")
    assert b"readings" not in encode(scenario) and b"adopted" not in encode(scenario.solve())
    assert under(scenario, {}) == scenario


def test_confirming_our_reading_lifts_the_hold_and_changes_nothing_else() -> None:
    scenario = next(one for one in _made("pt-cussec", "VII5") if not one.solve().exam_safe)
    confirmed = under(scenario, {"VII5": Adopted(record="1")})
    assert confirmed.solve().exam_safe and exam_fit(confirmed) and not exam_fit(scenario)
    assert confirmed.solve().decisions == scenario.solve().decisions


def test_a_scenario_keeps_the_reading_it_was_made_under() -> None:
    bell = {"VII5": Adopted("bell", "1")}
    made = under(generate("pt-cussec", None, "x", 1, article="VII 5 s4"), bell)
    assert made.readings == bell
    assert msgspec.json.decode(encode(made))["readings"] == {"VII5": {"choice": "bell", "record": "1"}}
    assert decode(encode(made)).solve()["allowed"] == "refused"
    assert under(made, {}).solve()["allowed"] == "allowed"


@pytest.mark.parametrize("readings", [{"VII9": Adopted()}, {"VII5": Adopted("lamp")}, {"PT51": Adopted()}])
def test_a_reading_that_nobody_knows_is_refused(readings: dict[str, Adopted]) -> None:
    with pytest.raises(UnknownName):
        under(generate("pt-cussec", None, 1), readings)
    written = msgspec.json.decode(encode(generate("pt-cussec", None, 1))) | {"readings": msgspec.to_builtins(readings)}
    with pytest.raises(UnknownName):
        scenario_from(written)


# By the question: a clause that it is about, and what another reading rules where ours does not.
SANREMO, SPAIN = "it-sanremo-chemin-de-fer", "es-chemin-de-fer"


@pytest.mark.parametrize(
    ("book_id", "cite", "question", "choice", "key", "ours", "theirs"),
    [
        (SANREMO, "111 s3", "SR111", "annulled", "coup", "stands", "annulled"),
        (SANREMO, "61 s9", "SR61", "banco", "stakes_may", None, "refuse_banco"),
        (SPAIN, "4 p2-2", "ES4", "adviser", "must_play", "by_table", "as_he_likes"),
    ],
)
def test_what_the_other_reading_rules(
    book_id: str, cite: str, question: str, choice: str, key: str, ours: str | None, theirs: str
) -> None:
    made = [generate(book_id, None, seed, 3, article=cite) for seed in SEEDS]
    turning = [one for one in made if cite in one.solve().pivots]
    assert turning
    for scenario in turning:
        house = under(scenario, {question: Adopted(choice, "7")}).solve()
        assert scenario.solve()[key] == ours or ours is None
        assert house[key] == theirs


def test_sanremo_136_seen_cards_may_go_to_the_banco() -> None:
    made = [generate(SANREMO, None, seed, 3, article="136 s4") for seed in SEEDS]
    seen = [one for one in made if "136 s4" in one.solve().pivots]
    for scenario in seen:
        house = under(scenario, {"SR136": Adopted("banco", "7")}).solve()
        assert house["cards_to"] != scenario.solve()["cards_to"]
    assert seen


def test_spain_1_p2_a_card_face_up_may_follow_the_rule_on_its_fault() -> None:
    """A fifth card is the banker's, one too many gives him baccara, one on the floor keeps its value."""
    ruled = set()
    for seed in SEEDS:
        scenario = generate(SPAIN, None, seed, 3, article="1 p2-2")
        house = under(scenario, {"ES1": Adopted("own_rule", "7")}).solve()
        found = {key: house.get(key) for key in ("dropped", "banker_counts", "fate.loose.1")}
        ruled |= {(key, value) for key, value in found.items() if "1 p2-2" in house.pivots and value is not None}
    assert ruled == {("dropped", "keeps_value"), ("banker_counts", 0), ("fate.loose.1", "banker")}


def test_sanremo_62_what_all_have_seen_may_be_settled() -> None:
    """Then the cards are compared, and the banker who put them away does not lose for it."""
    winners = set()
    for seed in SEEDS:
        scenario = generate(SANREMO, None, seed, 3, article="62 s4")
        house = under(scenario, {"SR62": Adopted("seen", "7")}).solve()
        facts = scenario.situation
        ponto, banker = score(facts.ponto), score(facts.banker_cards)
        assert house["winner"] == ("ponto" if ponto > banker else "banker" if banker > ponto else "tie")
        assert scenario.solve()["winner"] == "ponto"
        winners.add(house["winner"])
    assert "banker" in winners
