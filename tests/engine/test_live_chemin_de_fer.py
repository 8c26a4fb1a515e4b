"""Chemin de fer at the live table: calls, notes and the share of the house in coups with nothing wrong."""

from collections.abc import Iterable, Iterator

import pytest

from rules_engine import RULEBOOKS
from rules_engine.live.claims import face_down
from rules_engine.play import (
    CarryOn,
    Habits,
    Moment,
    Setup,
    State,
    Stop,
    act,
    begin,
    flow_of,
    inject,
    questions_asked,
)
from tests.samples import sample

SESSIONS = sample(4, 40)
BOOKS = tuple(id for id, book in RULEBOOKS.items() if book.game.id == "chemin_de_fer")


def _coups(id: str, *, faults: float = 0, coups: int = 30) -> Iterator[State]:
    """Coups as they are planned."""
    for seed in range(SESSIONS):
        habits = Habits(busy=1 + seed % 5, chatter=0.6)
        state, _ = begin(Setup(rulebook=id, seed=f"calls {seed}", coups=coups, faults=faults, habits=habits))
        coup = 0
        while not state.over:
            if state.coup != coup:
                coup = state.coup
                yield state
            state, _ = act(state, CarryOn())


@pytest.mark.parametrize("id", BOOKS)
def test_staking_notes_is_no_fault(id: str) -> None:
    book = RULEBOOKS[id]
    assert "notes_staked" not in flow_of(book).incidents.known(book)


def test_notes_are_changed_as_a_duty_when_the_bank_wins() -> None:
    found = 0
    for state in _coups("pt-chemin-de-fer", coups=60):
        for moment in state.moments:
            if moment.kind == "notes_staked":
                facts = (moment.facts or {})["incident"]
                notes = sum(
                    one["amount"] for one in (moment.facts or {})["stakes"] if one["player"] in facts["players"]
                )
                due = [(duty.key, duty.value, duty.cite) for duty in moment.duties]
                assert due == ([("into_chips", notes, "42 s2")] if facts["winner"] == "banker" else [])
                found += bool(due)
    assert found


def test_the_croupier_repeats_banco_with_the_table() -> None:
    """96: he repeats what the players declare."""
    said = 0
    for state in _coups("pt-chemin-de-fer"):
        for moment in state.moments:
            if any(event.says == "banco_table" for event in moment.events) and not moment.kind:
                said += 1
                assert [(duty.words.formula, duty.cite) for duty in moment.duties if duty.words] == [
                    ("banco_table", "96 s0")
                ]
    assert said > 5


def test_at_sanremo_the_house_takes_its_share_of_every_win() -> None:
    """10: five per cent of what the banker wins, and no word on fractions: only sums with a whole share are staked."""
    wins = 0
    for state in _coups("it-sanremo-chemin-de-fer", faults=0.4):
        due = [duty for moment in state.moments for duty in moment.duties]
        won = sum(duty.payment.amount for duty in due if duty.payment and duty.payment.payee == "bank")
        if won:
            wins += 1
            assert [int(str(duty.value)) * 20 for duty in due if duty.key == "cagnotte"] == [won]
    assert wins > 20


@pytest.mark.parametrize("id", BOOKS)
def test_the_log_of_an_incident_has_the_bank_that_was_stated(id: str) -> None:
    for state in _coups(id, faults=0.6):
        for facts in (moment.facts for moment in state.moments if moment.facts):
            called = {call["amount"] for call in facts.get("calls", ()) if call["says"] == "bank_of"}
            assert called <= {facts["bank"]}


def _shown_in(moments: Iterable[Moment]) -> set[str]:
    events = [event for moment in moments for event in moment.events if event.what == "card"]
    return {event.to for event in events if event.card}


def test_cards_that_are_said_to_be_turned_up_are_seen() -> None:
    found = 0
    for state in _coups("it-sanremo-chemin-de-fer", faults=0.9, coups=60):
        for at, moment in enumerate(state.moments):
            incident = (moment.facts or {}).get("incident", {})
            if moment.kind == "croupier_exposed_cards" and not incident.get("unseen"):
                found += 1
                assert set(incident["cards"]) <= _shown_in(state.moments[: at + 1])
            if moment.kind == "ponto_false_draw":
                found += 1
                assert {"ponto.1", "ponto.2"} <= _shown_in(state.moments[: at + 1])
    assert found > 3


