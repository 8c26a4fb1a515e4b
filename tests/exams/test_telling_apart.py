"""Whether a form has cases that reveal each of the usual wrong rules."""

from exams.papers.telling_apart import checked, missed
from rules_engine import generate
from rules_engine.misconceptions import believed, misconceptions

BOOK = "pt-roleta-francesa"


def test_a_form_names_the_wrong_rules_that_it_does_not_tell_apart() -> None:
    every = set(misconceptions(BOOK))
    telling = next(
        scenario
        for seed in range(400)
        if any(believed(scenario := generate(BOOK, None, seed, 2), one) for one in every)
    )
    assert set(missed([])) == set()
    told = {one.wrong: one.cases for one in checked([telling])}
    assert set(told) == every
    assert {one for one in every if believed(telling, one)} == {one for one, cases in told.items() if cases}
    assert set(missed([telling])) == {one for one, cases in told.items() if not cases}
