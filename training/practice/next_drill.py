"""Chooses the next scenario: what matters most now, what was missed lately, or what the trainee asks for."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from fsrs import Rating

from rules_engine import RULEBOOKS, Ruling, Scenario
from rules_engine.game import LEVELS
from rules_engine.topics import cases
from training.figures.selectors import TalliedDay, last_tallies
from training.house import tables
from training.library.models import Version
from training.library.selectors import practised, practised_turning_on
from training.mastery import memory
from training.mastery.memory import Agenda, Remembered, Rule
from training.mastery.models import Memory
from training.mastery.rules_to_learn import RulesIn, rules_in, rules_to_learn
from training.mastery.selectors import day_of, end_of_day, remembered
from training.people.models import User
from training.platform.errors import Refused
from training.practice import day, fresh, services, stories
from training.practice.models import Attempt, DayPlan, Drill, Mark
from training.practice.selectors import Answered, recent

DEFAULT_RULEBOOK = next(iter(RULEBOOKS))
DEFAULT_MINUTES = 10
FIRST_PACE = 60  # seconds for a scenario, until the trainee's own pace is known
ENOUGH_FOR_PACE = 5  # answers
QUICKEST, SLOWEST = 15, 240
PACE_DAYS = 30
# A rule missed in this sitting comes back after this many other answers, and at most this often.
SITTING = timedelta(hours=2)
COMES_BACK_AFTER = 3
COMES_BACK = 2


@dataclass(frozen=True)
class Study:
    """How a trainee studies: how long a day, and which rulebooks, most important first."""

    minutes: int = DEFAULT_MINUTES
    rulebooks: tuple[str, ...] = (DEFAULT_RULEBOOK,)


@dataclass(frozen=True)
class Today:
    """The trainee's day: what is planned, how long it takes, what is done, and how much is due tomorrow."""

    agenda: Agenda
    memories: Sequence[Remembered]
    pace: int
    answered: int
    seconds_done: int
    tomorrow: int
    days: Sequence[TalliedDay]  # the last ones with an answer, newest first

    @property
    def scenarios(self) -> int:
        return len(self.agenda.today)

    @property
    def minutes(self) -> int:
        return max(1, round(self.scenarios * self.pace / 60)) if self.scenarios else 0

    @property
    def minutes_done(self) -> int:
        return max(1, round(self.seconds_done / 60)) if self.seconds_done else 0


@dataclass(frozen=True)
class Mistake:
    """A rule missed lately and not answered rightly since."""

    rule: Rule
    topic: str
    difficulty: int
    missed_at: datetime


def pace_of(days: Sequence[TalliedDay]) -> int:
    """How many seconds this trainee needs for a scenario."""
    answers = sum(day.answers for day in days)
    mean = sum(day.seconds for day in days) / answers if answers >= ENOUGH_FOR_PACE else FIRST_PACE
    return round(min(SLOWEST, max(QUICKEST, mean)))


def today(
    trainee: User,
    study: Study,
    now: datetime,
    memories: Sequence[Remembered] | None = None,
    known: RulesIn | None = None,
) -> Today:
    """Plan what matters most now, within what is left of the day's minutes.

    Pass `memories` of the rulebooks studied, and `known`, the rules of these or more rulebooks, if they have been read.
    """
    here, until = day_of(trainee, now), end_of_day(trainee, now)
    days = last_tallies(trainee, here, PACE_DAYS)
    done = next((day for day in days if day.day == here), TalliedDay(here))
    pace = pace_of(days)
    known = known or rules_in(study.rulebooks)
    if memories is None:
        memories = remembered(trainee, study.rulebooks, known)
    agenda = memory.agenda(
        memories,
        [rule for book in study.rulebooks for rule in known[book]],
        now=now,
        until=until,
        left=max(0, round((study.minutes * 60 - done.seconds) / pace)),
        daily=max(1, round(study.minutes * 60 / pace)),
    )
    tomorrow = end_of_day(trainee, until)
    return Today(
        agenda=agenda,
        memories=memories,
        pace=pace,
        answered=done.answers,
        seconds_done=done.seconds,
        tomorrow=sum(until <= item.due < tomorrow for item in memories),
        days=days,
    )


