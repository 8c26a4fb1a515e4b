"""`manage.py verify_audit`: verify that no audit entry was changed, deleted, moved or added by hand."""

from argparse import ArgumentParser, ArgumentTypeError
from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from exams.audit import selectors
from exams.audit.services import verify, verify_seal


def noted_seal(given: str) -> tuple[int, str]:
    number, colon, seal = given.partition(":")
    if not (colon and number.isdecimal() and seal):
        raise ArgumentTypeError("give an entry's number and seal as NUMBER:SEAL")
    return int(number), seal.strip().lower()


class Command(BaseCommand):
    help = (
        "Verify the audit log; if it is broken, list every place and exit with 1. Note the printed seal elsewhere from "
        "time to time: with it, --seal also detects a log that was rewritten as a whole."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--seal", type=noted_seal, action="append", default=[], metavar="NUMBER:SEAL", help="a seal noted earlier"
        )

    def handle(self, *, seal: list[tuple[int, str]], **_: Any) -> None:
        found = chain(verify(), *(verify_seal(*noted) for noted in seal))
        broken = 0
        for place in found:
            broken += 1
            self.stderr.write(f"entry {place.number}: {place.why}")
        if broken:
            places = "one place" if broken == 1 else f"{broken} places"
            raise CommandError(f"The audit log is broken in {places}.", returncode=1)
        end = selectors.end()
        self.stdout.write(f"{end.number} entries, all intact. Last seal: {end.number}:{end.digest}")
