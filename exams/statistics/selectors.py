"""The figures of a session or a programme version, from the marks in force."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TypeVar
from uuid import UUID

from django.db.models import Q, QuerySet

from exams import clock
from exams.papers import exam_bank
from exams.papers.exam_bank import sessions_in_use
from exams.programmes.models import Programme, ProgrammeVersion
from exams.programmes.rules import Rules
from exams.records.models import ExamItem, Response, Session
from exams.results.held_scores import secret_sittings
from exams.results.models import Mark, Result
from exams.statistics.measures import ENOUGH, ExamFigures, ItemFigures, exam_figures, item_figures

K = TypeVar("K", bound=Hashable)
# Figures cover at most this many recent exams, which is enough and keeps the page fast.
MOST_SITTINGS = 2000


@dataclass(frozen=True)
class Given:
    """One person's item: its worth, the points got, and the time taken if answered."""

    item: UUID
    model: str
    line: int
    worth: float
    got: float
    seconds: int | None


@dataclass
class GradedForm:
    """One person's exam without voided items."""

    given: list[Given] = field(default_factory=list)

    @property
    def worth(self) -> float:
        return sum(given.worth for given in self.given)

    @property
    def got(self) -> float:
        return sum(given.got for given in self.given)


@dataclass(frozen=True)
class LineFigures:
    """A blueprint line: all items of one kind together."""

    line: int
    section: str
    rulebook: str
    topic: str
    difficulty: int
    figures: ItemFigures


@dataclass(frozen=True)
class ModelFigures:
    """All items of one model together (`programmes.likeness`), with how many candidates ever had one."""

    example: ExamItem
    figures: ItemFigures
    seen: int


@dataclass(frozen=True)
class SingleFigures:
    """One item that enough people had."""

    item: ExamItem
    figures: ItemFigures


@dataclass(frozen=True)
class Report:
    """`scores` are percentages; `cut` is the pass mark; `left_out` counts older exams beyond the limit."""

    exam: ExamFigures
    lines: list[LineFigures]
    models: list[ModelFigures]
    items: list[SingleFigures]
    scores: list[float]
    cut: int
    passed: int
    left_out: int


def session_report(session: Session) -> Report:
    return _report(_theory().filter(sitting__candidate__session=session), session.programme_version.rules)


def version_report(version: ProgrammeVersion) -> Report:
    """All sessions held under one version, because another version may have another blueprint."""
    return _report(_theory().filter(sitting__candidate__session__programme_version=version), version.rules)


def versions_sat(programme: Programme) -> list[ProgrammeVersion]:
    """The versions under which somebody was graded, newest first."""
    graded = Q(sessions__candidates__sitting__graded_at__isnull=False)
    return list(programme.versions.filter(graded).distinct().order_by("-number"))


def programmes_sat() -> QuerySet[Programme]:
    graded = Q(versions__sessions__candidates__sitting__graded_at__isnull=False)
    return Programme.objects.filter(graded).distinct().order_by("code")


def _theory() -> QuerySet[Result]:
    """Practical exams have no questions to measure."""
    return Result.objects.filter(sitting__candidate__session__part=Session.Part.THEORY)


def _report(results: QuerySet[Result], rules: Rules) -> Report:
    # With few people a figure reveals a score, so a session counts only once everybody has finished.
    in_use = sessions_in_use(clock.now())
    in_force = results.filter(in_force=True).exclude(sitting__candidate__session__in=in_use)
    # Leave out secret scores of people who had cases that another session still uses.
    in_force = in_force.exclude(sitting__in=secret_sittings(in_force.filter(released_at=None)))
    rows = list(
        in_force.order_by("-computed_at", "pk").values_list("sitting__candidate_id", "score", "passed")[:MOST_SITTINGS]
    )
    forms = _forms([candidate for candidate, _score, _passed in rows])
    scores = [float(score) for _candidate, score, _passed in rows]
    even_share = rules.minutes * 60 / rules.items
    return Report(
        exam=exam_figures(scores, list(_parts(forms.values(), rules)), cut=rules.pass_mark),
        lines=_lines(forms.values(), rules, even_share),
        models=_models(forms.values(), even_share),
        items=_items(forms.values(), even_share),
        scores=scores,
        cut=rules.pass_mark,
        passed=sum(passed for _candidate, _score, passed in rows),
        left_out=max(0, in_force.count() - len(rows)) if len(rows) == MOST_SITTINGS else 0,
    )