def plan_of_today(trainee: User, study: Study, now: datetime) -> DayPlan | None:
    """Today's plan if it has begun. If the study plan has changed since, the rest of the day is planned again."""
    plan = day.plan_of(trainee, now)
    if plan is None or day.fits(plan, study):
        return plan
    return day.change(plan, study, today(trainee, study, now))


@transaction.atomic
def start_what_matters(trainee: User, study: Study, now: datetime) -> Drill:
    """The most useful scenario now. One left open comes first, so that nobody skips to an easier one."""
    User.objects.select_for_update(no_key=True).get(pk=trainee.pk)
    own = Drill.objects.filter(trainee=trainee, mode=Drill.Mode.SCHEDULED)
    left_open = own.filter(attempt=None, rulebook__in=study.rulebooks).order_by("-created_at").first()
    if left_open and not left_open.is_current:
        left_open = None
    plan = plan_of_today(trainee, study, now)
    if left_open and (plan or left_open.before_id):
        return left_open
    # An unfinished story comes first, but only once its last answer is marked.
    if further := stories.further(own.filter(rulebook__in=study.rulebooks, attempt__state=Attempt.State.GRADED)):
        return further
    if again := _missed_in_this_sitting(trainee, study, now):
        return put_rule(trainee, again.rule, difficulty=again.difficulty, mode=Drill.Mode.SCHEDULED)
    planned = today(trainee, study, now)
    plan = plan or day.fix(trainee, study, planned, now, first=left_open)
    if left_open:
        return left_open
    # Answers that wait for their mark have not updated the memory yet.
    waiting = own.filter(attempt__state=Attempt.State.SUBMITTED).values_list("rulebook", "aim")
    busy = {Rule(book, cite) for book, cite in waiting}
    cards = {item.rule: item.card for item in planned.memories}
    practised = {rule for rule, card in cards.items() if datetime.fromisoformat(card["last_review"]) >= plan.made_at}
    coming = [*planned.agenda.today, *planned.agenda.more]
    day.replace_practised(plan, practised, coming)
    order = list(dict.fromkeys([*day.progress(plan).left, *coming]))
    return _put_most_useful(trainee, [rule for rule in order if rule not in busy] or order, cards, now, plan.made_at)


def _put_most_useful(
    trainee: User, order: Sequence[Rule], cards: Mapping[Rule, Mapping[str, Any]], now: datetime, since: datetime
) -> Drill:
    """A case of one of the first rules, preferring one that exercises several rules that are nearly forgotten.

    A published scenario for the first rule goes first.
    """
    first = order[0]
    if unseen := _published(trainee, first, memory.level(cards.get(first))):
        return services.put_drill(trainee, unseen.scenario, mode=Drill.Mode.SCHEDULED, aim=first.cite, version=unseen)

    def worth(scenario: Scenario, ruling: Ruling) -> float:
        cites = dict.fromkeys(cite for question in scenario.questions for cite in ruling.rests_on(question.key))
        return memory.worth([Rule(scenario.rulebook, cite) for cite in cites], cards, now=now, since=since)

    sources: dict[str, fresh.FreshCases] = {}
    found: list[tuple[float, Rule, Scenario]] = []
    for rule in memory.candidates(order, cards):
        book, level = rule.rulebook, memory.level(cards.get(rule))
        if book not in sources:
            met, at = fresh.met_lately(trainee, book), tables.of_trainee(trainee.pk, book)
            sources[book] = fresh.FreshCases(book, met, at)
        with suppress(Refused):
            scenario, useful = sources[book].most_useful(None, level, rule.cite, worth=worth, among=memory.CASES_EACH)
            found.append((useful, rule, scenario))
    if not found:
        raise Refused(fresh.all_in_use())
    _useful, rule, scenario = max(found, key=lambda one: one[0])
    return services.put_drill(trainee, scenario, mode=Drill.Mode.SCHEDULED, aim=rule.cite)


def is_first_meeting(drill: Drill) -> bool:
    """Whether the trainee has never met the rule of this drill, so that its card comes first."""
    if Rule(drill.rulebook, drill.aim) not in rules_to_learn(drill.rulebook):
        return False
    return not Memory.objects.filter(trainee_id=drill.trainee_id, rulebook=drill.rulebook, cite=drill.aim).exists()


