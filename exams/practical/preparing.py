"""Lays a table for every candidate of a practical exam before the session opens: equal in content, different in cards.

Everybody gets as many faults of each line of the programme, at the same table and pace. A seed is taken only if a
dealer who does everything right meets every planned fault, and so does one who never stops the game.
"""

from collections.abc import Callable
from datetime import datetime

from exams import clock
from exams.papers.pool import CannotMake
from exams.practical import script
from exams.practical.models import ExamAct, ExamTable
from exams.programmes.practical_part import Practical
from exams.records.models import Candidate, Session
from rules_engine import play
from rules_engine.draw import Draw
from rules_engine.live.dealers import dutiful
from training.house.readings import examined
from training.live_table import ladder, services
from training.platform.engine_json import document
from training.platform.secret_seeds import secret_seed

TRIES = 40
BATCH = 100
UNEVEN_TABLES = {"kind": "uneven_tables"}


def make_tables(session: Session, at_work: Callable[[int], None]) -> Callable[[], int]:
    """Lay the tables of all candidates. Returns what stores them and says how many there are. Raises CannotMake if the
    faults cannot occur."""
    part = session.programme_version.rules.practical
    if part is None:
        raise CannotMake(UNEVEN_TABLES)
    candidates, now = list(session.candidates.order_by("pk")), clock.now()
    made = []
    for number, candidate in enumerate(candidates):
        at_work(90 * number // len(candidates))
        made.append(_laid(candidate, part, now))
    return lambda: len(ExamTable.objects.bulk_create(made, batch_size=BATCH))


def drop_tables(session: Session) -> None:
    """Delete the tables of a session that nobody has begun."""
    ExamAct.objects.filter(table__candidate__session=session).delete()
    ExamTable.objects.filter(candidate__session=session).delete()


def _laid(candidate: Candidate, part: Practical, now: datetime) -> ExamTable:
    table = ExamTable(candidate=candidate, rung=part.rung, pace=part.pace, in_room=part.held == "table")
    setup = fit_setup(part)
    services.lay(table, setup, now)
    if table.in_room:
        table.script = document(script.written(setup))
    return table


def fit_setup(part: Practical) -> play.Setup:
    """A setup in which every planned fault occurs. Raises CannotMake after too many tries."""
    for _try in range(TRIES):
        setup = planned(part, secret_seed())
        if all(len(_last(setup, dealer).placed) == part.count for dealer in (dutiful, script.faultless)):
            return setup
    raise CannotMake(UNEVEN_TABLES)


def planned(part: Practical, seed: str) -> play.Setup:
    """The setup with this seed: which fault comes in which coup, and of which kind."""
    draw = Draw("practical exam", seed)
    lines = draw.shuffled([line for line in part.faults for _one in range(line.count)])
    # The last coup is left free, so that a fault can still move on by one.
    coups = sorted(draw.sample(range(1, max(part.coups, part.count + 1)), part.count))
    plan = tuple(play.Planned(coup, tuple(draw.shuffled(line.kinds))) for coup, line in zip(coups, lines, strict=True))
    return play.Setup(
        rulebook=part.rulebook,
        seed=seed,
        coups=part.coups,
        faults=0,
        habits=ladder.HABITS[part.rung],
        table=part.table,
        readings=examined(part.rulebook),
        plan=plan,
    )


def _last(setup: play.Setup, dealer: Callable[[play.State], play.Act]) -> play.State:
    state, _events = play.begin(setup)
    while not state.over:
        state, _events = play.act(state, dealer(state))
    return state
