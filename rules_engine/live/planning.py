"""What the next coup of a session has: a fault by plan, by wish or by chance, chatter, or nothing special."""

from typing import Any

from rules_engine.live.flow import CHATTER, FAULT, Coup, Flow
from rules_engine.live.model import State
from rules_engine.rulebook import Rulebook

Placed = tuple[int, ...]
WISHES = (FAULT, CHATTER, "")


def coup(state: State, book: Rulebook, flow: Flow, *, evenly: bool = False) -> tuple[Coup, Placed]:
    """The coup, and the numbers of the planned faults that have occurred with it. `evenly`: coups of the other sorts
    are planned too and thrown away, so that planning takes as long whatever is to come."""
    planned = _planned(state, book, flow)
    wish, draw = _wish(state, book)
    given = FAULT if planned or wish not in WISHES else wish
    for other in WISHES if evenly else ():
        if other != given:
            flow.coup(state, book, book.game.draw(state.setup.rulebook, state.setup.seed, other, state.coup), other)
    return planned or (flow.coup(state, book, draw, wish), state.placed)


def _wish(state: State, book: Rulebook) -> tuple[str, Any]:
    """The incident that the coup gets by chance or because somebody asked for it, and the draw to plan it with. Where
    faults are planned, chance gives none."""
    setup = state.setup
    draw = book.game.draw(setup.rulebook, setup.seed, "coup", state.coup)
    wrong = not setup.plan and draw.chance(setup.faults)
    wish = FAULT if wrong else CHATTER if draw.chance(setup.habits.chatter) else ""
    return state.wanted or wish, draw


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
