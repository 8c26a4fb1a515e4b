"""A table of every game but baccarat, and what a trainee does at it in a browser."""

from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.drilling import to_the_last, turn_to
from tests.samples import FULL

BANCA, BLACK_JACK, CRAPS, CUSSEC = "pt-banca-francesa", "pt-black-jack", "pt-craps", "pt-cussec"
MACHINES, ROULETTE = "pt-maquinas", "pt-roleta-francesa"
PHONE, DESK = (360, 740), (1280, 800)


def sum_on(player: str, spot: str, count: int = 1) -> dict[str, Any]:
    return {"player": player, "spot": spot, "count": count, "value": 500}


def on_numbers(player: str, chance: str, *numbers: int, count: int = 1, value: int = 500) -> dict[str, Any]:
    return {"player": player, "chance": chance, "numbers": list(numbers), "count": count, "value": value}


def on_number(player: str, chance: str, number: int | None = None, count: int = 1, value: int = 500) -> dict[str, Any]:
    told = {} if number is None else {"number": number}
    return {"player": player, "chance": chance, "count": count, "value": value} | told


def machine(number: int, **facts: Any) -> dict[str, Any]:
    return {"number": number, "model": "caravela", "stake": 100, "player": str(number), **facts}


TABLES: dict[str, dict[str, Any]] = {
    # 15 points: big wins in its field and for half on the inner line; small, aces and half of the outer line are lost.
    BANCA: {
        "seats": [1, 2, 3, 4, 5],
        "minimum": 500,
        "dice": [4, 5, 6],
        "bets": [
            sum_on("1", "aces"),
            sum_on("2", "small", 4),
            sum_on("3", "big", 3),
            sum_on("4", "big.line", 4),
            sum_on("5", "small.line", 4),
        ],
    },
    # Seat 1 has black jack, seat 3 ties and seat 5 has lost; seat 4 has bet on seat 5 too. The bank has nineteen.
    BLACK_JACK: {
        "seats": [1, 3, 4, 5],
        "minimum": 1_000,
        "hands": [
            {"seat": 1, "cards": ["As", "Kd"]},
            {"seat": 3, "cards": ["Ts", "9d"]},
            {"seat": 5, "cards": ["Th", "5d", "3c"]},
        ],
        "bets": [
            {"player": "1", "seat": 1, "amount": 3_000},
            {"player": "3", "seat": 3, "amount": 5_000},
            {"player": "5", "seat": 5, "amount": 2_000},
            {"player": "4", "seat": 5, "amount": 1_000},
        ],
        "bank_cards": ["Td", "9c"],
    },
    # The point 6 thrown the hard way: the line, its odds and the hardway win, the field loses, a come bet moves.
    CRAPS: {
        "seats": [1, 2, 3, 4, 5],
        "minimum": 500,
        "point": 6,
        "dice": [3, 3],
        "bets": [
            on_number("2", "pass", count=5),
            on_number("2", "pass-odds", count=5),
            on_number("3", "field"),
            on_number("4", "hard", 6),
            on_number("4", "come", count=2, value=1_000),
        ],
    },
    # 2, 2 and 5: small, double 2 and combination 2-5 win.
    CUSSEC: {
        "seats": [1, 2, 3, 4, 5],
        "dice": [2, 5, 2],
        "bets": [
            on_numbers("2", "double", 2),
            on_numbers("2", "pair", 2, 5, count=2),
            on_numbers("3", "big"),
            on_numbers("4", "small", count=3, value=1_000),
        ],
    },
    MACHINES: {},
    # 17 is out: seat 2 has a split and a straight-up bet on it, seat 4 the second dozen, seat 5 black; red has lost.
    ROULETTE: {
        "seats": [1, 2, 3, 4, 5],
        "minimum": 500,
        "number": 17,
        "bets": [
            on_numbers("2", "straight", 17, count=2),
            on_numbers("2", "split", 17, 20),
            on_numbers("3", "red"),
            on_numbers("4", "dozen", 2),
            on_numbers("5", "black", count=3),
        ],
    },
}


def at_a_width(name: str, walks: Sequence[Any]) -> pytest.MarkDecorator:
    """Each walk on a phone or at a desk in turn; with SABOT_FULL=1 each on both."""
    sizes = {"phone": PHONE, "desk": DESK}
    chosen = [
        pytest.param(walk, size, id=f"{walk.__name__}-{told}")
        for number, walk in enumerate(walks)
        for at, (told, size) in enumerate(sizes.items())
        if FULL or at == number % 2
    ]
    return pytest.mark.parametrize((name, "size"), chosen)


def spot(page: Page, key: str) -> Any:
    return page.locator(f'.table-before svg:visible .target[data-point="spot:{key}"]')


def place(page: Page, key: str) -> Any:
    return page.locator(f'.table-before svg:visible [data-point="place:{key}"]')


def answer_to(page: Page, key: str) -> Any:
    typed = "input:not([type=radio], [type=checkbox]), textarea"
    return turn_to(page, key).locator(typed)


def answer(page: Page, answers: dict[str, str]) -> None:
    for key, value in answers.items():
        answer_to(page, key).fill(value)


def choose(page: Page, key: str, value: str) -> None:
    """By the label, as a finger does."""
    turn_to(page, key)
    field = page.locator(f'.question[data-key="{key}"] input[value="{value}"]')
    page.locator(f'label[for="{field.get_attribute("id")}"]').click()


def submit(page: Page) -> None:
    to_the_last(page)
    page.get_by_role("button", name="Submeter").click()
    expect(page.locator(".verdict")).to_be_visible(timeout=10_000)


def submit_what_is_right(page: Page) -> None:
    submit(page)
    expect(page.locator(".verdict")).to_contain_text("Está tudo certo")


def expect_counts(page: Page, counts: dict[str, int]) -> None:
    """So many of each on the table as it should end."""
    after = page.locator(".table-after svg:visible")
    for selector, count in counts.items():
        expect(after.locator(selector)).to_have_count(count)


def fits(page: Page, size: tuple[int, int]) -> bool:
    wide: int = page.evaluate("document.documentElement.scrollWidth")
    return wide <= size[0]