def test_chips_put_down_too_late_are_seen() -> None:
    found = 0
    for state in _coups("pt-chemin-de-fer", faults=0.9, coups=80):
        for moment in state.moments:
            incident = (moment.facts or {}).get("incident", {})
            if (
                moment.kind == "stake_put"
                and incident.get("spot", "own_place") == "own_place"
                and "money" not in incident
            ):
                found += 1
                assert [(one.what, one.by, one.amount) for one in moment.events if one.what != "card"] == [
                    ("chips", incident["player"], incident["amount"])
                ]
    assert found


def test_a_contested_draw_may_be_right() -> None:
    """The same sentence is told whether the word was right or wrong."""
    kinds = {
        (moment.kind, moment.wrong)
        for state in _coups("pt-chemin-de-fer", faults=0.5, coups=150)
        for moment in state.moments
    }
    assert {("ponto_false_draw", True), ("ponto_false_draw", False)} <= kinds
    assert {("banker_drew", True), ("banker_drew", False)} <= kinds


@pytest.mark.parametrize("id", BOOKS)
def test_players_speak_the_language_of_the_table(id: str) -> None:
    book = RULEBOOKS[id]
    known = book.words.catalogue(book.language)
    calls = (
        event
        for state in _coups(id, faults=0.3)
        for moment in state.moments
        for event in moment.events
        if event.what == "call" and event.by != "croupier"
    )
    assert not {event.says for event in calls if f"say.{event.says}" not in known}


def test_at_sanremo_the_croupier_repeats_the_ponto_s_word() -> None:
    """11 and 73: only then does the banker turn up his cards."""
    said = 0
    for state in _coups("it-sanremo-chemin-de-fer", coups=10):
        for moment in state.moments:
            words = [event.says for event in moment.events if event.what == "call" and event.by == "ponto"]
            if words and not moment.kind:
                said += 1
                assert [(one.words.formula, one.cite) for one in moment.duties if one.words] == [(words[0], "11 s2")]
    assert said > 20


def test_a_ponto_who_has_looked_at_his_cards_was_given_them() -> None:
    found = 0
    for state in _coups("pt-chemin-de-fer", faults=0.3, coups=80):
        kinds = [moment.kind for moment in state.moments]
        for kind in {"slow_ponto", "standing_holder"} & set(kinds):
            found += 1
            before = state.moments[: kinds.index(kind)]
            assert [duty.key for moment in before for duty in moment.duties].count("cards_to") == 1
    assert found


def test_in_spain_a_card_put_away_when_all_have_seen_the_cards_is_no_fault() -> None:
    """3 p7: the banker loses only if somebody had not seen them."""
    found = set()
    for state in _coups("es-chemin-de-fer", faults=0.3, coups=120):
        for moment in state.moments:
            if moment.kind == "cards_binned":
                found.add(moment.wrong)
                assert (moment.facts or {})["incident"]["stage"] == ("unseen" if moment.wrong else "seen")
    assert found == {True, False}


def _coups_with(id: str, kind: str) -> Iterator[tuple[State, int]]:
    """Coups in which this incident occurs, and in which moment."""
    for state in _coups(id, faults=0.4, coups=60):
        yield from ((state, at) for at, moment in enumerate(state.moments) if moment.kind == kind)


def test_a_stake_that_is_changed_is_seen_to_change_whether_it_may_be_or_not() -> None:
    """Otherwise the next moment would tell which it was. Nobody objects, so it counts as changed."""
    found = {True: 0, False: 0}
    for id in ("pt-chemin-de-fer", "it-sanremo-chemin-de-fer"):
        for state, at in _coups_with(id, "stake_changed"):
            moment = state.moments[at]
            facts = moment.facts or {}
            who, to = facts["incident"]["player"], facts["incident"].get("to", 0)
            chips = [event for event in moment.events if event.what == "chips"]
            assert [event.to for event in chips] == ["", *([who] if to else [])]
            paid = [duty.payment for one in state.moments for duty in one.duties if duty.payment]
            assert all(one.amount == to for one in paid if who in (one.payer, one.payee))
            found[moment.wrong] += 1
    assert min(found.values()) > 2


def test_a_banker_who_may_pass_the_hand_passes_it() -> None:
    """Sanremo 87 and 88: the hand is then offered, and only once. One who may not keeps it."""
    passed = 0
    for state, at in _coups_with("it-sanremo-chemin-de-fer", "asks_to_pass"):
        said = [event.says for moment in state.moments[at:] for event in moment.events]
        assert said.count("pass_bank") == (0 if state.moments[at].wrong else 1)
        passed += not state.moments[at].wrong
    assert passed > 2


