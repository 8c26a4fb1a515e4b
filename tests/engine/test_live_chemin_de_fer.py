"""Chemin de fer at the live table: calls, notes and the share of the house in coups with nothing wrong."""

from collections.abc import Iterable, Iterator

import pytest

from rules_engine import RULEBOOKS
from rules_engine.play import CarryOn, Habits, Moment, Setup, State, act, begin, flow_of
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
