"""The scheduler's arithmetic: ratings, intervals, what comes first, and how much a day may hold."""

from datetime import UTC, datetime, timedelta

import pytest
from fsrs import Rating

from rules_engine import Scenario, answer_from, generate, grade
from tests.practice.drills import right_answer, silent
from training.mastery import memory
from training.mastery.memory import AHEAD, KNOWN, Remembered, Rule
from training.mastery.rules_to_learn import in_order, rules_of_law

NOW = datetime(2026, 3, 2, 18, tzinfo=UTC)
DAY = timedelta(days=1)
THIRD_CARD = next(
    scenario
    for seed in range(50)
    if set((scenario := generate("pt-chemin-de-fer", "third_card", seed, 2, article="67 d")).solve().cites)
    == {"67 d", "2 s2"}
    and scenario.solve()["banker_draw"] == "must_draw"
)
STUCK = next(
    scenario
    for seed in range(400)
    if (scenario := generate("pt-chemin-de-fer", "draw_faults", seed, 2)).solve().cites == ("104 c",)
    and len(scenario.questions) > len(scenario.solve().decisions)
)
RULES = [Rule("pt-chemin-de-fer", f"{number}") for number in range(1, 41)]


def learnt(rule: Rule, days_ago: float, rating: Rating = Rating.Good) -> Remembered:
    card = memory.review(None, rating, NOW - days_ago * DAY)
    return Remembered(rule, card, memory.due(card))


def agenda(memories: list[Remembered], *, left: int = 10, daily: int = 10) -> memory.Agenda:
    return memory.agenda(memories, RULES, now=NOW, until=NOW + DAY / 4, left=left, daily=daily)


def shown(scenario: Scenario, changes: dict[str, str | None], *, picked: bool = False) -> dict[str, Rating]:
    """What an answer that is right but for these parts says about the rules."""
    parts = right_answer(scenario) | changes
    return memory.ratings(grade(scenario, answer_from({"parts": parts})), scenario.solve(), picked_words=picked)


@pytest.mark.parametrize(
    ("changes", "picked", "against"),
    [
        ({}, False, {}),
        ({}, True, {"96 b-3": Rating.Hard}),
        ({"announcement": "oito no ponto, nove na banca"}, False, {"96 b-3": Rating.Again}),
        ({"winner": "tie"}, False, {"2 s2": Rating.Again}),
        ({"banker_draw": "may_choose"}, False, {"67 d": Rating.Again}),
        ({"banker_draw": None, "announcement": ""}, True, {"67 d": Rating.Again, "96 b-3": Rating.Again}),
    ],
)
def test_a_wrong_part_costs_only_its_own_clauses(
    changes: dict[str, str | None], picked: bool, against: dict[str, Rating]
) -> None:
    rules = dict.fromkeys(("67 d", "2 s2", "96 b-3"), Rating.Good)
    assert shown(THIRD_CARD, changes, picked=picked) == rules | against


def test_card_values_are_not_lost_with_the_words() -> None:
    scenario = generate("pt-chemin-de-fer", "card_values", 4, 3)
    found = shown(scenario, {"announcement": "nada"})
    assert {cite for cite, rating in found.items() if rating is Rating.Again} == {
        scenario.solve().rests_on("announcement")[0]
    }
    assert {found[cite] for cite in scenario.solve().rests_on("ponto_score")} == {Rating.Good}


def test_a_clause_that_one_part_supports_and_another_breaks_is_broken() -> None:
    found = shown(STUCK, {"coup": "stands"})
    assert found == {"104 c": Rating.Again}


def test_words_where_none_arise_break_nothing_and_show_doubt() -> None:
    scenario = silent()
    assert shown(scenario, {}) == {"X 17": Rating.Good}
    assert shown(scenario, {"announcement": "17, preto, ímpar e manque"}) == {"X 17": Rating.Hard}


def test_what_no_question_asks_for_is_judged_by_the_case() -> None:
    """A ball that is still in motion: nothing is to be announced or marked yet."""
    made = (generate("pt-roleta-francesa", "spin", seed, 3) for seed in range(400))
    scenario = next(one for one in made if not one.solve().decisions)
    wrong = dict.fromkeys(right_answer(scenario), "7")
    assert set(shown(scenario, {}).values()) == {Rating.Good}
    assert set(shown(scenario, dict.fromkeys(wrong, "")).values()) == {Rating.Again}


def test_the_same_reviews_give_the_same_card() -> None:
    assert memory.review(None, Rating.Good, NOW) == memory.review(None, Rating.Good, NOW)


def test_a_better_answer_comes_back_later() -> None:
    dues = [memory.due(memory.review(None, rating, NOW)) for rating in (Rating.Again, Rating.Hard, Rating.Good)]
    assert NOW < dues[0] <= dues[1] < dues[2]


def test_a_rule_never_comes_back_within_minutes() -> None:
    assert memory.due(memory.review(None, Rating.Again, NOW)) >= NOW + DAY


def test_retention_falls_and_a_rule_just_missed_does_not_count_as_known() -> None:
    good, missed = memory.review(None, Rating.Good, NOW), memory.review(None, Rating.Again, NOW)
    assert memory.retention(good, NOW) > memory.retention(good, NOW + 3 * DAY) > memory.retention(good, NOW + 30 * DAY)
    assert memory.retention(good, NOW + AHEAD) >= KNOWN > memory.retention(missed, NOW + AHEAD)