def test_a_banker_by_the_table_who_does_not_show_is_a_fault_that_is_put_right() -> None:
    """Sanremo 107 and 111: he is guided by the croupier, and his mistakes are corrected."""
    book = RULEBOOKS["it-sanremo-chemin-de-fer"]
    kept = 0
    for state, at in _coups_with(book.id, "banker_held_natural_back"):
        moment = state.moments[at]
        shows = (moment.facts or {})["incident"].get("shows", False)
        assert moment.wrong == (not shows)
        kept += moment.wrong and book.rule(book.read(moment.facts)).get("banker_natural") == "kept"
    assert kept


def test_whoever_asks_for_advice_has_his_cards_and_shows_them_to_nobody() -> None:
    found = 0
    for state, at in _coups_with("it-sanremo-chemin-de-fer", "advice_asked"):
        if (state.moments[at].facts or {})["incident"]["asker"] == "ponto":
            assert any(duty.key == "cards_to" for moment in state.moments[:at] for duty in moment.duties)
            assert not any(ref.startswith("ponto") for ref in _shown_in(state.moments[: at + 1]))
            found += 1
    assert found > 2


@pytest.mark.parametrize("id", ["it-sanremo-chemin-de-fer", "es-chemin-de-fer"])
def test_squeezing_the_cards_is_a_fault_where_the_text_forbids_it(id: str) -> None:
    """Sanremo 28, Spain 4: both forbid it in so many words."""
    found = []
    for seed in range(SESSIONS):
        state, _ = begin(Setup(rulebook=id, seed=f"slow {seed}", coups=30, faults=0, habits=Habits(busy=1 + seed % 5)))
        while not state.over:
            found += [state.moment.wrong] if state.moment.kind == "slow_ponto" else []
            state, _ = act(inject(state, "slow_ponto"), CarryOn())
    assert len(found) > 10
    assert all(found)


@pytest.mark.parametrize("seed", range(3))
def test_whoever_calls_banco_has_put_chips_down_before_the_cards_are_dealt(seed: int) -> None:
    """Sanremo 42: with the word the sum is put on the table. A fault about passing the cards leaves it there."""
    state, _ = begin(Setup(rulebook="it-sanremo-chemin-de-fer", seed=f"banco {seed}", coups=120, faults=0.0))
    called = 0
    while not state.over:
        coup, state = state.coup, inject(state, "cards_to_pass")
        while state.coup == coup and not state.over:
            state, _ = act(state, CarryOn())
        events = [event for moment in state.moments for event in moment.events]
        for one in (event for event in events if event.says in ("banco", "suivi")):
            called += 1
            assert any(event.what == "chips" and event.by == one.by for event in events)
    assert called > 3


@pytest.mark.parametrize("id", ["pt-chemin-de-fer", "pt-chemin-de-fer-1995"])
def test_a_complaint_about_chips_that_each_ponto_watches_himself_is_no_fault(id: str) -> None:
    """44: it is dismissed, and there is nothing to stop the game for."""
    incidents = flow_of(RULEBOOKS[id]).incidents
    assert "stake_mixed_up" in incidents.possible(RULEBOOKS[id])
    assert "stake_mixed_up" not in incidents.known(RULEBOOKS[id])
    assert "stake_mixed_up" in incidents.chatter


@pytest.mark.parametrize("id", ["pt-chemin-de-fer", "es-chemin-de-fer"])
def test_nobody_is_marked_on_a_winner_while_the_ponto_s_cards_lie_face_down(id: str) -> None:
    """A banker who pulls two third cards has the first of them, whatever the ponto holds."""
    book, found = RULEBOOKS[id], 0
    state, _ = begin(Setup(rulebook=id, seed="down", coups=12, faults=0.0))
    while not state.over:
        coup, state = state.coup, inject(state, "banker_takes_two")
        while state.coup == coup and not state.over:
            if state.moment.wrong and "ponto.1" in face_down(state.moments[: state.at + 1]):
                facts, down = state.moment.facts, face_down(state.moments[: state.at + 1])
                seen = {key: value for key, _, value in questions_asked(book, "banker_takes_two", facts, down)}
                known = {key: value for key, _, value in questions_asked(book, "banker_takes_two", facts)}
                assert set(known) - set(seen) <= {"winner"}
                marks = [act(state, Stop("banker_takes_two", dict(one)))[0] for one in (seen, known)]
                assert {(one.points, one.of) for one in marks} == {(marks[0].of, marks[0].of)}
                found += "winner" in known and "winner" not in seen
                # 8 of the bank beats whatever a ponto can hold who has not announced a natural.
                assert "winner" not in seen or seen["winner"] == "banker"
            state, _ = act(state, CarryOn())
    assert found > 3
