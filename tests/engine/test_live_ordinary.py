"""Ordinary coups of the live table: what players do in them is allowed by the rulebook, and everything can be told."""

from collections.abc import Iterator

import pytest

from rules_engine import RULEBOOKS, Rulebook
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.stakes.placing import StakePut
from rules_engine.games.chemin_de_fer.table import Call
from rules_engine.games.chemin_de_fer.table import Situation as CheminDeFer
from rules_engine.games.ponto_banca.betting import BetPlaced
from rules_engine.games.ponto_banca.flow.coup import Coup
from rules_engine.games.ponto_banca.outcome import by_table
from rules_engine.games.ponto_banca.table import SIDES, Bet
from rules_engine.games.roulette import layout
from rules_engine.games.roulette.betting import BetOffered
from rules_engine.games.roulette.books import AMERICAN
from rules_engine.games.roulette.table import Situation as Roulette
from rules_engine.narration import languages_of
from rules_engine.play import CarryOn, Event, Habits, Setup, State, act, begin, book_of
from tests.engine.live import BOOKS
from tests.samples import sample

SESSIONS = sample(4, 40)


def _seen(book: str, *, faults: float = 0, chatter: float = 0) -> Iterator[tuple[Rulebook, State, Event]]:
    for seed in range(SESSIONS):
        habits = Habits(busy=1 + seed % 5, chatter=chatter)
        setup = Setup(rulebook=book, seed=f"ordinary {seed}", coups=15, faults=faults, habits=habits)
        state, events = begin(setup)
        while not state.over:
            for event in events:
                yield book_of(setup), state, event
            state, events = act(state, CarryOn())


@pytest.mark.parametrize("id", ["pt-chemin-de-fer", "pt-chemin-de-fer-1995", "it-sanremo-chemin-de-fer"])
def test_every_stake_at_chemin_de_fer_is_allowed(id: str) -> None:
    count = 0
    for book, state, event in _seen(id):
        bank = state.purses.get("bank", 0)
        if event.what != "chips" or event.by != event.to or event.by == "bank" or event.amount == bank:
            continue
        count += 1
        incident = StakePut(player=event.by, amount=event.amount or 0, money="chips", spot="own_place", moment="open")
        facts = CheminDeFer(
            seats=tuple(state.table["seats"]),
            standing=tuple(state.table["standing"]),
            banker=state.table["banker"],
            bank=bank,
            minimum=book.table.minimum,
            unit=book.table.minimum // 10,
            calls=(Call("croupier", "bank_of", bank),),
            incident=incident,
        )
        assert book.rule(facts)["allowed"] == "allowed"
    assert count > 50


@pytest.mark.parametrize("id", ["pt-roleta-francesa", "pt-roleta-americana"])
def test_every_bet_at_roulette_is_allowed(id: str) -> None:
    count = 0
    for book, state, event in _seen(id):
        if event.what != "chips" or event.to not in layout.SPOTS or not event.by.isdigit():
            continue
        count += 1
        place, chips = layout.SPOTS[event.to], event.values["count"]
        incident = BetOffered(
            player=event.by,
            chance=place.chance,
            numbers=place.numbers,
            count=chips,
            value=(event.amount or 0) // chips,
        )
        facts = Roulette(
            seats=tuple(state.table["seats"]),
            minimum=book.table.minimum,
            face_value=book.id == AMERICAN,
            incident=incident,
        )
        assert book.rule(facts)["allowed"] == "allowed"
    assert count > 50


@pytest.mark.parametrize("id", ["pt-ponto-banca-1995", "pt-ponto-banca-macau-1995", "pt-ponto-banca-macau"])
def test_every_bet_at_ponto_e_banca_is_allowed_besides_the_others(id: str) -> None:
    count = 0
    coups: dict[tuple[str, int], tuple[Coup, list[Bet]]] = {}
    dealt = set()
    for book, state, event in _seen(id):
        coup_of = (state.setup.seed, state.coup)
        dealt |= {coup_of} if event.what == "card" else set()
        if event.what != "chips" or coup_of in dealt:
            continue
        lying = [Bet(**bet) for bet in state.table["lying"]]
        _, bets = coups.setdefault(coup_of, (Coup(state, book, Draw("bets")), lying))
        if event.to in book.param("chances") and not event.values:
            bets.append(Bet(event.by, event.to, event.amount or 0))  # type: ignore[arg-type]
        else:
            bets[:] = [bet for bet in bets if (bet.player, bet.on) != (event.by, event.values.get("from"))]
    for coup, bets in coups.values():
        for bet in bets:
            coup.bets = tuple(other for other in bets if other is not bet)
            ruling = coup.rule(BetPlaced(player=bet.player, on=bet.on, amount=bet.amount))
            assert ruling
            assert ruling["allowed"] == "allowed"
            count += 1
    assert count > 100


@pytest.mark.parametrize("id", ["pt-ponto-banca-1995", "pt-ponto-banca-macau-1995", "pt-ponto-banca-macau"])
def test_the_cards_of_ponto_e_banca_follow_the_drawing_table(id: str) -> None:
    hands: dict[tuple[str, int], dict[str, str]] = {}
    for _, state, event in _seen(id):
        if event.what == "card" and event.card:
            hands.setdefault((state.setup.seed, state.coup), {})[event.to] = event.card
    assert len(hands) >= SESSIONS * 14
    for cards in hands.values():
        ponto, banker = (tuple(cards[f"{side}.{n}"] for n in (1, 2, 3) if f"{side}.{n}" in cards) for side in SIDES)
        assert by_table(RULEBOOKS[id], ponto, banker)


@pytest.mark.parametrize("id", BOOKS)
def test_everything_told_has_a_sentence_in_every_language(id: str) -> None:
    told = 0
    for book, _, event in _seen(id, faults=0.5, chatter=0.8):
        if event.what in ("told", "note"):
            told += 1
            for language in languages_of(book):
                assert book.game.words.has(event.says, language)
                assert book.game.words.sentence(event.says, language, currency=book.currency, **event.values)
    assert told
