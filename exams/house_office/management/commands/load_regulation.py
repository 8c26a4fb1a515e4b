"""`manage.py load_regulation`: load the official wording of a regulation."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation

from exams.house_office import official_texts
from rules_engine import RULEBOOKS
from training.house.official_texts import expected
from training.people.models import User
from training.platform.errors import Refused


class Command(BaseCommand):
    help = (
        "Read the articles of a regulation from plain text or a PDF and list missing and unknown ones. "
        "With --confirm they are shown next to our summaries from now on."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("rulebook", choices=list(RULEBOOKS), metavar="rulebook")
        parser.add_argument("file", type=Path)
        parser.add_argument("--by", required=True, metavar="EMAIL", help="the instructor or administrator loading it")
        parser.add_argument("--source", default="", help="where the text is from (default: the file name)")
        parser.add_argument("--confirm", action="store_true")

    def handle(self, *, rulebook: str, file: Path, by: str, source: str, confirm: bool, **_: Any) -> None:
        person = User.objects.filter(email__iexact=by.strip()).first()
        if person is None:
            raise CommandError(f"Nobody has the address {by}.")
        book = RULEBOOKS[rulebook]
        try:
            pending = official_texts.propose(
                book, official_texts.text_of(file.read_bytes()), source=source or file.name, by=person
            )
            self._report(pending.articles, expected(book), pending.surplus)
            if confirm:
                official_texts.confirm(book, person)
                self.stdout.write("Loaded.")
            else:
                self.stdout.write("Not shown yet: confirm it on the page, or run again with --confirm.")
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from None
        except Refused as refusal:
            with translation.override("en"):
                raise CommandError(str(refusal.reason)) from None

    def _report(self, articles: dict[str, str], wanted: list[str], surplus: list[str]) -> None:
        missing = [article for article in wanted if article not in articles]
        self.stdout.write(f"{len(articles)} of {len(wanted)} articles found.")
        for name, listed in (("Missing", missing), ("Too many", surplus)):
            self.stdout.write(f"{name}: {', '.join(listed) or 'none'}.")