def _missed_in_this_sitting(trainee: User, study: Study, now: datetime) -> Mistake | None:
    """A rule missed a few answers ago and not answered rightly since, to bring back with other facts."""
    answered = Mark.objects.filter(attempt__trainee=trainee, attempt__submitted_at__gt=now - SITTING)
    before = answered.order_by("-attempt__submitted_at").values_list("attempt__submitted_at", flat=True)
    times = list(before[: COMES_BACK_AFTER + 1])
    if len(times) <= COMES_BACK_AFTER:
        return None
    drills = Drill.objects.filter(trainee=trainee, mode=Drill.Mode.SCHEDULED, created_at__gt=now - SITTING)
    put = Counter(Rule(book, aim) for book, aim in drills.values_list("rulebook", "aim"))
    return next(
        (
            found
            for found in mistakes(recent(trainee, since=now - SITTING))
            if found.missed_at <= times[-1] and found.rule.rulebook in study.rulebooks and put[found.rule] <= COMES_BACK
        ),
        None,
    )


def mistakes(answers: Sequence[Answered], known: RulesIn | None = None) -> list[Mistake]:
    """Rules missed in these answers and not answered rightly since, oldest first. Pass `known` if it has been read."""
    latest: dict[Rule, Mistake | None] = {}
    known = known or rules_in(answer.rulebook for answer in answers)
    for answer in reversed(answers):
        for cite, rating in answer.ratings.items():
            rule = Rule(answer.rulebook, cite)
            latest.pop(rule, None)
            missed = rating == Rating.Again and rule in known.get(answer.rulebook, ())
            latest[rule] = Mistake(rule, answer.topic, answer.difficulty, answer.submitted_at) if missed else None
    return [mistake for mistake in latest.values() if mistake]


def start_replay(trainee: User) -> Drill | None:
    """A drill of the same kind with other facts, for the oldest mistake; None if there is none."""
    waiting = mistakes(recent(trainee))
    if not waiting:
        return None
    again = waiting[0]
    book, cite = again.rule.rulebook, again.rule.cite
    same_kind = any(cite in case.turns_on[book] for case in cases(book, again.topic))
    return put_rule(
        trainee,
        again.rule,
        topic=again.topic if same_kind else None,
        difficulty=again.difficulty,
        mode=Drill.Mode.REPLAY,
    )


def start_free(trainee: User, *, rulebook: str, topic: str, difficulty: int) -> Drill:
    """A drill on the chosen topic: a published scenario the trainee has not had yet, else a generated one.

    Published scenarios may have levels that the topic does not: those count as the nearest level it has.
    """
    game = RULEBOOKS[rulebook].game
    near = [level for level in LEVELS if game.level(topic, level) == game.level(topic, difficulty)]
    published = practised().filter(rulebook=rulebook, topic=topic, difficulty__in=near)
    if unseen := _unseen(trainee, published):
        return services.put_drill(trainee, unseen.scenario, mode=Drill.Mode.FREE, version=unseen)
    return services.start_drill(trainee, rulebook=rulebook, topic=topic, difficulty=difficulty)


def put_rule(trainee: User, rule: Rule, *, difficulty: int, mode: Drill.Mode, topic: str | None = None) -> Drill:
    """A drill that turns on a rule: a published scenario the trainee has not had yet, else a generated one."""
    if unseen := _published(trainee, rule, difficulty):
        return services.put_drill(trainee, unseen.scenario, mode=mode, aim=rule.cite, version=unseen)
    return services.start_drill(
        trainee, rulebook=rule.rulebook, topic=topic, difficulty=difficulty, article=rule.cite, mode=mode
    )


def _published(trainee: User, rule: Rule, difficulty: int) -> Version | None:
    """A published scenario on a rule that the trainee has not had yet.

    At difficulty 1 only easy ones are used, so that a rule just taught does not come in a hard case.
    """
    published = practised_turning_on(rule.rulebook, rule.cite)
    return _unseen(trainee, published.filter(difficulty=1) if difficulty == 1 else published)


def _unseen(trainee: User, published: QuerySet[Version]) -> Version | None:
    unseen = published.exclude(drills__trainee=trainee).order_by("pk")
    return next((version for version in unseen.iterator() if not fresh.is_kept_out_of(version)), None)
