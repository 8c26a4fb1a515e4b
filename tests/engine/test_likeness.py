"""Two tables are near each other where one is the other but for what hardly matters, and hardly ever by chance."""

import time
import tracemalloc
from collections.abc import Callable
from copy import deepcopy
from itertools import combinations
from typing import Any

import msgspec
import pytest

import rules_engine
from rules_engine.likeness import near, shared_sums, sketch

BOOK = "pt-chemin-de-fer"
Facts = dict[str, Any]


def third_card() -> Facts:
    """A coup with chips before a seat and a ten, a jack or a queen in the ponto's hand."""
    made = (facts_of("third_card", str(seed)) for seed in range(200))
    return next(one for one in made if one["stakes"] and any(card[0] in "TJQ" for card in one["ponto"]))


def facts_of(topic: str, seed: str = "7", book: str = BOOK, level: int = 3) -> Facts:
    return msgspec.json.decode(rules_engine.encode(rules_engine.generate(book, topic, seed, level).situation))


def other_suits(facts: Facts) -> None:
    for heap in ("ponto", "banker_cards", "next"):
        facts[heap] = [card[0] + "shdc"[("shdc".index(card[1]) + 1) % 4] for card in facts.get(heap, [])]


def other_order(facts: Facts) -> None:
    facts["seats"].reverse()
    facts["stakes"].reverse()


def another_bystander(facts: Facts) -> None:
    facts["standing"] = [*facts.get("standing", []), "3b"]


def one_stake(facts: Facts) -> None:
    facts["stakes"][-1]["amount"] += 10


def all_doubled(facts: Facts) -> None:
    for name in ("bank", "minimum", "unit"):
        facts[name] *= 2
    for one in (*facts["stakes"], *(call for call in facts["calls"] if "amount" in call)):
        one["amount"] *= 2


def doubled_and_one_changed(facts: Facts) -> None:
    all_doubled(facts)
    one_stake(facts)


def every_stake(facts: Facts) -> None:
    for number, stake in enumerate(facts["stakes"]):
        stake["amount"] += 10 * (number + 1)


def another_stake(facts: Facts) -> None:
    facts["stakes"].append({"player": "8", "amount": 70})


def one_stake_less(facts: Facts) -> None:
    facts["stakes"].pop()


def one_seat_on(facts: Facts) -> None:
    """Everybody moves to the next seat that is taken."""
    seats = sorted(facts["seats"])
    moved = {str(seat): str(seats[(place + 1) % len(seats)]) for place, seat in enumerate(seats)}
    for name in ("banker", "holder"):
        facts[name] = moved[facts[name]]
    for stake in facts["stakes"]:
        stake["player"] = moved[stake["player"][0]] + stake["player"][1:]


def a_face_for_a_ten(facts: Facts) -> None:
    facts["ponto"] = ["K" + card[1] if card[0] in "TJQ" else card for card in facts["ponto"]]


HARMLESS = [
    *(other_suits, other_order, another_bystander, one_stake, all_doubled, doubled_and_one_changed, every_stake),
    *(another_stake, one_stake_less, one_seat_on, a_face_for_a_ten),
]


@pytest.mark.parametrize("change", HARMLESS, ids=lambda change: change.__name__)
def test_a_change_that_hardly_matters_leaves_it_near(change: Callable[[Facts], None]) -> None:
    facts = third_card()
    changed = deepcopy(facts)
    change(changed)
    assert changed != facts
    assert near(sketch(BOOK, changed), sketch(BOOK, facts))


def test_the_same_facts_are_near_under_every_rulebook_of_the_game() -> None:
    facts = facts_of("third_card")
    assert near(sketch("pt-chemin-de-fer-1995", facts), sketch(BOOK, facts))


def test_facts_that_a_rulebook_cannot_read_are_sketched_all_the_same() -> None:
    facts = facts_of("third_card")
    strange = deepcopy(facts) | {"unheard_of": [1, {"of": "x"}]}
    assert near(sketch(BOOK, strange), sketch(BOOK, facts))
    strange["incident"]["kind"] = "gone"
    assert near(sketch(BOOK, strange), sketch(BOOK, facts))


