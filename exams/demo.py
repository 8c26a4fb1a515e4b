"""What a new demo finds of exams: programmes in force, and what came of them. All by the services people use."""

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from exams.demo_story import Story, enter_newcomers
from exams.demo_time import played_at
from exams.programmes import services as programmes
from exams.programmes.models import Programme, ProgrammeVersion
from exams.programmes.rules import Line, Rules, Section
from training.people.models import User

CHEMIN_DE_FER = "pt-chemin-de-fer"
MACAU = "pt-ponto-banca-macau"
BEGUN_AGO = timedelta(days=3 * 365)


def furnish() -> bool:
    """Enter the exams of the demo; False where there are programmes already, or no demo people."""
    if Programme.objects.exists() or not {"helena", "paulo"} <= set(_demo_people()):
        return False
    now = timezone.now()
    with transaction.atomic():
        enter_newcomers()
        people = _demo_people()
        with played_at(now - BEGUN_AGO):
            chemin_de_fer, macau = _programmes(author=people["helena"], publisher=people["paulo"])
        Story(people, chemin_de_fer, macau, now).tell()
    return True


def _demo_people() -> dict[str, User]:
    return {user.email.partition("@")[0]: user for user in User.objects.filter(is_demo=True)}


def _programmes(*, author: User, publisher: User) -> list[ProgrammeVersion]:
    made = [
        programmes.create_programme(author, code=code, names=names, rules=rules)
        for code, names, rules in (
            ("CDF-PT", _both("Chemin de fer (Portugal)", "Chemin de fer (Portugal)"), chemin_de_fer_rules()),
            ("PB-MACAU", _both("Ponto e banca (Macau)", "Ponto e banca (Macau)"), ponto_e_banca_rules()),
        )
    ]
    return [programmes.publish(draft, publisher, seen=draft.changed_at) for draft in made]


def chemin_de_fer_rules() -> Rules:
    return Rules(
        rulebooks=(CHEMIN_DE_FER,),
        sections=(
            _section(
                "golpe",
                "O golpe",
                "The coup",
                [("card_values", 1, 2, 1), ("third_card", 2, 4, 2), ("announcements", 2, 2, 1)],
                pass_mark=60,
            ),
            _section(
                "mesa",
                "As apostas e as vozes",
                "Stakes and claims",
                [("stakes", 2, 2, 1), ("payment", 2, 2, 2), ("banco_priority", 3, 2, 2), ("suivi", 2, 1, 1)],
            ),
            _section(
                "faltas",
                "As faltas",
                "What goes wrong",
                [("draw_faults", 3, 3, 2), ("deal_faults", 3, 2, 2)],
                pass_mark=50,
            ),
        ),
        minutes=60,
        pass_mark=70,
        critical_allowed=2,
        tries=3,
        wait_days=14,
        valid_months=24,
        renewal_days=90,
    )


def ponto_e_banca_rules() -> Rules:
    return Rules(
        rulebooks=(MACAU,),
        sections=(
            _section("cartas", "As cartas", "The cards", [("drawing", 2, 5, 2), ("shoe", 2, 2, 1)], book=MACAU),
            _section("dinheiro", "O dinheiro", "The money", [("payout", 2, 4, 2), ("limits", 2, 2, 1)], book=MACAU),
        ),
        minutes=40,
        pass_mark=75,
        critical_allowed=1,
        examiners="appointed",
        release="by_examiner",
        decision="by_examiner",
        certificate="by_hr",
        valid_months=36,
    )


def _section(
    key: str,
    portuguese: str,
    english: str,
    lines: Iterable[tuple[str, int, int, int]],
    *,
    pass_mark: int = 0,
    book: str = CHEMIN_DE_FER,
) -> Section:
    """A section with its lines: topic, difficulty, items, points."""
    made = tuple(
        Line(rulebook=book, topic=topic, difficulty=difficulty, items=items, points=points)
        for topic, difficulty, items, points in lines
    )
    return Section(key=key, names=_both(portuguese, english), lines=made, pass_mark=pass_mark)


def _both(portuguese: str, english: str) -> dict[str, str]:
    return {"pt": portuguese, "en": english}
