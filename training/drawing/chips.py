"""Chips: an amount of money as the stacks a croupier would build of it, and where each chip is drawn."""

from training.drawing.primitives import Chip

# Value -> outline. Discs for small change, plaques for large sums, as on the tables; no two neighbours are alike, so
# that they are told apart without colour.
SHAPES: dict[int, str] = {
    1_000_000: "plaque-oval",
    500_000: "plaque-cut",
    100_000: "plaque",
    50_000: "plaque-oval",
    10_000: "plaque-cut",
    5_000: "plaque",
    1_000: "octagon",
    500: "diamond",
    100: "square",
    50: "hexagon",
    10: "disc",
    5: "hexagon",
    1: "disc",
}
STACK_DRAWN = 4  # a higher stack looks no different from above; the total is written beside it
COLUMN, ROW, LIFT = 34, 30, 2


def stacks(amount: int) -> list[tuple[int, int]]:
    """The fewest chips that make an amount: (value, how many), the largest first."""
    found = []
    for value in SHAPES:
        count, amount = divmod(amount, value)
        if count:
            found.append((value, count))
    return found


def printed(value: int) -> str:
    """What stands on a chip: thousands and millions are abbreviated to stay legible."""
    if value >= 1_000_000:
        return f"{value // 1_000_000}M"
    return f"{value // 1_000}k" if value >= 1_000 else str(value)


def written(amount: int) -> str:
    """A total beside its chips: the currency is written once, at the bank."""
    return f"{amount:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def lay(amount: int, x: int, y: int, *, rows: int = 2, wide: int = 1_000) -> list[Chip]:
    """Stacks in as many rows as allowed, centred on a point, the chips of each lying on one another.

    Where they would be wider than `wide`, the stacks move together.
    """
    piles = stacks(amount)
    if len(piles) < 3:
        rows = 1
    columns = -(-len(piles) // rows)
    apart = min(COLUMN, (wide - COLUMN) // max(1, columns - 1))
    chips = []
    for index, (value, count) in enumerate(piles):
        row, column = divmod(index, columns)
        in_row = min(columns, len(piles) - row * columns)
        left = x - (in_row - 1) * apart // 2 + column * apart
        top = y - (rows - 1) * ROW // 2 + row * ROW
        high = min(count, STACK_DRAWN)
        chips += [
            Chip(left, top - LIFT * level, SHAPES[value], printed(value) if level == high - 1 else "")
            for level in range(high)
        ]
    return chips
