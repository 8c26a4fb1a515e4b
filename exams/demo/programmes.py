"""The demo's programmes: two written by hand, one for each other game, and one for all bank games.

The games come from the engine, so a new game gets its programme and its part of the mixed exam automatically.
"""

from collections.abc import Iterable
from typing import NamedTuple

from django.conf import settings
from django.utils.text import slugify

from exams import clock
from exams.programmes import law
from exams.programmes.rules import Line, Rules, Section
from exams.programmes.validation import FORMS, supply
from rules_engine import GAMES, rulebook, topics
from training.demo.training_data import bank_books, house_books

CHEMIN_DE_FER = "pt-chemin-de-fer"
MACAU = "pt-ponto-banca-macau"
BY_HAND = (CHEMIN_DE_FER, MACAU)
MIXED = "BANCA"
DIFFICULTY, ITEMS = 2, 2  # of generated lines
MINUTES_EACH = 3


class Written(NamedTuple):
    code: str
    names: dict[str, str]
    rules: Rules


def by_hand() -> list[Written]:
    chemin_de_fer, macau = (
        law.brought_up_to_date(rules, clock.today()) for rules in (chemin_de_fer_rules(), ponto_e_banca_rules())
    )
    return [
        Written(
            "CDF-PT",
            _names(
                "Chemin de fer (Portugal)",
                "Chemin de fer (Portugal)",
                "Chemin de fer (Portogallo)",
                "Chemin de fer (Portugal)",
            ),
            chemin_de_fer,
        ),
        Written(
            "PB-MACAU",
            _names("Ponto e banca (Macau)", "Ponto e banca (Macau)", "Ponto e banca (Macau)", "Ponto e banca (Macao)"),
            macau,
        ),
    ]


def by_game() -> list[Written]:
    """One for each game without a programme written by hand, with all rulebooks the house deals it by."""
    known = {rulebook(book).game for book in BY_HAND}
    return [
        Written(
            slugify(game.name("pt")).upper(),
            {code: game.name(code) for code, _name in settings.LANGUAGES},
            _rules(house_books(game), lines=3),
        )
        for game in GAMES.values()
        if game not in known
    ]


def mixed() -> Written:
    return Written(
        MIXED,
        _names("Croupier de banca", "Table games dealer", "Croupier di banco", "Crupier de banca"),
        _rules(bank_books(), lines=2),
    )


def _rules(texts: Iterable[str], *, lines: int) -> Rules:
    """A section per rulebook with its first topics, in teaching order, that have enough scenarios."""
    books = [book for book in texts if _fit(book)]
    sections = tuple(
        Section(
            key=slugify(book)[:32],
            names={language: rulebook(book).name(language) for language, _name in settings.LANGUAGES},
            lines=tuple(
                Line(rulebook=book, topic=topic, difficulty=DIFFICULTY, items=ITEMS) for topic in _fit(book)[:lines]
            ),
        )
        for book in books
    )
    items = sum(line.items for section in sections for line in section.lines)
    return Rules(
        rulebooks=tuple(books),
        sections=sections,
        minutes=MINUTES_EACH * items,
        pass_mark=70,
        game_mark=50,
        critical_allowed=2,
    )


def _fit(book: str) -> list[str]:
    needed = ITEMS * FORMS
    return [topic for topic in topics(book) if supply((book, topic, DIFFICULTY, ""), needed) >= needed]


def chemin_de_fer_rules() -> Rules:
    return Rules(
        rulebooks=(CHEMIN_DE_FER,),
        sections=(
            _section(
                "golpe",
                _names("O golpe", "The coup", "Il colpo", "El golpe"),
                [("card_values", 1, 2, 1), ("third_card", 2, 4, 2), ("announcements", 2, 2, 1)],
                pass_mark=60,
            ),
            _section(
                "mesa",
                _names(
                    "As apostas e as vozes", "Stakes and claims", "Le puntate e le voci", "Las apuestas y las voces"
                ),
                [("stakes", 2, 2, 1), ("payment", 2, 2, 2), ("banco_priority", 3, 2, 2), ("suivi", 2, 1, 1)],
            ),
            _section(
                "faltas",
                _names("As faltas", "What goes wrong", "Gli errori", "Las faltas"),
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
            _section(
                "cartas",
                _names("As cartas", "The cards", "Le carte", "Las cartas"),
                [("drawing", 2, 5, 2), ("shoe", 2, 2, 1)],
                book=MACAU,
            ),
            _section(
                "dinheiro",
                _names("O dinheiro", "The money", "Il denaro", "El dinero"),
                [("payout", 2, 4, 2), ("limits", 2, 2, 1)],
                book=MACAU,
            ),
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
    names: dict[str, str],
    lines: Iterable[tuple[str, int, int, int]],
    *,
    pass_mark: int = 0,
    book: str = CHEMIN_DE_FER,
) -> Section:
    """A section; each line is topic, difficulty, items, points."""
    made = tuple(
        Line(rulebook=book, topic=topic, difficulty=difficulty, items=items, points=points)
        for topic, difficulty, items, points in lines
    )
    return Section(key=key, names=names, lines=made, pass_mark=pass_mark)


def _names(portuguese: str, english: str, italian: str, spanish: str) -> dict[str, str]:
    return {"pt": portuguese, "en": english, "it": italian, "es": spanish}
