"""Fresh drills differ: the same structure does not come twice in ten drills of a topic while others are left."""

from collections import Counter

import pytest

from rules_engine import generate
from tests.factories import PersonFactory
from training.practice import fresh, services
from training.practice.models import Drill

BOOK = "pt-chemin-de-fer"


@pytest.mark.django_db
@pytest.mark.parametrize("topic", ["suivi", "bank_offer", "third_card"])
def test_ten_drills_of_a_topic_have_ten_structures(topic: str) -> None:
    trainee = PersonFactory()
    for _ in range(20):
        services.start_drill(trainee, rulebook=BOOK, topic=topic, difficulty=3)
    met = list(Drill.objects.order_by("created_at").values_list("structure", flat=True))
    assert all(len(set(met[start : start + 8])) == 8 for start in range(len(met) - 8))


@pytest.mark.django_db
def test_drills_of_another_topic_in_between_do_not_count() -> None:
    trainee = PersonFactory()
    for _ in range(8):
        services.start_drill(trainee, rulebook=BOOK, topic="suivi", difficulty=3)
        services.start_drill(trainee, rulebook=BOOK, topic="third_card", difficulty=3)
    met = Counter(Drill.objects.filter(topic="suivi").values_list("structure", flat=True))
    assert met.most_common(1)[0][1] == 1


@pytest.mark.django_db
def test_where_nothing_else_is_left_what_was_met_longest_ago_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [generate(BOOK, "third_card", seed, 3) for seed in range(40)]
    structures = [fresh.structure_of(one, one.solve()) for one in made]
    two = list(dict.fromkeys(structures))[:2]
    left = iter([one for one, structure in zip(made, structures, strict=True) if structure in two] * 80)
    monkeypatch.setattr("rules_engine.generate", lambda *_, **__: next(left))
    found = fresh.fresh_scenario(BOOK, "third_card", 3, None, {"third_card": two})
    assert fresh.structure_of(found, found.solve()) == two[1]
