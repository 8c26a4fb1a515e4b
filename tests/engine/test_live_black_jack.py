"""Black jack at the live table: in coups without a fault everybody plays as he must."""

from msgspec import structs

from rules_engine.games.black_jack.hands import points
from rules_engine.games.black_jack.payout import CoupOver
from rules_engine.play import CarryOn, Habits, Setup, act, begin, book_of, inject
from tests.samples import sample

SESSIONS = sample(8, 80)


def test_nobody_stands_below_twelve_and_the_bank_draws_to_seventeen() -> None:
    checked = 0
    for seed in range(SESSIONS):
        habits = Habits(busy=1 + seed % 5, chatter=0.5)
        setup = Setup(rulebook="pt-black-jack", seed=f"hands {seed}", coups=25, faults=0, habits=habits)
        book = book_of(setup)
        state, events = begin(setup)
        heaps: dict[str, list[str]] = {}
        while not state.over:
            for event in events:
                if event.what == "coup":
                    heaps = {}
                elif event.what == "card" and event.card:
                    heaps.setdefault(event.to.removesuffix(".2"), []).append(event.card)
                elif event.what == "call" and event.says == "stand":
                    checked += 1
                    assert points(book, tuple(heaps[f"seat{event.by}"])) > book.number("must_draw_up_to")
            if state.moment.settles and state.moment.duties:
                bank = points(book, tuple(heaps["bank"]))
                assert bank >= book.number("bank_stands_from")
            state, events = act(state, CarryOn())
    assert checked > 50


def test_a_card_too_many_for_the_bank_does_not_count_even_if_nobody_notices() -> None:
    """19: the bank stands on seventeen, and the bets are settled by what it had then."""
    settled = 0
    for seed in range(SESSIONS):
        setup = Setup(rulebook="pt-black-jack", seed=f"too many {seed}", coups=12, faults=0)
        book = book_of(setup)
        state, _ = begin(setup)
        while not state.over:
            if state.moment.kind == "bank_card_drawn" and state.moment.wrong:
                ruling = book.rule(book.read(state.moment.facts))
                left = book.read(state.moment.facts)
                over = structs.replace(left, loose=(), incident=CoupOver())
                assert ruling["bank_total"] == points(book, left.bank_cards)
                due = [duty.payment for moment in state.moments[state.at :] for duty in moment.duties if duty.payment]
                assert due == list(book.rule(over).after.payments)
                settled += bool(due)
            state, _ = act(inject(state, "bank_card_drawn"), CarryOn())
    assert settled > 3


def test_insurance_is_seen_to_be_put_down_whether_it_may_be_or_not() -> None:
    """Otherwise the next moment would tell which it was. What may not lie there goes back when the bets are settled."""
    found = {True: 0, False: 0}
    for seed in range(3 * SESSIONS):
        habits = Habits(busy=3, chatter=0.9)
        state, _ = begin(Setup(rulebook="pt-black-jack", seed=f"line {seed}", coups=25, faults=0.4, habits=habits))
        while not state.over:
            if state.moment.kind == "insurance_placed":
                incident = (state.moment.facts or {})["incident"]
                chips = [event for event in state.moment.events if event.what == "chips"]
                assert [(event.by, event.amount) for event in chips] == [(incident["player"], incident["amount"])]
                back = [event for moment in state.moments[state.at + 1 :] for event in moment.events]
                line = [event for event in back if event.values.get("from") == chips[0].to]
                assert len(line) == state.moment.wrong
                found[state.moment.wrong] += 1
            state, _ = act(state, CarryOn())
    assert min(found.values()) > 2
