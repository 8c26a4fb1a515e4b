"""What is odd but possible about a row of machines, for the author."""

from collections.abc import Iterator

from rules_engine.authoring import Remark, Rulebook
from rules_engine.games.machines.game import GAME
from rules_engine.games.machines.table import Situation

GROUP = 2  # the fewest machines that can be linked


@GAME.remark
def about_links(s: Situation, book: Rulebook) -> Iterator[Remark]:
    """A superjackpot is that of several machines (VIII 4)."""
    linked = sum(machine.linked for machine in s.machines)
    if (linked or s.superjackpot) and linked < GROUP:
        yield Remark("group_of_one", "machines", {"linked": linked}, "VIII 4")


@GAME.remark
def about_limits(s: Situation, book: Rulebook) -> Iterator[Remark]:
    """A machine that pays its prizes itself can pay some (VIII 13)."""
    for index, machine in enumerate(s.machines):
        if not machine.pays_up_to:
            yield Remark("pays_nothing", f"machines[{index}].pays_up_to", {"number": machine.number}, "VIII 13 s1")
