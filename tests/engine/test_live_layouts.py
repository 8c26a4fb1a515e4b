"""Craps, banca francesa and cussec at the live table: bets are allowed, undecided ones lie on, every throw counts."""

from collections.abc import Iterator

import pytest
from msgspec import convert, structs

from rules_engine import RULEBOOKS, Rulebook
from rules_engine.draw import Draw
from rules_engine.games.banca_francesa import betting as banca
from rules_engine.games.banca_francesa.settlement import NONE, chance_of
from rules_engine.games.banca_francesa.table import Situation as Banca
from rules_engine.games.craps import layout, stakes
from rules_engine.games.craps.table import Bet, Situation
from rules_engine.games.cussec import betting as cussec
from rules_engine.games.cussec.layout import SPOTS
from rules_engine.games.cussec.table import Situation as Cussec
from rules_engine.games.layout_bets.live import VOIDED
from rules_engine.games.roulette.colour_chips import worth_of_a_colour
from rules_engine.live.dealers import dutiful
from rules_engine.live.duties import all_done
from rules_engine.play import CarryOn, Event, Habits, Resume, Setup, State, Stop, act, begin, book_of, inject
from rules_engine.ruling import Ruling
from rules_engine.tables import Chip
from tests.samples import sample

SESSIONS = sample(5, 50)
REGULATED = (*layout.COMES, *layout.NUMBERS, *layout.ODDS)


def _coups(id: str, *, faults: float = 0, coups: int = 25) -> Iterator[tuple[Rulebook, State, Event]]:
    for seed in range(SESSIONS):
        setup = Setup(rulebook=id, seed=f"layout {seed}", coups=coups, faults=faults, habits=Habits(busy=1 + seed % 5))
        state, events = begin(setup)
        while not state.over:
            for event in events:
                yield book_of(setup), state, event
            state, events = act(state, CarryOn())


