"""What the scheduler is worth: rules known after two months of practice, beside the same practice in other orders."""

from tests.bench.table import Line, Target
from tests.mastery import simulation
from training.mastery.rules_to_learn import rules_to_learn

PER_DAY, TRAINEES = 20, 3  # scenarios; in each round, other trainees each time
BETTER = Target(1.0, at_least=True)
MORE = Target(1.15, at_least=True)


def lines(*, rounds: int, full: bool) -> list[Line]:
    rules = list(rules_to_learn("pt-chemin-de-fer"))
    asked = {"trainees": TRAINEES, "per_day": PER_DAY}
    found = [simulation.compare(rules, **asked, seed=f"bench {number}") for number in range(rounds)]
    known = {order: tuple(sure for sure, _ in (one[order] for one in found)) for order in found[0]}
    chosen = [simulation.compare_selection(rules, **asked, seed=f"bench {number}") for number in range(rounds)]
    recalled = {way: tuple(all_ for _, all_ in (one[way] for one in chosen)) for way in chosen[0]}
    useful = recalled["most useful"]
    return [
        Line(f"rules recalled of {len(rules)}", "rules", useful, "first case", recalled["first"], MORE),
        Line(f"rules recalled of {len(rules)}", "rules", useful, "all-knowing choice", recalled["all-knowing"], None),
    ] + [
        Line(f"rules known of {len(rules)}", "rules", known["scheduler"], f"{order} order", known[order], BETTER)
        for order in ("random", "fixed")
    ]
