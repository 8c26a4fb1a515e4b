"""Checks an amendment before it is put into service, and says what it changes and whether a case shows it."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from rules_engine import RULEBOOKS, Rulebook
from rules_engine.amendments import BadAmendment, load, remove
from rules_engine.changes import Change, changes, shown


class Command(BaseCommand):
    help = "Check the folder of an amendment: its files, its golden cases, and every case of the game under it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        known = RULEBOOKS.get(folder.name)
        if known is not None and known.like is not None and known.coded_as != known.id:
            remove(known)  # it is in service; read the folder anew
        try:
            new = load(folder)
        except BadAmendment as wrong:
            raise CommandError(str(wrong)) from None
        old = new.like
        if old is None:
            raise CommandError(f"{folder}: not an amendment")
        self.stdout.write(f"{new.id}: {new.law.title}, in force since {new.law.enacted.in_force}, like {old.id}")
        for change in changes(old, new):
            self.stdout.write(_line(change, old, new))


def _line(change: Change, old: Rulebook, new: Rulebook) -> str:
    example = next(shown(change, old, new), None)
    seen = f"shows in {', '.join(example.keys)} ({example.topic})" if example else "NO CASE SHOWS A DIFFERENCE"
    parts = [*change.numbers, *change.formulas]
    return f"  article {change.article}: {', '.join(parts) or 'wording'}: {seen}"
