"""With the same number of scenarios, the scheduler leaves simulated trainees knowing more rules."""

import pytest

from tests.mastery.simulation import GUESS, START, Trainee, compare, scheduled, train
from training.mastery.memory import Rule
from training.mastery.programme import programme

RULES = list(programme("pt-chemin-de-fer"))


@pytest.mark.parametrize(("rules", "per_day"), [(60, 8), (len(RULES), 15)])
def test_the_scheduler_beats_random_and_fixed_order(rules: int, per_day: int) -> None:
    found = compare(RULES[:rules], trainees=5, per_day=per_day)
    sure, recalled = found["scheduler"]
    for other in ("random", "fixed"):
        assert sure > 1.2 * found[other][0], found
        assert recalled > 1.2 * found[other][1], found


def test_the_same_seed_gives_the_same_figures() -> None:
    assert compare(RULES[:20], trainees=2, per_day=4) == compare(RULES[:20], trainees=2, per_day=4)
    assert compare(RULES[:20], trainees=2, per_day=4) != compare(RULES[:20], trainees=2, per_day=4, seed="other")


def test_every_order_gets_the_same_number_of_scenarios() -> None:
    """Also where nothing is due any more: otherwise the comparison would not be fair."""
    choose, told = scheduled(RULES[:3])
    for day in range(3):
        chosen = choose(float(day), 3)
        assert len(chosen) == 3
        for rule in chosen:
            told(rule, True, float(day))


def test_the_model_forgets_and_learns() -> None:
    rule = Rule("pt-chemin-de-fer", "67 d")
    trainee = Trainee([rule], "one")
    assert trainee.recall(rule, 0.0) == 0.0 < GUESS
    trainee.practise(rule, 0.0)
    first = trainee.recall(rule, 5.0)
    assert 1.0 == trainee.recall(rule, 0.0) > first
    train(trainee, (lambda _day, _count: [rule], lambda *_: None), 1, days=10)
    assert trainee.recall(rule, 14.0) > first
    assert START.tzinfo is not None