@pytest.mark.parametrize(
    ("book", "topic", "kind"),
    [(BOOK, "third_card", "coup_finished"), ("pt-ponto-banca-1995", "drawing", "third_card_slip")],
)
def test_another_incident_at_the_same_table_is_near(book: str, topic: str, kind: str) -> None:
    """The ruling on it tells who draws and who wins."""
    facts = facts_of(topic, book=book)
    assert facts["incident"]["kind"] != kind
    assert near(sketch(book, facts | {"incident": {"kind": kind}}), sketch(book, facts))


def test_another_incident_at_an_empty_table_is_another_case() -> None:
    facts: Facts = {"seats": [1, 2, 3], "minimum": 10, "incident": {"kind": "game_to_start"}}
    assert not near(sketch(BOOK, facts | {"incident": {"kind": "seat_marked"}}), sketch(BOOK, facts))


def test_incidents_at_independent_tables_are_hardly_ever_near() -> None:
    met = pairs = 0
    for game in rules_engine.GAMES.values():
        book = game.books[0].id
        drawn = [
            sketch(book, facts_of(topic, f"apart {number}", book, number % 5 + 1))
            for topic in rules_engine.topics(book)
            for number in range(6)
        ]
        apart = [(one, other) for one, other in combinations(drawn, 2) if one.kind != other.kind]
        met += sum(near(one, other) for one, other in apart)
        pairs += len(apart)
    assert pairs > 10_000
    assert met / pairs < 2e-4


def test_other_cards_are_another_case() -> None:
    facts = facts_of("third_card")
    changed = deepcopy(facts) | {"ponto": ["9c", "9d"], "banker_cards": ["6d", "Ah"], "next": ["2h"]}
    every_stake(changed)
    assert not near(sketch(BOOK, changed), sketch(BOOK, facts))


def test_small_facts_are_near_only_where_they_are_the_same() -> None:
    """Three dice are the same by chance too often: then everything would be near."""
    facts = facts_of("reading", book="pt-banca-francesa")
    other = deepcopy(facts) | {"minimum": facts["minimum"] * 2}
    assert near(sketch("pt-banca-francesa", facts), sketch("pt-banca-francesa", deepcopy(facts)))
    assert not near(sketch("pt-banca-francesa", facts), sketch("pt-banca-francesa", other))


def test_sums_are_compared_on_their_best_common_scale() -> None:
    assert shared_sums(frozenset({10, 20, 50}), frozenset({10, 20, 50})) == 3
    assert shared_sums(frozenset({10, 20, 50}), frozenset({30, 60, 150})) == 2, "another scale costs one"
    assert shared_sums(frozenset({10}), frozenset({30})) == 0
    assert shared_sums(frozenset(), frozenset({30})) == 0


def test_independent_cases_of_a_topic_are_hardly_ever_near() -> None:
    """Over all topics below one in ten thousand pairs: with a hundred cases of a topic in exams, one fresh case in a
    hundred. What is the very same is left out: small topics have few different cases."""
    met = pairs = 0
    for game in rules_engine.GAMES.values():
        book = game.books[0].id
        for topic in rules_engine.topics(book):
            drawn = [sketch(book, facts_of(topic, f"alike {number}", book, number % 5 + 1)) for number in range(40)]
            different = list({one.exact: one for one in drawn}.values())
            met += sum(near(one, other) for one, other in combinations(different, 2))
            pairs += len(drawn) * (len(drawn) - 1) // 2
    assert pairs > 50_000
    assert met / pairs < 1e-4


def test_tables_with_thousands_of_sums_are_compared_in_time_and_little_memory() -> None:
    one = frozenset(range(100_003, 900_000, 331))
    other = frozenset(sum * 7 for sum in one)
    tracemalloc.start()
    begun = time.process_time()
    assert shared_sums(one, other) == len(one) - 1 == shared_sums(other, one)
    assert time.process_time() - begun < 2
    assert tracemalloc.get_traced_memory()[1] < 64 * 1024**2
    tracemalloc.stop()
