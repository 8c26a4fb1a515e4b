"""What is offered to announce at craps fits the table: no point goes on where there is none."""

from rules_engine import generate, topics
from tests.samples import sample


def test_no_point_goes_on_where_there_is_none() -> None:
    seen = 0
    for topic in topics("pt-craps"):
        for seed in range(sample(30, 200)):
            scenario = generate("pt-craps", topic, f"announced {seed}", 1 + seed % 5)
            said = [one.formula for one in scenario.situation.likely("announcement")]
            if getattr(scenario.situation, "point", None) is None and said:
                seen += 1
                assert "point_on" not in said, scenario
            assert len(said) == len(set(map(str, scenario.situation.likely("announcement")))), scenario
    assert seen
