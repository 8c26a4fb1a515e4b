"""Creates the exams of a new demo: programmes in force and their history, all through the normal services."""

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from exams.demo import programmes as demo_programmes
from exams.demo.held_exams import played_at, under_the_law_of
from exams.demo.programmes import Written
from exams.demo.story import Story, enter_newcomers
from exams.programmes import law, standard
from exams.programmes import services as programmes
from exams.programmes.models import Programme, ProgrammeVersion
from training.people.models import User

BEGUN_AGO = timedelta(days=3 * 365)


def furnish() -> bool:
    """Create the demo's exams. Returns False if there are already programmes, or no demo people."""
    if Programme.objects.exists() or not {"helena", "paulo"} <= set(_demo_people()):
        return False
    now = timezone.now()
    by_hand, by_game = demo_programmes.by_hand(), [*demo_programmes.by_game(), demo_programmes.mixed()]
    with transaction.atomic(), under_the_law_of(law.day_of(now)):
        enter_newcomers()
        people = _demo_people()
        with played_at(now - BEGUN_AGO):
            who = {"author": people["helena"], "publisher": people["paulo"]}
            chemin_de_fer, macau = _published(by_hand, **who)
            *others, mixed = _published(by_game, **who)
        Story(people, chemin_de_fer, macau, others, mixed, now).play()
    return True


def _demo_people() -> dict[str, User]:
    return {user.email.partition("@")[0]: user for user in User.objects.filter(is_demo=True)}


def _published(written: Iterable[Written], *, author: User, publisher: User) -> list[ProgrammeVersion]:
    made = [programmes.create_programme(author, **each._asdict()) for each in written]
    for draft in made:
        for judge in (author, publisher):
            standard.judge(draft, judge, [draft.rules.pass_mark] * len(draft.rules.lines))
    return [programmes.publish(draft, publisher, seen=draft.changed_at) for draft in made]
