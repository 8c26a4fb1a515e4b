"""What a ruling at chemin de fer leaves behind: a table the engine accepts, with every card and every chip."""

from collections import Counter
from typing import Any

import pytest
from msgspec import structs

from rules_engine.games.chemin_de_fer import GAME
from rules_engine.games.chemin_de_fer.books import BOOKS
from rules_engine.games.chemin_de_fer.table import Situation
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import After
from rules_engine.topics import cases
from tests.samples import sample

SEEDS = sample(2, 20)


def chips(situation: Situation) -> Counter[str]:
    found: Counter[str] = Counter()
    for stake in situation.stakes:
        found[stake.player] += stake.amount
    return found


def left(situation: Situation, after: After) -> Situation:
    return structs.replace(situation, incident=GAME.incident(), **situation.left(after))


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_no_card_is_lost_and_nobody_elses_stake_disappears(book: Rulebook) -> None:
    for case in cases(book.id):
        for seed in range(SEEDS):
            level = 1 + seed % 2 * 4
            situation: Any = case.make(GAME.draw("left", book.id, case.name, seed), book, level)
            after = book.rule(situation).after
            if after is None:
                continue
            lying = Counter(card for heap in after.heaps.values() for card in heap)
            assert not lying or lying == Counter(card for heap in situation.heaps().values() for card in heap), (
                case.name
            )
            lost: Counter[str] = Counter()
            for paid in after.payments:
                lost[paid.payer] += paid.amount if paid.payee == "bank" else 0
            rest = chips(situation)
            rest.subtract(+lost)
            assert +rest == chips(left(situation, after)), case.name


def test_cards_kept_for_the_next_coup_lie_face_down() -> None:
    facts = {"loose": ["7h", "2c"], "hidden": ["loose.1"]}
    incident = {"kind": "drawn_before_closing", "wish": "pass", "let_off": True}
    situation = GAME.read({**GAME.ordinary, **facts, "incident": incident})
    after = BOOKS[2].rule(situation).after
    assert after
    table = left(situation, after)
    assert (table.loose, table.hidden) == (("7h",), ("loose.1",))
