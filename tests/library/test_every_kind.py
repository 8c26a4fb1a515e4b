"""Every kind of incident of every game opened in the editor and changed in each field: ruled on, or told why not."""

import itertools
from collections import Counter
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import translation

import rules_engine
from rules_engine import GAMES, Rulebook
from tests.library.changing import changes
from tests.samples import sample
from training.library import editor, editor_starts
from training.library.editor_controls import Sheet
from training.library.editor_forms import INCIDENT, Typed, typed
from training.people.models import Role

pytestmark = pytest.mark.django_db
CARDS = "cards"  # cards that are in two places at once are wrong together
STARTS = 16  # ordinary tables at which a field is tried
# Facts of an incident that say one thing together: each of them alone is refused.
TOGETHER = {
    "lost": ("lost_by",),
    "lost_by": ("lost",),
    "since": ("lost", "lost_by"),
    "passed_by": ("passed_after",),
    "passed_after": ("passed_by",),
    "bought": ("passed_by", "passed_after"),
}
# What no change of the incident reaches, and why: another value is told and refused with its reason.
ONE_VALUE = {
    "false_note asked": "Sanremo, the only text on it, speaks of notes that the player had asked for",
    "suivi_on_raised_bank tied": "a suivi follows a coup that was lost, so that it was not tied",
    "second_machine player": "nobody else plays: another must first be sat at a machine, which is a fact of the table",
}
EACH = sample(5, 1)  # of the changes of the table, one in so many for each kind


def kinds(game: str) -> dict[str, Rulebook]:
    """Each kind of incident with the first rulebook that has it."""
    return {kind: book for book in reversed(GAMES[game].books) for kind in book.kinds()}


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_is_opened_with_its_table_and_its_ruling(game: str, signed_in: Callable[..., Client]) -> None:
    author = signed_in(Role.INSTRUCTOR)
    for kind, book in kinds(game).items():
        page = author.get("/scenarios/new/", {"rulebook": book.id, "kind": kind})
        shown = page.content.decode()
        assert page.status_code == 200 and 'class="steps"' in shown and "<svg" in shown, kind


@pytest.mark.parametrize("game", GAMES)
def test_no_change_is_a_dead_end(game: str) -> None:
    """Each field of the incident gets other values of its own, and so do those of the table in turn."""
    tried: Counter[str] = Counter()
    ruled: Counter[str] = Counter()
    with translation.override("en"):
        for number, (kind, book) in enumerate(kinds(game).items()):
            topic = editor_starts.topics_of(book, kind)[0]
            facts = typed(editor_starts.example(book, kind), book)
            for at, (name, now) in enumerate(changes(facts, book, kind)):
                own = name.startswith(f"{INCIDENT}-")
                if not own and (at + number) % EACH:
                    continue
                assert now != facts, (kind, name)
                checked = editor.check(editor.Sketch(book, kind, topic, 2, now))
                where = f"{kind} {name}" if own else name
                tried[where] += 1
                ruled[where] += checked.ruling is not None
                if checked.ruling is None:
                    known = Sheet(now, {}, book, kind, "en").labels()
                    assert checked.wrong and all(checked.wrong.values()), (kind, name)
                    assert checked.wrong.keys() <= known.keys() | {CARDS, ""}, (kind, name, checked.wrong)
    # A fact that hangs on another cannot change alone; more than half of them can.
    assert sum(bool(ruled[where]) for where in tried) > len(tried) / 2
    facts_of = {kind: book.kinds()[kind].__struct_fields__ for kind, book in kinds(game).items()}
    every = {f"{kind} {INCIDENT}-{name}" for kind, names in facts_of.items() for name in names}
    assert every <= tried.keys()
    assert set(Sheet({}, {}, book, kind, "en").table) - tried.keys() == set()


@pytest.mark.parametrize("game", GAMES)
def test_every_field_of_an_incident_is_ruled_on_with_another_value(game: str) -> None:
    """Alone at some ordinary table, with the facts it goes together with, or as generated cases tell it differently."""
    fields = [
        (kind, name)
        for at, (kind, book) in enumerate(kinds(game).items())
        if at % EACH == 0
        for name in book.kinds()[kind].__struct_fields__
    ]
    with translation.override("en"):
        unreached = {f"{kind} {name}" for kind, name in fields if not is_reached(game, kind, name)}
    known = {one for one in ONE_VALUE if tuple(one.split()) in fields}
    assert unreached == known


def is_reached(game: str, kind: str, name: str) -> bool:
    books = [book for book in GAMES[game].books if kind in book.kinds()]
    told: set[tuple[tuple[str, str], ...]] = set()
    field = f"{INCIDENT}-{name}"
    # The table that the editor opens comes first.
    starts = [(editor_starts.PLAIN, 0, 2), *((str(seed), seed, 1 + seed % 5) for seed in range(STARTS))]
    for (seed, nth, difficulty), book in itertools.product(starts, books):
        topics = editor_starts.topics_of(book, kind)
        topic = topics[nth % len(topics)]
        facts = typed(editor_starts.example(book, kind, seed, topic=topic, difficulty=difficulty), book)
        others = [now for changed, now in changes(facts, book, kind) if changed == field]
        if name in TOGETHER:
            others += _together(facts, book, kind, name)
        if any(editor.check(editor.Sketch(book, kind, topic, 2, now)).ruling for now in others):
            return True
        told.add(tuple(sorted(one for one in facts.items() if one[0] == field or one[0].startswith(f"{field}-"))))
    return len(told) > 1


def _together(facts: Typed, book: Rulebook, kind: str, name: str) -> list[Typed]:
    """Changes of a fact and of those that go together with it, at once."""
    found = list(changes(facts, book, kind))
    names = [f"{INCIDENT}-{one}" for one in TOGETHER[name]]
    values = [[now[one] for changed, now in found if changed == one] for one in names]
    return [
        {**now, **dict(zip(names, chosen, strict=True))}
        for changed, now in found
        if changed == f"{INCIDENT}-{name}"
        for chosen in itertools.product(*values)
    ]


def test_a_kind_without_facts_of_its_own_is_still_a_case() -> None:
    bare = [
        (book, kind) for game in GAMES for kind, book in kinds(game).items() if not book.kinds()[kind].__struct_fields__
    ]
    for book, kind in bare:
        assert rules_engine.rulebook(book.id).rule(editor_starts.example(book, kind)).steps
