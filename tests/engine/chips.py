"""The sums of a scenario that are put down or paid in chips."""

from collections.abc import Iterator

from rules_engine import Scenario

# Facts of a bet and of an incident that are chips.
PAID = ("amount", "insurance", "stake", "prize")


def sums(scenario: Scenario) -> Iterator[int]:
    """Every bet, every sum offered, and what the ruling pays and collects."""
    for part in (*getattr(scenario.situation, "bets", ()), scenario.situation.incident):
        yield from (amount for name in PAID if isinstance(amount := getattr(part, name, 0), int) and amount)
    ruling = scenario.solve()
    yield from (int(str(decision.value)) for decision in ruling.decisions if decision.kind == "amount")
    yield from (payment.amount for payment in (ruling.after.payments if ruling.after else ()))
