"""What happens at a table if its dealer does everything right, moment by moment: for the examiners and the players."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from rules_engine import play
from rules_engine.live.dealers import dutiful
from rules_engine.live.stopping import open_fault


class Scene(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A moment of a coup: what the players say and do (`events`), the cards that leave the shoe, what the dealer owes,
    and the fault that can be seen from now on (`kind`, with its facts)."""

    coup: int
    events: tuple[play.Event, ...] = ()
    draws: tuple[str, ...] = ()
    duties: tuple[play.Duty, ...] = ()
    shuffled: bool = False
    kind: str = ""
    facts: dict[str, Any] | None = None
    base: dict[str, Any] | None = None


def faultless(state: play.State) -> play.Act:
    """The next act of a dealer who stops the game at every fault and does everything that is due."""
    if not state.stopped and state.stop_at is None and open_fault(state):
        return play.Stop(state.moments[state.fault or 0].kind)
    return dutiful(state)


def written(setup: play.Setup) -> list[Scene]:
    """The whole session."""
    state, events = play.begin(setup)
    found = [_scene(state, events)]
    while not state.over:
        before = (state.coup, state.at)
        state, events = play.act(state, faultless(state))
        if not state.over and (state.coup, state.at) != before:
            found.append(_scene(state, events))
    return found


def _scene(state: play.State, events: Iterable[play.Event]) -> Scene:
    moment = state.moment
    begins = any(event.what == "coup" for event in events)
    return Scene(
        coup=state.coup,
        # What the dealer did is in the duties.
        events=tuple(event for event in moment.events if event.by != "croupier"),
        draws=moment.draws,
        duties=moment.duties,
        shuffled=bool(moment.shuffled),
        kind=moment.kind if moment.wrong else "",
        facts=moment.facts if moment.wrong else None,
        base=play.seen(state) if begins else None,
    )