def _offered(book: Rulebook, state: State, event: Event) -> Ruling | None:
    """The ruling on a bet as it was put down, where the text has one."""
    seats, count = tuple(state.table["seats"]), event.values["count"]
    chips = {"player": event.by, "count": count, "value": (event.amount or 0) // count}
    if book.id == "pt-banca-francesa":
        offered = banca.BetOffered(spot=event.to, **chips)
        return book.rule(Banca(seats=seats, minimum=book.table.minimum, incident=offered))
    if book.id == "pt-cussec":
        zone = SPOTS[event.to]
        put = cussec.BetOffered(chance=zone.chance, numbers=zone.numbers, asks="nothing", **chips)
        return book.rule(Cussec(seats=seats, incident=put))
    spot = layout.SPOTS[event.to]
    if spot.chance not in REGULATED:
        return None
    wanted = stakes.BetOffered(chance=spot.chance, number=sum(spot.numbers), **chips)
    facts = {"seats": seats, "minimum": book.table.minimum, "point": state.table["point"]}
    return book.rule(Situation(**facts, bets=convert(state.table["bets"], tuple[Bet, ...]), incident=wanted))


@pytest.mark.parametrize("id", ["pt-craps", "pt-banca-francesa", "pt-cussec"])
def test_every_bet_is_allowed(id: str) -> None:
    put = [one for one in _coups(id) if one[2].what == "chips" and set(one[2].values) == {"count"}]
    rulings = [ruling for ruling in (_offered(*one) for one in put) if ruling]
    assert len(rulings) > 50
    assert all(ruling["allowed"] == "allowed" for ruling in rulings)


def test_at_craps_the_point_and_undecided_bets_last_from_throw_to_throw() -> None:
    moved = kept = 0
    for _, state, event in _coups("pt-craps", coups=60):
        if event.what != "dice" or state.table["point"] is None:
            continue
        total = sum(event.values["dice"])
        after = state.moments[-1].table
        assert after
        over = total in (7, state.table["point"])
        assert after["point"] == (None if over else state.table["point"])
        line = [bet for bet in state.table["bets"] if bet["chance"] in layout.LINES]
        lying = [bet for bet in after["bets"] if bet["chance"] in layout.LINES]
        assert all(bet in line for bet in lying) if over else lying == line
        kept += bool(line) and not over
        moved += any(bet["chance"] == "come" and bet.get("number") == total for bet in after["bets"])
    assert kept > 20
    assert moved > 3


def test_the_dice_pass_on_after_a_seven_and_only_then_or_between_series() -> None:
    passed = 0
    for _, state, event in _coups("pt-craps", coups=60):
        if event.what == "dice":
            after = state.moments[-1].table
            assert after
            passed += after["shooter"] is None
            if after["shooter"] is None:
                assert after["point"] is None
            if state.table["point"] and sum(event.values["dice"]) == 7:
                assert after["shooter"] is None
    assert passed > 5


def test_at_banca_francesa_the_dice_are_thrown_until_a_chance_wins() -> None:
    book = RULEBOOKS["pt-banca-francesa"]
    last: dict[tuple[str, int], tuple[int, ...]] = {}
    idle = 0
    for _, state, event in _coups("pt-banca-francesa", faults=0.4):
        if event.what == "dice":
            coup = (state.setup.seed, state.coup)
            assert coup not in last or chance_of(book, last[coup]) == NONE
            idle += coup in last
            last[coup] = tuple(event.values["dice"])
        elif event.says == VOIDED:
            del last[state.setup.seed, state.coup]
    assert idle > 50
    assert all(chance_of(book, dice) != NONE for dice in last.values())


@pytest.mark.parametrize(("id", "kind"), [("pt-banca-francesa", "throw_ends"), ("pt-cussec", "dome_lifted")])
def test_a_void_throw_is_thrown_again_and_a_missed_one_counts_if_it_can_be_read(id: str, kind: str) -> None:
    checked = 0
    for seed in range(SESSIONS):
        state, _ = begin(Setup(rulebook=id, seed=f"void {seed}", coups=30, faults=0.9))
        while not state.over:
            if state.moment.wrong and state.moment.kind == kind and state.stop_at is None and not state.stopped:
                planned = state.moments
                state = act(act(state, Stop(kind))[0], Resume())[0]
                assert state.moments[: state.at] == planned[: state.at]
                assert any(event.what == "dice" for moment in state.moments[state.at :] for event in moment.events)
                checked += 1
            state, _ = act(state, CarryOn())
    assert checked > 3


@pytest.mark.parametrize(
    ("id", "kind"), [("pt-banca-francesa", "throw_ends"), ("pt-cussec", "dome_lifted"), ("pt-craps", "dice_thrown")]
)
def test_dice_that_nobody_can_read_are_never_announced(id: str, kind: str) -> None:
    """They are seen together with how they lie; if the dealer misses it, the inspector has them thrown again."""
    unread = 0
    state, _ = begin(Setup(rulebook=id, seed="unread", coups=40, faults=0.0))
    while not state.over:
        coup, state = state.coup, inject(state, kind)
        while state.coup == coup and not state.over:
            state, _ = act(state, CarryOn())
        for at, moment in enumerate(state.moments):
            seen = next((event.values for event in moment.events if "lies" in event.values), None)
            assert (moment.kind == kind) == (seen is not None)
            if seen and len(seen["seen"]) < len(seen["dice"]):
                unread += 1
                assert state.moments[at + 1].events[0].says == VOIDED
                assert state.moments[at + 1].settles
                assert not moment.duties
    assert unread > 3


def _with_a_short_cup(seed: int) -> State:
    """A coup of banca francesa at the moment in which a die is missing from the cup."""
    while True:
        state, _ = begin(Setup(rulebook="pt-banca-francesa", seed=f"short {seed}", coups=20, faults=0.0))
        while state.coup < 20:
            coup, state = state.coup, inject(state, "throw_prepared")
            while state.coup == coup:
                if state.moment.wrong and (state.moment.facts or {})["incident"]["in_cup"] < 3:
                    return state
                state, _ = act(state, CarryOn())
        seed += 1000


@pytest.mark.parametrize("seed", range(3))
def test_a_throw_with_a_die_beside_the_cup_is_void_and_nothing_is_won_on_it(seed: int) -> None:
    """IV 8 c, even if the dealer misses it."""
    state = _with_a_short_cup(seed)
    thrown, void = state.moments[state.at + 1 : state.at + 3]
    values = thrown.events[0].values
    assert len(values["seen"]) == 2
    assert values["lies"]["happened"] == ["not_in_cup"]
    assert (void.events[0].says, void.void, void.settles) == (VOIDED, "IV 8 c", True)
    assert not (thrown.duties or void.duties)
    coup = state.coup
    after = state.moments[state.at + 3 :]
    assert any("dice" in (event.what for event in moment.events) for moment in after)
    ruled = act(act(state, Stop("throw_prepared"))[0], Resume())[0]
    assert not any(moment.void for moment in ruled.moments[ruled.at :])
    thrown_after = [event.values for moment in ruled.moments for event in moment.events if event.what == "dice"]
    assert not any("lies" in one for one in thrown_after)
    while state.coup == coup:
        state, _ = act(state, CarryOn())
    trial = state.trials[-1]
    assert (trial.outcome, trial.void, trial.stands) == ("miss", "IV 8 c", False)


@pytest.mark.parametrize("seed", range(3))
def test_suspected_dice_are_seized_even_after_the_bets_are_collected(seed: int) -> None:
    """IV 5 sets no limit. The bets stay settled: nothing is collected or paid twice."""
    state, _ = begin(Setup(rulebook="pt-banca-francesa", seed=f"seized {seed}", coups=8, faults=0.0))
    stopped = 0
    while not state.over:
        coup, state = state.coup, inject(state, "dice_suspected")
        while state.coup == coup and not state.over:
            since = state.moments[state.fault or 0 : state.at + 1]
            if state.fault is not None and state.stop_at is None and any(moment.settles for moment in since):
                planned = state.moments
                state = act(act(state, Stop("dice_suspected"))[0], Resume())[0]
                assert state.moments == planned
                stopped += 1
            state, _ = act(state, CarryOn())
    assert stopped > 3
    assert [trial.outcome for trial in state.trials if trial.kind] == ["hit"] * stopped


def test_a_dealer_goes_on_to_duties_that_nothing_announces() -> None:
    """At craps the dice lie still and the announcement is due, then collecting: nothing is seen in between."""
    state, _ = begin(Setup(rulebook="pt-craps", seed="silent", coups=4, faults=0.0))
    carried = 0
    while not state.over:
        following = state.moments[state.at + 1] if state.at + 1 < len(state.moments) else None
        if following and following.silent and following.duties and all_done(state):
            before = state.totals
            state, _ = act(state, dutiful(structs.replace(state, at=state.at + 1, kept=(), paid=())))
            assert (state.totals.needless, state.totals.missed) == (before.needless, before.missed)
            carried += 1
        state, _ = act(state, dutiful(state))
    assert carried > 4
    assert (state.totals.overpaid, state.totals.underpaid, state.totals.missed) == (0, 0, 0)


def test_a_colour_is_worth_something_however_large_the_smallest_chip() -> None:
    book = RULEBOOKS["pt-roleta-americana"]
    for minimum in (1, 2):
        table = type(book.table)(
            name="a", currency="EUR", chips=(Chip(100),), minimum=minimum, limits=book.table.limits, seats=7
        )
        for seed in range(40):
            made = worth_of_a_colour(Draw("worth", seed), book.at(table), 1 + seed % 5)
            assert made.incident.value >= 1
