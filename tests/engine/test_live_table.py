"""The live table: nothing is doubled or lost, the same acts give the same bytes, and nothing is given away."""

from time import process_time
from typing import Any

import msgspec
import pytest

from rules_engine import GAMES, RULEBOOKS, EngineError, encode
from rules_engine.__main__ import main
from rules_engine.live.dealers import dutiful
from rules_engine.play import (
    CarryOn,
    Habits,
    Pay,
    Resume,
    Say,
    Setup,
    State,
    Stop,
    act,
    begin,
    book_of,
    claims,
    decode_act,
    decode_state,
    playable,
    questions_about,
    replay,
    trials_of,
    visible,
)
from rules_engine.ruling import Utterance
from tests.engine.live import BOOKS, check_cards, check_chips, played
from tests.samples import sample

LIVE_GAMES = tuple(id for id, game in GAMES.items() if playable(game))
EVENTS = sample(1_500, 100_000)
FASTEST = 2_000  # events a second


def _books(game: str) -> list[str]:
    return [book.id for book in GAMES[game].books]


def _setup(book: str, seed: object = 1, **other: object) -> Setup:
    given = {"coups": 12, "faults": 0.3} | other
    return Setup(rulebook=book, seed=str(seed), **given)  # type: ignore[arg-type]


def _packs(state: State) -> int:
    return (len(state.shoe) + len(state.out) + len(state.used)) // 52


@pytest.mark.parametrize("game", LIVE_GAMES)
def test_nothing_is_doubled_or_lost(game: str) -> None:
    count, session = 0, 0
    books = _books(game)
    while count < EVENTS:
        session += 1
        book = books[session % len(books)]
        setup = _setup(book, session, habits=Habits(busy=1 + session % 5), coups=60)
        packs = None
        for state, events, _ in played(setup, attentive=session % 3 == 0):
            count += len(events)
            check_chips(state)
            if state.shoe:
                packs = packs or _packs(state)
                check_cards(state, packs)
        assert len(state.trials) == setup.coups


@pytest.mark.parametrize("game", LIVE_GAMES)
def test_it_is_fast_enough(game: str) -> None:
    book = _books(game)[0]
    list(played(_setup(book, "warm up", coups=3)))
    started = process_time()
    events = sum(len(seen) for _, seen, _ in played(_setup(book, "fast", coups=60, faults=0.1)))
    assert events / (process_time() - started) >= FASTEST


@pytest.mark.parametrize("book", BOOKS)
def test_the_same_acts_give_the_same_bytes(book: str) -> None:
    first = list(played(_setup(book)))
    acts = [done for _, _, done in first if done is not None]
    again = list(replay(_setup(book), acts))
    assert [(encode(state), encode(events)) for state, events, _ in first] == [
        (encode(state), encode(events)) for state, events in again
    ]


@pytest.mark.parametrize("book", BOOKS)
def test_a_stored_state_goes_on_as_if_it_had_not_been_stored(book: str) -> None:
    for state, _, _ in played(_setup(book, 2, coups=6)):
        stored = decode_state(encode(state))
        assert stored == state
        if not state.over:
            done = dutiful(state)
            assert act(stored, done) == act(state, done)


@pytest.mark.parametrize("book", BOOKS)
def test_every_duty_has_an_article_of_the_rulebook(book: str) -> None:
    """Where a text does not speak of something, such as the order of payments in Spain, there is no article."""
    law = RULEBOOKS[book].law
    duties = [duty for state, _, _ in played(_setup(book, 3)) for duty in state.moment.duties]
    assert all(duty.cite in law for duty in duties if duty.cite)
    assert all(duty.cite or duty.payment for duty in duties)


@pytest.mark.parametrize("book", BOOKS)
def test_a_dutiful_dealer_keeps_every_duty_and_nothing_is_put_right(book: str) -> None:
    state, _ = begin(_setup(book, 4))
    seen = []
    while not state.over:
        state, events = act(state, dutiful(state))
        seen += [event.what for event in events]
    assert "put_right" not in seen
    assert state.totals.kept == state.totals.duties
    assert (state.totals.missed, state.totals.needless, state.totals.overpaid, state.totals.underpaid) == (0, 0, 0, 0)


@pytest.mark.parametrize("book", BOOKS)
def test_a_dealer_who_stops_at_every_fault_has_only_hits(book: str) -> None:
    *_, (state, _, _) = played(_setup(book, 5, coups=20), attentive=True)
    trials = trials_of(state)
    assert trials.hits
    assert (trials.misses, trials.false_alarms) == (0, 0)
    assert all(trial.named for trial in state.trials if trial.outcome == "hit")


@pytest.mark.parametrize("book", BOOKS)
def test_a_dealer_who_never_stops_misses_every_fault(book: str) -> None:
    state, _ = begin(_setup(book, 5, coups=20))
    while not state.over:
        state, _ = act(state, dutiful(state))
    trials = trials_of(state)
    assert trials.misses
    assert trials.hits == 0
    missed = [trial for trial in state.trials if trial.outcome == "miss"]
    assert all(trial.stands != (trial.complained or bool(trial.void)) for trial in missed)


