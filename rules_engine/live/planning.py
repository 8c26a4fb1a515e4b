"""What the next coup of a session has: a fault by plan, by wish or by chance, chatter, or nothing special."""

from rules_engine.live.flow import CHATTER, FAULT, Coup, Flow
from rules_engine.live.model import State
from rules_engine.rulebook import Rulebook

Placed = tuple[int, ...]


def coup(state: State, book: Rulebook, flow: Flow) -> tuple[Coup, Placed]:
    """The coup, and the numbers of the planned faults that have occurred with it."""
    return _planned(state, book, flow) or (_drawn(state, book, flow), state.placed)


def _drawn(state: State, book: Rulebook, flow: Flow) -> Coup:
    """A coup with what chance or somebody's wish gives it. Where faults are planned, chance gives none."""
    setup = state.setup
    draw = book.game.draw(setup.rulebook, setup.seed, "coup", state.coup)
    wrong = not setup.plan and draw.chance(setup.faults)
    wish = FAULT if wrong else CHATTER if draw.chance(setup.habits.chatter) else ""
    return flow.coup(state, book, draw, state.wanted or wish)


def _planned(state: State, book: Rulebook, flow: Flow) -> tuple[Coup, Placed] | None:
    """A coup with the first fault of the plan that is due and can occur now; None if there is none."""
    setup = state.setup
    for number, one in enumerate(setup.plan):
        if one.coup > state.coup or number in state.placed:
            continue
        for kind in one.kinds:
            draw = book.game.draw(setup.rulebook, setup.seed, "coup", state.coup, kind)
            made = flow.coup(state, book, draw, kind)
            if any(moment.wrong and moment.kind == kind for moment in made.moments):
                return made, (*state.placed, number)
    return None