def _forms(candidates: list[UUID]) -> dict[UUID, GradedForm]:
    seconds = dict(Response.objects.filter(sitting__candidate__in=candidates).values_list("form_item_id", "seconds"))
    marks = Mark.objects.filter(form_item__form__candidate__in=candidates, in_force=True, voided=False, of__gt=0)
    forms: dict[UUID, GradedForm] = defaultdict(GradedForm)
    item_of = "form_item__item"
    columns = (
        "form_item__form__candidate_id",
        "form_item_id",
        f"{item_of}_id",
        f"{item_of}__model",
        f"{item_of}__line",
    )
    for candidate, form_item, item, model, line, worth, points, of in marks.values_list(
        *columns, "form_item__item__points", "points", "of"
    ).iterator(chunk_size=5000):
        forms[candidate].given.append(Given(item, model, line, worth, worth * points / of, seconds.get(form_item)))
    return dict(forms)


def _parts(forms: Iterable[GradedForm], rules: Rules) -> Iterable[list[float]]:
    """Everybody's points by blueprint line, without people who have a fully voided line."""
    worths = [line.items * line.points for line in rules.lines]
    for form in forms:
        got, worth = [0.0] * len(worths), [0.0] * len(worths)
        for given in form.given:
            got[given.line] += given.got
            worth[given.line] += given.worth
        if all(worth):
            yield [full * part / of for full, part, of in zip(worths, got, worth, strict=True)]


def _lines(forms: Iterable[GradedForm], rules: Rules, even_share: float) -> list[LineFigures]:
    gathered = _gather(forms, attrgetter("line"))
    return [
        LineFigures(number, section, line.rulebook, line.topic, line.difficulty, gathered[number].figures(even_share))
        for number, section, line in rules.slots
    ]


def _models(forms: Iterable[GradedForm], even_share: float) -> list[ModelFigures]:
    """The models that enough people had. Nobody else has the same item, so only they can be judged one by one."""
    gathered = _gather(forms, attrgetter("model"))
    enough = {model: found for model, found in gathered.items() if model and len(found.shares) >= ENOUGH}
    items = (
        ExamItem.objects.filter(model__in=enough).defer("scenario_document").order_by("line", "model", "fingerprint")
    )
    examples = {item.model: item for item in reversed(items)}
    seen = exam_bank.model_exposure(enough)
    return [
        ModelFigures(examples[model], enough[model].figures(even_share), seen[model])
        for model in sorted(examples, key=lambda model: (examples[model].line, model))
    ]


def _items(forms: Iterable[GradedForm], even_share: float) -> list[SingleFigures]:
    gathered = _gather(forms, attrgetter("item"))
    enough = {item: found for item, found in gathered.items() if len(found.shares) >= ENOUGH}
    items = ExamItem.objects.filter(pk__in=enough).defer("scenario_document").order_by("line", "fingerprint")
    return [SingleFigures(item, enough[item.pk].figures(even_share)) for item in items]


@dataclass
class _Gathered:
    """What people got for an item (or all items of a kind), and for the rest of their exam."""

    shares: list[float] = field(default_factory=list)
    rests: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def add(self, form: GradedForm, several: list[Given]) -> None:
        worth, got = sum(given.worth for given in several), sum(given.got for given in several)
        rest = form.worth - worth
        self.shares.append(got / worth)
        self.rests.append((form.got - got) / rest if rest else 0.0)
        self.seconds += [given.seconds for given in several if given.seconds]

    def figures(self, even_share: float) -> ItemFigures:
        return item_figures(self.shares, self.rests, self.seconds, even_share=even_share)


def _gather(forms: Iterable[GradedForm], key: Callable[[Given], K]) -> defaultdict[K, _Gathered]:
    """What was given on every form, by a key of the items."""
    gathered: defaultdict[K, _Gathered] = defaultdict(_Gathered)
    for form in forms:
        by_key: dict[K, list[Given]] = defaultdict(list)
        for given in form.given:
            by_key[key(given)].append(given)
        for one, several in by_key.items():
            gathered[one].add(form, several)
    return gathered