@pytest.mark.parametrize("book", BOOKS)
def test_a_stop_with_nothing_wrong_is_a_false_alarm_and_changes_nothing(book: str) -> None:
    state, _ = begin(_setup(book, 6, faults=0))
    stopped, events = act(state, Stop("anything"))
    assert [event.what for event in events] == ["stopped"]
    resumed, events = act(stopped, Resume())
    assert [event.what for event in events] == ["resumed"]
    assert (resumed.moments, resumed.at, resumed.purses) == (state.moments, state.at, state.purses)
    while resumed.coup == 1:
        resumed, _ = act(resumed, dutiful(resumed))
    assert resumed.trials[0].outcome == "false_alarm"


@pytest.mark.parametrize("book", BOOKS)
def test_what_a_browser_may_know_does_not_depend_on_faults(book: str) -> None:
    """Faulty and faultless coups show the same kinds of events, and what is said of the state is the same."""
    seen: dict[bool, set[str]] = {True: set(), False: set()}
    for state, events, _ in played(_setup(book, 7, coups=120, habits=Habits(chatter=0.6))):
        assert set(visible(state)) == {"coup", "coups", "stopped", "over"}
        if state.moments and not state.over:
            seen[state.fault is not None] |= {event.what for event in events}
    assert seen[True] - seen[False] <= {"complaint"}


@pytest.mark.parametrize("book", BOOKS)
def test_money_paid_wrong_is_put_right_and_noted(book: str) -> None:
    state, _ = begin(_setup(book, 8, faults=0, coups=20))
    while not any(duty.payment for duty in state.moment.duties):
        state, _ = act(state, CarryOn())
    due = next(duty.payment for duty in state.moment.duties if duty.payment)
    state, _ = act(state, Pay(due.payer, due.payee, due.amount + 10, due.spot))
    before = state.totals
    state, events = act(state, CarryOn())
    assert state.totals.overpaid == before.overpaid + 10
    assert any(event.what == "put_right" and event.amount == 10 and event.by == due.payee for event in events)


def test_acts_out_of_time_are_refused() -> None:
    state, _ = begin(_setup(BOOKS[0]))
    with pytest.raises(EngineError, match="not stopped"):
        act(state, Resume())
    stopped, _ = act(state, Stop())
    with pytest.raises(EngineError, match="the game is stopped"):
        act(stopped, CarryOn())


def test_a_game_without_a_flow_is_refused() -> None:
    with pytest.raises(EngineError, match="cannot be played"):
        begin(_setup("pt-maquinas"))


def test_acts_are_read_from_json() -> None:
    said = Say("bank_of", {"amount": 100})
    assert decode_act(msgspec.json.encode(said)) == said
    with pytest.raises(EngineError, match="act"):
        decode_act(b'{"type": "juggle"}')


def test_the_command_line_prints_the_same_lines_for_the_same_acts(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["play", "--rulebook", BOOKS[0], "--seed", "9", "--coups", "3", "--faults", "0.5"]
    assert main(arguments) == 0
    first = capsys.readouterr().out
    assert main(arguments) == 0
    assert capsys.readouterr().out == first
    kinds = {next(iter(msgspec.json.decode(line))) for line in first.splitlines()}
    assert kinds == {"event", "duty", "trial", "totals"}


@pytest.mark.parametrize("book", BOOKS)
def test_a_claim_is_asked_about_whether_it_is_true_or_not(book: str) -> None:
    """Nearly every claim has questions that are not about single cards; the answers of the ruling get all points."""
    setup = _setup(book, 10, coups=30, faults=0.6)
    asked = [bool(questions_about(book_of(setup), kind)) for kind in claims(setup)]
    assert sum(asked) >= 0.9 * len(asked)
    state, _ = begin(setup)
    marks = []
    while not state.over:
        if state.moment.wrong and state.stop_at is None and not state.stopped:
            ruling = book_of(setup).rule(book_of(setup).read(state.moment.facts))
            answers = {one.key: _said(book, one.value) for one in ruling.decisions}
            state, _ = act(state, Stop(state.moment.kind, answers))
            marks.append((state.points, state.of))
        else:
            state, _ = act(state, dutiful(state))
    assert len(marks) > 5
    assert sum(points == of > 0 for points, of in marks) >= 0.7 * len(marks)


def _said(book: str, value: object) -> Any:
    if isinstance(value, Utterance):
        return RULEBOOKS[book].say(value)
    return list(value) if isinstance(value, tuple) else value


def test_a_call_may_be_picked_typed_or_spoken() -> None:
    """Any accepted wording counts, and so does the formula without the slots that its standard wording leaves out."""
    setup = _setup("pt-roleta-francesa", 11, faults=0)
    state, _ = begin(setup)
    while not any(duty.words and duty.words.formula == "result" for duty in state.moment.duties):
        state, _ = act(state, CarryOn())
    due = next(duty.words for duty in state.moment.duties if duty.words)
    number, colour = due.slots["number"], due.slots["colour"]
    for said in (Say("result", {"number": number, "colour": colour}), Say(text=f"Saiu o {number}, {colour}")):
        assert act(state, said)[0].totals.kept == state.totals.kept + 1
    for said in (Say("result", {"number": number}), Say(text="Jogo feito, nada mais"), Say("bets_closed")):
        assert act(state, said)[0].totals.needless == state.totals.needless + 1
