"""A running table as an instructor sees it: what the trainee sees, what is due, and what is wrong. The trainee never
gets the latter two."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from rules_engine import Rulebook, play
from rules_engine.live.stopping import open_fault
from rules_engine.narration import cited
from rules_engine.words import money
from training.classes.models import TrainingClass
from training.classes.selectors import trainees_of
from training.library.incident_search import title
from training.live_table import selectors
from training.live_table.lines import done, name, spot
from training.live_table.models import Injection, Session
from training.live_table.results import turned_on
from training.people.hooks import open_exam
from training.people.models import User
from training.platform.folded_text import sort_key


@dataclass(frozen=True)
class Owed:
    """A duty of the dealer in words, with its article."""

    words: str
    cite: str
    cited: str


@dataclass(frozen=True)
class Wrong:
    """The fault of this coup. `standing`: `coming`, `open`, `caught` or `late`, which can no longer be put right."""

    title: str
    cite: str
    cited: str
    standing: str


@dataclass(frozen=True)
class Asked:
    """A fault that somebody asked for. `fate`: `waits`, `came`, or `unfit` if the table did not allow it."""

    coup: int
    title: str
    fate: str


@dataclass(frozen=True)
class Behind:
    """What an instructor knows and the trainee does not. `between`: the next coup is not planned yet."""

    between: bool
    due: list[Owed]
    wrong: Wrong | None
    asked: list[Asked]


def running(room: TrainingClass) -> list[Session]:
    """The open tables of the trainees of a class, the latest act first."""
    found = Session.objects.filter(trainee__in=trainees_of(room).values("pk"), ended_at=None)
    return list(found.select_related("trainee").defer(*selectors.SECRET).order_by("-last_act_at"))


def watched(instructor: User, session_id: UUID) -> Session:
    """An open table of a trainee whom the instructor teaches, and who is not sitting an exam. Raises
    Session.DoesNotExist for any other."""
    session = Session.objects.select_related("trainee").get(pk=session_id, ended_at=None)
    try:
        selectors.taught(instructor, session.trainee_id)
    except User.DoesNotExist:
        raise Session.DoesNotExist from None
    if instructor.pk == session.trainee_id or open_exam(session.trainee):
        raise Session.DoesNotExist
    return session


def behind(session: Session, language: str) -> Behind:
    asked = list(session.injections.all())
    if not session.state:
        return Behind(between=True, due=[], wrong=None, asked=[])
    state = play.decode_state(session.state)
    return Behind(
        between=session.unplanned,
        due=[] if session.unplanned else [_owed(one, session.book, language) for one in state.due],
        wrong=None if session.unplanned else _wrong(state, session.book, language),
        asked=_fates(asked, state, session, language),
    )


def faults(book: Rulebook, language: str) -> list[tuple[str, str]]:
    """The kinds of fault that can be asked for, by title."""
    kinds = play.flow_of(book).incidents.known(book)
    return sorted(((kind, title(book, kind, language)) for kind in kinds), key=lambda one: sort_key(one[1]))


def _owed(duty: play.Duty, book: Rulebook, language: str) -> Owed:
    return Owed(duty_words(duty, book, language), duty.cite, cited(duty.cite, book, language) if duty.cite else "")


def duty_words(duty: play.Duty, book: Rulebook, language: str) -> str:
    if duty.words:
        said = book.say(duty.words, book.language_of(duty.key))
        return _("Say: “%(words)s”") % {"words": said}
    if paid := duty.payment:
        values = {
            "sum": money(paid.amount, book.currency, language),
            "payer": name(paid.payer, book, language),
            "payee": name(paid.payee, book, language),
        }
        words = _("%(sum)s from %(payer)s to %(payee)s") % values
        where = spot(paid.spot, book, language)
        return f"{words} · {where}" if where else words
    acts = {one.key: one for one in play.flow_of(book).acts}
    return done(acts[duty.key], duty.value, book, language) if duty.key in acts else _("Something else to do")


def _wrong(state: play.State, book: Rulebook, language: str) -> Wrong | None:
    if state.fault is None:
        return None
    moment = state.moments[state.fault]
    cite = next(iter(turned_on(book, moment.facts)), "")
    if state.fault > state.at:
        standing = "coming"
    elif state.stop_at is not None:
        standing = "caught"
    else:
        standing = "open" if open_fault(state) else "late"
    return Wrong(title(book, moment.kind, language), cite, cited(cite, book, language) if cite else "", standing)


def _fates(asked: Iterable[Injection], state: play.State, session: Session, language: str) -> list[Asked]:
    kinds = {trial.coup: trial.kind for trial in state.trials}
    if not session.unplanned and state.fault is not None:
        kinds[state.coup] = state.moments[state.fault].kind
    last: dict[int, str] = {one.coup: one.kind for one in asked}  # a later wish replaces an earlier one
    found = []
    for coup, kind in sorted(last.items(), reverse=True):
        met = coup <= state.coup and not (session.unplanned and coup == state.coup + 1)
        fate = "came" if kinds.get(coup) == kind else "unfit" if met else "waits"
        found.append(Asked(coup, title(session.book, kind, language), fate))
    return found
