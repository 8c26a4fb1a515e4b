"""Roulette at the live table: only what is called a fault exceeds the largest bets."""

from collections import Counter

import pytest

from rules_engine.games.roulette import layout
from rules_engine.games.roulette.limits import least, maximum
from rules_engine.play import CarryOn, Event, Habits, Setup, act, begin, book_of, inject, scene, seen
from rules_engine.ruling import Utterance
from tests.samples import sample

SESSIONS = sample(12, 60)


def _moved(on: Counter[tuple[str, str]], event: Event) -> None:
    """What each player has on each spot after chips were moved."""
    if event.what != "chips" or event.values.get("spot"):
        return
    if "from" in event.values:
        on[event.by, str(event.values["from"])] -= event.amount or 0
    if event.to in layout.SPOTS:
        on[event.by, event.to] += event.amount or 0


@pytest.mark.parametrize("id", ["pt-roleta-francesa", "pt-roleta-americana"])
def test_nobody_has_more_on_a_spot_than_the_largest_bet_unless_that_is_the_fault(id: str) -> None:
    for seed in range(SESSIONS):
        habits = Habits(busy=1 + seed % 5, chatter=0.6)
        setup = Setup(rulebook=id, seed=f"limits {seed}", coups=30, faults=0.3, habits=habits)
        book = book_of(setup)
        state, events = begin(setup)
        on: Counter[tuple[str, str]] = Counter()
        while not state.over:
            if events and events[0].what == "coup":
                on.clear()
            for event in events:
                _moved(on, event)
            if state.fault is None or state.at < state.fault:
                for (_, spot), amount in on.items():
                    chance = layout.chance(spot)
                    assert amount <= maximum(book, chance, least(book, chance)), (setup.seed, state.coup, spot)
            state, events = act(state, CarryOn())


@pytest.mark.parametrize(("prize", "words"), [(1, "1 euro"), (2, "2 euros"), (21, "21 euros")])
def test_a_prize_of_one_euro_is_one_euro(prize: int, words: str) -> None:
    book = book_of(Setup(rulebook="pt-roleta-americana", seed="one", coups=1))
    slots: dict[str, int | str] = {"bet": "linha", "stake": 2, "colour": "azul", "prize": prize}
    assert book.say(Utterance("payment", slots), "pt") == f"linha de 2 euros, azul, total de {words}"


def test_winning_chips_lie_on_their_spot_until_they_are_knocked_over() -> None:
    """They are drawn where the ruling puts them back, and gone when they are knocked over."""
    state, found = begin(Setup(rulebook="pt-roleta-francesa", seed="knocked", coups=60))[0], 0
    book = book_of(state.setup)
    while not state.over and found < 5:
        coup, state = state.coup, inject(state, "chips_knocked")
        while state.coup == coup and not state.over:
            state, _ = act(state, CarryOn())
        if state.fault is None:
            continue
        found += 1
        situation = book.read(state.moments[state.fault].facts)
        payment = book.rule(situation).after.payments[0]
        events = [event for moment in state.moments[: state.fault + 1] for event in moment.events]
        chips = [event for event in events if event.by == payment.payee and event.what == "chips"]
        assert payment.spot in {event.to for event in chips}
        assert chips[-1].values["from"] == payment.spot
        stacks = scene(state.setup, seen(state), [Event("coup"), *events]).stacks
        assert (payment.payee, payment.spot) not in {(one.player, one.spot) for one in stacks}
    assert found == 5


@pytest.mark.parametrize("id", ["pt-roleta-francesa", "pt-roleta-americana"])
def test_prizes_are_due_in_the_order_of_the_text(id: str) -> None:
    """X 22: columns, dozens, even chances, six lines, streets, corners, splits, straight-ups."""
    several = 0
    state, _ = begin(Setup(rulebook=id, seed="order", coups=80, faults=0, habits=Habits(busy=5)))
    order: list[str] = book_of(state.setup).param("payment_order")
    while not state.over:
        paid = [duty.payment.spot for duty in state.moment.duties if duty.payment and duty.payment.payer == "house"]
        chances = [layout.chance(spot) for spot in paid]
        places = [order.index("simple" if one in layout.SIMPLE else one.removesuffix("s")) for one in chances]
        assert places == sorted(places)
        several += len(set(places)) > 1
        state, _ = act(state, CarryOn())
    assert several > 3
