"""Playing live tables in tests: dealers of all sorts, and what must hold at every moment whatever they do."""

from collections import Counter
from collections.abc import Iterator

from rules_engine import RULEBOOKS
from rules_engine.draw import Draw
from rules_engine.equipment.cards import PACK
from rules_engine.live.dealers import dutiful
from rules_engine.play import Act, CarryOn, Event, Pay, Resume, Say, Setup, State, Stop, act, begin, playable

BOOKS = tuple(id for id, book in RULEBOOKS.items() if playable(book.game))


def careless(state: State, draw: Draw) -> Act:
    """A dealer who forgets duties, says and pays wrong things, and stops the game now and then."""
    if state.stopped:
        return Resume()
    luck = draw.number(1, 100)
    if luck <= 4:
        return Stop(state.moment.kind or "nothing")
    if luck <= 8:
        return Say("no_such_words")
    if luck <= 11:
        return Pay("bank", "1", 10 * draw.number(1, 9))
    return CarryOn() if luck <= 25 else dutiful(state)


def played(setup: Setup, *, attentive: bool = False) -> Iterator[tuple[State, tuple[Event, ...], Act | None]]:
    """A session of the careless dealer or, if `attentive`, of one who stops the game whenever something is wrong."""
    draw = Draw("dealer", setup.rulebook, setup.seed)
    state, events = begin(setup)
    yield state, events, None
    while not state.over:
        done = careless(state, draw)
        if attentive:
            noticed = state.moment.wrong and not state.stopped and state.stop_at is None
            done = Stop(state.moment.kind) if noticed else dutiful(state)
        state, events = act(state, done)
        yield state, events, done


def check_cards(state: State, packs: int) -> None:
    """No card is doubled or lost: the shoe, the table and the used cards are the packs of the table."""
    found = Counter(state.shoe) + Counter(state.out) + Counter(state.used)
    assert found == Counter(PACK * packs)


def check_chips(state: State) -> None:
    """No chip is created or lost, and nobody owes any but the house and the cash desk."""
    assert sum(state.purses.values()) == 0
    assert all(sum >= 0 for who, sum in state.purses.items() if who not in ("outside", "house"))