def test_cases_get_harder_as_a_rule_settles() -> None:
    card, at, levels = None, NOW, [memory.level(None)]
    for _ in range(6):
        card = memory.review(card, Rating.Good, at)
        levels.append(memory.level(card))
        at = memory.due(card)
    assert levels == sorted(levels)
    assert (levels[0], levels[-1]) == (1, 5)


def test_a_case_is_worth_what_may_be_forgotten_of_the_rules_it_exercises() -> None:
    old, older, new = RULES[:3]
    cards = {rule: memory.review(None, Rating.Good, NOW - days * DAY) for rule, days in ((old, 5), (older, 30))}

    def worth(*rules: Rule, since: datetime = NOW) -> float:
        return memory.worth(rules, cards, now=NOW, since=since)

    assert 0 < worth(old) < worth(older) < worth(older, old)
    assert worth(old, new) == worth(old), "a rule that was not taught yet adds nothing"
    assert worth(older, old, since=NOW - 10 * DAY) == worth(older), "practised since"


def test_new_rules_do_not_compete_with_rules_that_are_due() -> None:
    assert memory.candidates(RULES, {RULES[0], RULES[2]}) == [RULES[0], RULES[2]]
    assert memory.candidates(RULES, set()) == RULES[: memory.NEXT_RULES]


def test_a_newcomer_starts_with_the_first_rules_in_teaching_order() -> None:
    plan = agenda([], left=4, daily=10)
    assert (plan.refresh, plan.new) == ((), tuple(RULES[:4]))
    assert plan.more == tuple(RULES[4:])


def test_what_is_nearest_to_being_forgotten_comes_first_and_what_is_not_due_waits() -> None:
    plan = agenda([learnt(RULES[0], 4), learnt(RULES[1], 20), learnt(RULES[2], 0.1), learnt(RULES[3], 9)])
    assert plan.refresh == (RULES[1], RULES[3], RULES[0])
    assert RULES[2] not in plan.today
    assert plan.more[-1] == RULES[2]


def test_what_falls_due_later_today_belongs_to_today() -> None:
    card = memory.review(None, Rating.Again, NOW - DAY + timedelta(hours=3))
    soon = Remembered(RULES[0], card, memory.due(card))
    assert soon.due > NOW
    assert agenda([soon]).refresh == (RULES[0],)


def test_after_a_holiday_the_day_is_no_longer_than_any_other() -> None:
    plan = agenda([learnt(rule, 60) for rule in RULES[:30]], left=8, daily=8)
    assert len(plan.today) == 8
    assert plan.new == ()


def test_new_rules_wait_while_those_learnt_fill_the_days() -> None:
    young = [learnt(rule, 0.1, Rating.Again) for rule in RULES[:10]]
    assert agenda(young, left=10, daily=10).new == ()
    assert len(agenda(young[:7], left=10, daily=10).new) == 3


def test_a_day_that_is_used_up_plans_nothing_but_offers_more() -> None:
    plan = agenda([learnt(RULES[0], 20)], left=0)
    assert plan.today == ()
    assert plan.more[0] == RULES[0]
    assert set(plan.more) == set(RULES)


def test_nothing_is_planned_twice() -> None:
    plan = agenda([learnt(rule, days) for days, rule in enumerate(RULES[:12])], left=6)
    planned = [*plan.today, *plan.more]
    assert len(planned) == len(set(planned)) == len(RULES)


def test_sixty_days_never_hold_more_than_their_budget_and_bring_in_new_rules_to_the_end() -> None:
    cards: dict[Rule, Remembered] = {}
    met = []
    for day in range(60):
        now = NOW + day * DAY
        plan = memory.agenda(list(cards.values()), RULES, now=now, until=now + DAY / 4, left=5, daily=5)
        assert len(plan.today) <= 5
        for rule in plan.today:
            card = memory.review(cards[rule].card if rule in cards else None, Rating.Good, now)
            cards[rule] = Remembered(rule, card, memory.due(card))
        met.append(len(cards))
    assert met[0] == 5
    assert met[-1] == len(RULES)


def test_the_rules_to_learn_are_every_practised_rule_once_in_teaching_order() -> None:
    found = rules_of_law("pt-chemin-de-fer")
    assert next(iter(found.values())) == "card_values"
    assert list(dict.fromkeys(found.values()))[:3] == ["card_values", "third_card", "ponto_draw"]
    assert Rule("pt-chemin-de-fer", "67 d") in found
    assert all(rule.rulebook == "pt-chemin-de-fer" for rule in found)


def test_a_clause_that_decides_nothing_is_not_to_be_learned() -> None:
    assert Rule("pt-chemin-de-fer-1995", "107") not in rules_of_law("pt-chemin-de-fer-1995")


def test_articles_sort_as_one_counts() -> None:
    assert sorted(["104 e", "67 d", "9", "104", "67 p2-1", "67 p10-1"], key=in_order) == [
        "9",
        "67 d",
        "67 p2-1",
        "67 p10-1",
        "104",
        "104 e",
    ]
