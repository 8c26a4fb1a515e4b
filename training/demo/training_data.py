"""Fills a demo house: two classes, a library and some days of practice."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

import rules_engine
from rules_engine import GAMES, Decision, Game, Scenario, Utterance, topics
from rules_engine.versions import in_force, regulation_of
from training.classes import services as classes
from training.classes.models import TrainingClass
from training.classes.selectors import Kind
from training.house import tables
from training.house.readings import practised
from training.library import drafts
from training.library import services as library
from training.library.models import Version
from training.people.models import User
from training.platform.engine_json import document
from training.practice import next_drill, services
from training.practice.flags import raise_flag
from training.practice.models import Attempt, Drill, Mark

BOOK = "pt-chemin-de-fer"
HOUSE_LANGUAGE = "pt"
STUDY = next_drill.Study(minutes=15, rulebooks=(BOOK,))
SEEDS = 40  # tries for a scenario that turns on its article


@dataclass(frozen=True)
class Written:
    """A scenario of the library: its source, and its texts in Portuguese and English."""

    rulebook: str
    topic: str
    article: str
    title: tuple[str, str]
    note: tuple[str, str]

    @property
    def words(self) -> dict[str, dict[str, str]]:
        return {language: {"title": self.title[n], "note": self.note[n]} for n, language in enumerate(("pt", "en"))}


PUBLISHED = (
    Written(
        BOOK,
        "third_card",
        "67 d",
        ("O banqueiro olha para a carta dada", "The banker looks at the card he gave"),
        (
            "Com três, quatro, cinco ou seis, **é a terceira carta do ponto que decide**. Diga o valor dela em voz "
            "alta antes de ir à tabela.",
            "With three, four, five or six, **the ponto's third card decides**. Say its value aloud before you turn to "
            "the table.",
        ),
    ),
    Written(
        BOOK,
        "banco_priority",
        "48",
        ("Mais do que uma voz", "More than one voice"),
        (
            "Ouvir todos, olhar para os lugares, e só depois dar as cartas. A ordem conta-se a partir da direita do "
            "banqueiro, não de quem falou mais alto.",
            "Hear everybody, look at the seats, and only then give the cards. The order counts from the banker's "
            "right, not from the loudest voice.",
        ),
    ),
    Written(
        BOOK,
        "draw_faults",
        "104 h",
        ("Uma carta a mais para o ponto", "One card too many for the ponto"),
        (
            "Antes de tocar em qualquer carta, pergunte-se se ainda se sabe qual saiu primeiro.",
            "Before touching any card, ask yourself whether it is still known which came first.",
        ),
    ),
    Written(
        BOOK,
        "deal_faults",
        "104 m",
        ("A carta que caiu", "The card that fell"),
        (
            "Acontece em todas as salas. O importante é decidir depressa e dizer porquê.",
            "It happens in every room. What matters is to rule quickly and to say why.",
        ),
    ),
    Written(
        "pt-ponto-banca-1995",
        "payout",
        "18",
        ("Fim de lance numa mesa simples", "The end of a coup at a single table"),
        (
            "Primeiro recolher, depois pagar, sempre pela mesma ordem: quem segue a rotina não se engana nas contas.",
            "Collect first, then pay, always in the same order: whoever keeps to the routine gets the sums right.",
        ),
    ),
    Written(
        "pt-roleta-francesa",
        "payout",
        "X 20 a-cavalo",
        ("O cavalo que saiu", "The split that came up"),
        (
            "Dezassete vezes: faça vinte e tire três. **A conta faz-se antes de tocar nas fichas.**",
            "Seventeen times: make it twenty and take three away. **The sum comes before the chips.**",
        ),
    ),
)
# In nobody's practice: the demo's exams draw them.
RESERVED = (
    Written(
        BOOK,
        "third_card",
        "67 d",
        ("A decisão do banqueiro", "The banker's decision"),
        ("Primeiro os pontos, depois a carta dada.", "First the points, then the card given."),
    ),
    Written(
        "pt-ponto-banca-macau",
        "drawing",
        "distribuicao B-5",
        ("A banca e a terceira carta", "The bank and the third card"),
        ("A tabela lê-se pela carta do ponto.", "The table is read by the ponto's card."),
    ),
)
IN_REVIEW = Written(
    BOOK,
    "suivi",
    "51 s2",
    ("Suivi, e a mesa à espera", "Suivi, and the table waits"),
    ("Quem perdeu no golpe anterior ainda tem a palavra.", "Whoever lost the coup before still has a say."),
)
DRAFT = Written(
    BOOK,
    "payment",
    "95",
    ("A quem se paga primeiro", "Who is paid first"),
    ("Mostrar o percurso da mão à volta da mesa.", "Show the hand's way round the table."),
)


@dataclass(frozen=True)
class Habit:
    """How somebody has practised: on which days ago, at most how many scenarios, and how many of eleven go wrong."""

    email: str
    days: Sequence[int]
    scenarios: int
    wrong_of_eleven: int


HABITS = (
    Habit("ines@sabot.example", (13, 12, 11, 9, 8, 7, 6, 4, 3, 2, 1), 6, 2),
    Habit("duarte@sabot.example", (12, 10, 8, 5, 4), 5, 5),
)


def house_books(game: Game[Any]) -> list[str]:
    """The rulebooks that this house uses for a game: those in its language, in the version in force today."""
    today = timezone.localdate()
    books = [book for book in game.books if book.language == HOUSE_LANGUAGE]
    current = (in_force(regulation_of(book), today) for book in books)
    return list(dict.fromkeys(book.id for book in current if book))


def bank_books() -> list[str]:
    """One rulebook of every game that is played against the house, that is, of every game with odds."""
    return [books[0] for game in GAMES.values() if game.odds and (books := house_books(game))]


def furnish() -> bool:
    """Fill an unused house. Returns False if somebody has used it already."""
    if any(model.objects.exists() for model in (Version, TrainingClass, Drill)):
        return False
    people = {user.email.partition("@")[0]: user for user in User.objects.filter(is_demo=True)}
    with transaction.atomic():
        versions = _write_library(author=people["rui"], reviewer=people["helena"])
        for habit in HABITS:
            _practise(User.objects.get(email=habit.email), habit)
        _teach(people["helena"], [people[name] for name in ("ines", "duarte", "marta")], versions)
        _teach_the_bank(people["helena"], people["duarte"])
        missed = Drill.objects.filter(trainee=people["duarte"], attempt__mark__critical_missed=True)
        raise_flag(missed.latest("created_at"), "A carta do ponto vê-se mal no telemóvel.")
    return True


def _write_library(*, author: User, reviewer: User) -> list[Version]:
    sent = [library.submit_for_review(_draft(author, written), author) for written in PUBLISHED]
    published = [library.publish(version, reviewer) for version in sent]
    for written in RESERVED:
        draft = library.submit_for_review(_draft(author, written, seed="bank"), author)
        library.publish(draft, reviewer, reserved=True)
    library.submit_for_review(_draft(author, IN_REVIEW), author)
    _draft(author, DRAFT)
    return published


def _draft(author: User, written: Written, *, seed: str = "demo") -> Version:
    scenario = _scenario(written.rulebook, written.topic, written.article, seed=seed, difficulty=2)
    return drafts.create_draft(author, scenario, source=Version.Source.GENERATED, words=written.words)


def _scenario(book: str, topic: str | None, article: str, *, seed: str, difficulty: int) -> Scenario:
    """A scenario that turns on the article, always the same for the same seed."""
    for turn in range(SEEDS):
        own = f"{seed}-{turn}"
        table = tables.pick(tables.of_house(book), own)
        made = rules_engine.generate(
            book, topic, own, difficulty, article=article, table=table, readings=practised(book)
        )
        if article in made.solve().pivots:
            break
    return made


def _practise(trainee: User, habit: Habit) -> None:
    numbers = count(1)
    midnight = timezone.now().astimezone(ZoneInfo(trainee.time_zone)).replace(hour=0, minute=0, second=0, microsecond=0)
    for ago in habit.days:
        evening = midnight - timedelta(days=ago) + timedelta(hours=18)
        rules = next_drill.today(trainee, STUDY, evening).agenda.today[: habit.scenarios - ago % 3]
        for place, (rule, number) in enumerate(zip(rules, numbers, strict=False)):
            seed = f"{trainee.email}-{number}"
            scenario = _scenario(rule.rulebook, None, rule.cite, seed=seed, difficulty=2)
            drill = services.put_drill(trainee, scenario, mode=Drill.Mode.SCHEDULED, aim=rule.cite)
            seconds = 40 + number * 13 % 45
            # Multiples of seven modulo eleven spread the mistakes over the days.
            wrong = number * 7 % 11 < habit.wrong_of_eleven
            _answer(drill, evening + timedelta(minutes=2 * place), seconds, wrong=wrong)


def _answer(drill: Drill, at: datetime, seconds: int, *, wrong: bool) -> None:
    """Answer and grade a drill as if at a past time, without the queue."""
    answer = rules_engine.answer_from({"parts": _parts(drill.scenario, wrong=wrong)})
    rules_engine.check_answer(drill.scenario, answer)
    attempt = Attempt.objects.create(
        drill=drill,
        trainee_id=drill.trainee_id,
        answer=document(answer),
        submitted_at=at + timedelta(seconds=seconds),
        seconds=seconds,
    )
    Drill.objects.filter(pk=drill.pk).update(created_at=at)
    services.grade(attempt.pk)
    Mark.objects.filter(attempt=attempt).update(graded_at=attempt.submitted_at)


def _parts(scenario: Scenario, *, wrong: bool) -> dict[str, Any]:
    """The right answers; if `wrong`, with a mistake in a choice or, if there is none, in the first question."""
    asked = {question.key for question in scenario.questions}
    decisions = [decision for decision in scenario.solve().decisions if decision.key in asked]
    parts = {decision.key: _said(scenario, decision) for decision in decisions}
    if wrong:
        slip = next((decision for decision in decisions if decision.kind == "choice"), decisions[0])
        options = scenario.book.game.options(slip.key) if slip.kind == "choice" else ()
        others = [option for option in options if option != slip.value]
        parts[slip.key] = others[0] if others else ""
    return parts


def _said(scenario: Scenario, decision: Decision) -> str:
    value = decision.value
    if isinstance(value, Utterance):
        return scenario.book.say(value, scenario.book.language_of(decision.key))
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _teach(instructor: User, trainees: Iterable[User], versions: Sequence[Version]) -> None:
    """A class with an assignment due in a week, which the newcomer has begun."""
    *_others, newcomer = trainees = list(trainees)
    training_class = classes.make_class(instructor, name="Croupiers de outono", daily_minutes=15, rulebooks=[BOOK])
    classes.enrol(training_class, trainees, instructor)
    assignment = classes.assign(
        training_class,
        instructor,
        title="Terceira carta e faltas",
        due_at=_in_a_week(instructor),
        versions=[version for version in versions if version.rulebook == BOOK],
        fresh=[(Kind(BOOK, "third_card", 2), 3)],
    )
    now = timezone.now()
    for place, wrong in enumerate((False, True)):
        drill = classes.next_assigned(newcomer, assignment)
        _answer(drill, now - timedelta(minutes=10 - 3 * place), 70 + 20 * place, wrong=wrong)


def _teach_the_bank(instructor: User, trainee: User) -> None:
    """A second class, for games against the house, with a scenario of each to generate."""
    books = bank_books()
    training_class = classes.make_class(instructor, name="Jogos bancados", daily_minutes=15, rulebooks=books)
    classes.enrol(training_class, [trainee], instructor)
    classes.assign(
        training_class,
        instructor,
        title="Um pouco de cada banca",
        due_at=_in_a_week(instructor),
        fresh=[(Kind(book, topics(book)[0], 1), 1) for book in books],
    )


def _in_a_week(instructor: User) -> datetime:
    there = (timezone.now() + timedelta(days=7)).astimezone(ZoneInfo(instructor.time_zone))
    return there.replace(hour=23, minute=59, second=0, microsecond=0)
