"""The printed sheet of a real table (`sheet.typ`): the stacked shoe, and who says and does what in which coup."""

from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import override

from exams.practical import cues, marking
from exams.practical.models import ExamTable
from exams.practical.scoring import scenes
from exams.typesetting import typeset
from rules_engine.narration import book_name

TEMPLATE = Path(__file__).with_name("sheet.typ")


def made(table: ExamTable, language: str) -> bytes:
    """The PDF, in one language."""
    with override(language):
        return typeset(TEMPLATE, _inputs(table, language), at=table.started_at)


def _inputs(table: ExamTable, language: str) -> dict[str, Any]:
    script, session, part = scenes(table), table.candidate.session, marking.part_of(table)
    return {
        "language": language,
        "number": str(table.pk),
        "words": _words(),
        "title": session.programme_version.name(language),
        "book": book_name(table.rulebook, language),
        "table": table.book.given_table.name if table.book.given_table else "",
        "candidate": table.candidate.name,
        "session": session.title,
        "shoes": cues.stack(script),
        "coups": [_coup(coup) for coup in cues.coups(script, table.book, language)],
        "conduct": list(part.conduct_list),
    }


def _coup(coup: cues.Coup) -> dict[str, Any]:
    return {
        "number": coup.number,
        "fault": coup.fault,
        "moments": [
            {
                "cues": [{"by": cue.by, "words": cue.words} for cue in one.cues],
                "duties": [{"words": duty.words, "cite": duty.cite} for duty in one.duties],
                "fault": one.fault,
                "rulings": [ruling.words for ruling in one.rulings],
            }
            for one in coup.moments
            if one.cues or one.duties or one.fault
        ],
    }


def _words() -> dict[str, str]:
    return {
        "sheet": _("Sheet for the table"),
        "secret": _("Confidential: for the examiners and the players they have briefed. Destroy it after the exam."),
        "candidate": _("Candidate"),
        "shoe": _("The shoe, from the first card out"),
        "stack": _("Stack the cards in this order. The rest of the packs goes behind them in any order."),
        "no_cards": _("There are no cards to stack: the inspector sets the numbers and dice as the sheet says."),
        "coup": _("Coup"),
        "happens": _("The players"),
        "dealer": _("The dealer owes"),
        "fault": _("Fault"),
        "ruling": _("The ruling"),
        "missed": _(
            "If the dealer does not stop the game, the inspector stops it before the coup is settled, rules, and play "
            "goes on as the sheet says."
        ),
        "conduct": _("Conduct"),
    }
