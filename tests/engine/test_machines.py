"""Gaming machines beyond the golden cases: money, what the text leaves open, and what the questions give away."""

import re
from collections import defaultdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine import Ruling, Scenario, generate, rulebook, topics
from rules_engine.errors import ImpossibleFacts, NotRegulated
from rules_engine.games.machines import GAME
from rules_engine.games.machines.books import MACHINES
from rules_engine.games.machines.counters import REQUIRED
from rules_engine.games.machines.table import COUNTERS, Situation
from rules_engine.narration import narrate, turned_on

BOOK = rulebook(MACHINES)


def situation(**facts: Any) -> Situation:
    found = GAME.read({**GAME.ordinary, **facts})
    assert isinstance(found, Situation)
    return found


def machine(number: int, stake: int = 100, **facts: Any) -> dict[str, Any]:
    return {"number": number, "model": "caravela", "stake": stake, **facts}


def played(*machines: dict[str, Any], **facts: Any) -> Situation:
    """A row in which everybody plays the machine before them."""
    row = [{"player": str(one["number"]), **one} for one in machines]
    return situation(machines=row, seats=[one["number"] for one in machines], **facts)


def made(topic: str, count: int) -> list[Scenario]:
    return [generate(MACHINES, topic, f"made-{number}", 1 + number % 5) for number in range(count)]


# ---------- the law as data ----------


def test_the_counters_that_a_machine_shows_are_those_that_the_law_demands() -> None:
    assert tuple(BOOK.param("counters")) == REQUIRED == COUNTERS


# ---------- money ----------

PRIZES = st.lists(
    st.tuples(st.integers(1, 1_000), st.sampled_from((20, 100, 500)), st.integers(0, 1_000), st.booleans()),
    min_size=1,
    max_size=6,
)


@given(PRIZES)
def test_pt_maq_13_all_that_is_shown_is_paid_once_whoever_pays(rows: list[tuple[int, int, int, bool]]) -> None:
    machines = [
        machine(number, stake, pays_up_to=limit)
        | ({"jackpot": prize, "won": "jackpot"} if jackpot else {"prize": prize})
        for number, (prize, stake, limit, jackpot) in enumerate(rows, start=1)
    ]
    owed = {str(n): prize if jackpot else prize * stake for n, (prize, stake, _limit, jackpot) in enumerate(rows, 1)}
    ruling = BOOK.rule(played(*machines, incident={"kind": "prizes_shown"}))
    assert ruling.after is not None
    assert {payment.payee: payment.amount for payment in ruling.after.payments} == owed
    assert total(ruling, "by_machines") + total(ruling, "by_slip") == sum(owed.values()) == ruling.outcome["paid"]
    by_cashier = [payment.amount for payment in ruling.after.payments if payment.payer == "cashier"]
    assert sum(by_cashier) == ruling["by_slip"]


def total(ruling: Ruling, key: str) -> int:
    found = ruling[key]
    assert isinstance(found, int)
    return found


@given(
    jackpots=st.lists(st.integers(1, 1_000_000), min_size=1, max_size=6),
    tokens=st.integers(0, 100_000),
    percent=st.integers(1, 20),
)
def test_pt_maq_3_what_is_deducted_and_nothing_else_comes_into_trust(
    jackpots: list[int], tokens: int, percent: int
) -> None:
    machines = [machine(number, jackpot=sum_) for number, sum_ in enumerate(jackpots, start=1)]
    runs = [{"machine": number, "tokens": tokens} for number in range(1, len(jackpots) + 1)]
    facts = played(*machines, incident={"kind": "meters_run", "machine": 1, "percent": percent, "runs": runs})
    ruling = BOOK.rule(facts)
    fed = total(ruling, "meter") - jackpots[0]
    assert fed == tokens * 100 * percent // 100
    assert total(ruling, "held") == sum(jackpots) + fed


@given(own=st.integers(1, 1_000_000), other=st.integers(0, 1_000_000))
def test_pt_maq_6_a_jackpot_moves_whole(own: int, other: int) -> None:
    facts = situation(
        seats=[],
        machines=[machine(1, jackpot=own, out=True), machine(2, jackpot=other)],
        incident={"kind": "jackpot_stranded", "machine": 1, "cause": "fire"},
    )
    assert total(BOOK.rule(facts), "meter_then") == facts.held() == own + other


@given(tokens_in=st.integers(1, 100_000), paid=st.integers(0, 100_000), slips=st.integers(0, 10_000))
def test_pt_maq_2_the_minimum_is_reached_at_eighty_per_cent_exactly(tokens_in: int, paid: int, slips: int) -> None:
    facts = situation(
        seats=[],
        machines=[machine(1, tokens_in=tokens_in, prizes_paid=paid)],
        incident={"kind": "counters_read", "machine": 1, "slips": slips},
    )
    ruling = BOOK.rule(facts)
    assert (ruling["reached"] == "yes") == (100 * (paid + slips) >= 80 * tokens_in)
    least = total(ruling, "least_prizes")
    assert 100 * least >= 80 * tokens_in > 100 * (least - 1)


