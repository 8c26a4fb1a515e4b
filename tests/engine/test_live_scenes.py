"""The picture of a live table agrees with its plan: what is paid lies there, and what is left lies there afterwards."""

from collections.abc import Iterator

import pytest

from rules_engine import RULEBOOKS
from rules_engine.live.dealers import dutiful
from rules_engine.play import Event, Habits, Scene, Setup, State, Stop, act, begin, drawable, scene, seen
from tests.engine.live import BOOKS
from tests.samples import sample
from training.live_table.ladder import HABITS

DRAWN = tuple(book for book in BOOKS if drawable(RULEBOOKS[book].game))
LYING = ("pt-ponto-banca-1995", "pt-ponto-banca-macau-1995", "pt-ponto-banca-macau", "pt-craps")
# Chips of a chemin de fer table belong to shares and the line; its own tests are about them.
SPOTS = tuple(book for book in DRAWN if "chemin" not in book)
COUPS = sample(25, 400)


def _pictures(setup: Setup, *, attentive: bool = False) -> Iterator[tuple[State, list[Event], Scene]]:
    """Every state of a session of a dutiful dealer with what was seen in its coup. An attentive one stops at faults."""
    state, events = begin(setup)
    shown: list[Event] = []
    base = seen(state)
    while not state.over:
        for event in events:
            if event.what == "coup":
                shown, base = [], seen(state)
            shown.append(event)
        yield state, shown, scene(setup, base, shown)
        noticed = attentive and state.moment.wrong and not state.stopped and state.stop_at is None
        state, events = act(state, Stop(state.moment.kind) if noticed else dutiful(state))


@pytest.mark.parametrize("attentive", [False, True], ids=["missing", "stopping"])
@pytest.mark.parametrize("book", SPOTS)
def test_whoever_is_paid_or_loses_has_chips_on_that_spot(book: str, attentive: bool) -> None:
    setup = Setup(rulebook=book, seed="paid", coups=COUPS, faults=0.5, habits=Habits(busy=3))
    paid = 0
    for state, _, picture in _pictures(setup, attentive=attentive):
        if state.paid or state.kept:
            continue
        lying = {(stack.player, stack.spot): stack.amount for stack in picture.stacks}
        for one in (duty.payment for duty in state.moment.duties if duty.payment):
            loses = one.payee == "house"
            where = (one.payer if loses else one.payee, one.spot)
            assert where in lying
            assert not loses or lying[where] >= one.amount
            paid += 1
    assert paid > COUPS


@pytest.mark.parametrize("attentive", [False, True], ids=["missing", "stopping"])
@pytest.mark.parametrize("book", [book for book in DRAWN if "chemin" in book])
def test_whoever_is_paid_or_loses_at_chemin_de_fer_has_a_stake(book: str, attentive: bool) -> None:
    """A stake that was refused is neither paid nor collected, and one that was there before it still lies there."""
    setup = Setup(rulebook=book, seed="stakes", coups=4 * COUPS, faults=0.5, habits=Habits(busy=3))
    paid = 0
    for state, _, picture in _pictures(setup, attentive=attentive):
        if state.paid or state.kept:
            continue
        lying = {stack.player: stack.amount for stack in picture.stacks}
        for one in (duty.payment for duty in state.moment.duties if duty.payment):
            who = one.payer if one.payee == "bank" else one.payee
            assert lying.get(who, 0) >= one.amount
            paid += 1
    assert paid > COUPS


@pytest.mark.parametrize("attentive", [False, True], ids=["missing", "stopping"])
@pytest.mark.parametrize("book", LYING)
def test_what_lies_there_when_a_coup_begins_is_what_the_last_one_left(book: str, attentive: bool) -> None:
    setup = Setup(rulebook=book, seed="left", coups=2 * COUPS, faults=0.4, habits=Habits(busy=3))
    before: set[object] = set()
    left = 0
    coup = 1
    for state, shown, picture in _pictures(setup, attentive=attentive):
        if state.coup != coup:
            assert set(scene(setup, seen(state), shown[:1]).stacks) == before
            left += len(before)
        coup, before = state.coup, set(picture.stacks)
    assert left


@pytest.mark.parametrize("book", LYING)
def test_the_habits_of_the_players_decide_whether_winning_bets_stay(book: str) -> None:
    def lying(leaves: float) -> int:
        setup = Setup(rulebook=book, seed="habits", coups=20, faults=0, habits=Habits(leaves=leaves))
        name = "bets" if book == "pt-craps" else "lying"
        return sum(len(state.table[name]) for state, _, _ in _pictures(setup) if state.at == 0)

    assert lying(0) < lying(0.5) < lying(1)


@pytest.mark.parametrize("book", ["pt-ponto-banca-1995", "pt-roleta-francesa", "pt-craps", "pt-cussec"])
def test_refused_chips_go_back(book: str) -> None:
    """After a ruling that refuses chips, they lie as they did before."""
    setup = Setup(rulebook=book, seed="refused", coups=COUPS, faults=1, habits=Habits(busy=3))
    before: set[object] = set()
    refused = 0
    for state, shown, picture in _pictures(setup, attentive=True):
        if state.fault is None or state.at < state.fault:
            before = set(picture.stacks)
        elif state.moments[state.fault].kind == "chips_knocked":
            continue  # these are put where they belong
        elif shown[-2].what == "resumed" and shown[-1].what == "chips" and "house" not in (shown[-1].by, shown[-1].to):
            assert set(picture.stacks) == before
            refused += 1
    assert refused > 2


@pytest.mark.parametrize("book", [book for book in DRAWN if "1995" not in book])
def test_the_rungs_of_the_ladder_differ(book: str) -> None:
    """A busy table has more chips on it than a quiet one, and difficult players make more of a stir."""
    chips, stir = {}, {}
    for rung, habits in HABITS.items():
        setup = Setup(rulebook=book, seed="rungs", coups=40, faults=0, habits=habits)
        states = list(_pictures(setup))
        chips[rung] = sum(len(picture.stacks) for _, _, picture in states) / len(states)
        stir[rung] = len({state.coup for state, _, _ in states if state.moment.kind})
    assert chips["quiet"] < chips["banker"]
    assert chips["quiet"] < chips["busy"]
    assert stir["quiet"] < stir["banker"]