# ---------- what the text leaves open, and what cannot be ----------


def test_pt_maq_12_between_several_players_at_two_machines_the_text_does_not_decide() -> None:
    machines = [machine(number, player=player) for number, player in ((1, "1"), (2, "1"), (3, "3"), (4, "3"))]
    incident = {"kind": "machine_asked", "guest": "1a", "type": "reels", "stake": 100}
    with pytest.raises(NotRegulated, match="which of several players"):
        BOOK.rule(situation(seats=[1, 3], standing=["1a"], machines=machines, incident=incident))


def test_pt_maq_14_without_a_record_the_text_does_not_decide() -> None:
    incident = {"kind": "claim_made", "machine": 1, "about": "prize", "claimed": 5}
    with pytest.raises(NotRegulated, match="no record"):
        BOOK.rule(situation(incident=incident))


@pytest.mark.parametrize(
    ("machines", "seats", "reason"),
    [
        ([machine(1), machine(1)], [], "listed twice"),
        ([machine(1)], [1], "whoever sits at machine 1 plays it"),
        ([machine(1, player="2")], [], "nobody sits at 2"),
        ([machine(1, player="1", out=True)], [1], "out of service is not played"),
        ([machine(1, player="1", prize=5, won="jackpot", jackpot=9)], [1], "a sequence or a jackpot"),
        ([machine(1, player="1", won="jackpot")], [1], "has no jackpot"),
        ([machine(1, player="1", won="superjackpot")], [1], "not linked"),
    ],
)
def test_a_row_that_cannot_be_is_refused(machines: list[dict[str, Any]], seats: list[int], reason: str) -> None:
    incident = {"kind": "plan_submitted", "played": 100, "prizes": 80}
    with pytest.raises(ImpossibleFacts, match=reason):
        situation(machines=machines, seats=seats, incident=incident)


def test_a_superjackpot_comes_up_once() -> None:
    won: dict[str, Any] = {"linked": True, "won": "superjackpot"}
    with pytest.raises(ImpossibleFacts, match="comes up once"):
        played(machine(1, **won), machine(2, **won), superjackpot=100, incident={"kind": "prizes_shown"})


# ---------- scenarios ----------


@pytest.mark.parametrize("topic", ["paying", "play", "jackpot"])
def test_a_harder_row_has_more_machines(topic: str) -> None:
    def size(difficulty: int) -> float:
        found = [generate(MACHINES, topic, seed, difficulty).situation for seed in range(200)]
        return sum(len(facts.machines) for facts in found if isinstance(facts, Situation)) / len(found)

    sizes = [size(difficulty) for difficulty in GAME.levels(topic)]
    assert sizes == sorted(sizes)
    assert sizes[-1] > 1.8 * sizes[0]


def test_harder_prizes_are_at_the_limit_and_easy_ones_far_from_it() -> None:
    def near(difficulty: int) -> float:
        rows = [generate(MACHINES, "paying", seed, difficulty).situation for seed in range(200)]
        shown = [one for row in rows if isinstance(row, Situation) for one in row.machines if one.prize]
        return sum(abs(one.prize - one.pays_up_to) <= 2 for one in shown) / len(shown)

    assert near(1) == 0
    assert near(5) > 0.5


def test_every_cause_use_and_means_comes_up() -> None:
    seen: defaultdict[str, set[str]] = defaultdict(set)
    for topic in topics(MACHINES):
        for scenario in made(topic, 300):
            for name in ("cause", "use", "means", "about", "witness"):
                if hasattr(scenario.situation.incident, name):
                    seen[name].add(getattr(scenario.situation.incident, name))
    assert {name: len(found) for name, found in seen.items()} == {
        "cause": 8,
        "use": 5,
        "means": 5,
        "about": 3,
        "witness": 4,
    }


def test_a_step_lights_the_machine_and_the_player_that_it_names() -> None:
    machines = [machine(number, player="1") for number in (1, 2)]
    incident = {"kind": "machine_asked", "guest": "2a", "type": "reels", "stake": 100}
    facts = situation(seats=[1], standing=["2a"], machines=machines, incident=incident)
    (step,) = BOOK.rule(facts).steps
    assert set(turned_on(step, facts, BOOK)) == {"1", "spot:1"}


def test_a_dispute_is_never_about_one_token_nor_at_a_machine_that_pays_none() -> None:
    """Where everything is paid already, the machine still pays as much as any other."""
    for seed in range(300):
        scenario = generate("pt-maquinas", "disputes", seed, 1 + seed % 5)
        told = " ".join(narrate(scenario.situation, rulebook("pt-maquinas"), "pt"))
        assert re.search(r"(?<!\d)[01] fichas", told) is None, told
