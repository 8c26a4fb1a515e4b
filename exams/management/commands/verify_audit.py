"""`manage.py verify_audit`: prove that nothing on the audit log was changed, removed, moved or added by hand."""

from argparse import ArgumentParser, ArgumentTypeError
from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from exams.audit import selectors
from exams.audit.services import verify, verify_seal


def noted_seal(given: str) -> tuple[int, str]:
    number, colon, seal = given.partition(":")
    if not (colon and number.isdecimal() and seal):
        raise ArgumentTypeError("give the number of an entry and its seal, NUMBER:SEAL")
    return int(number), seal.strip().lower()


class Command(BaseCommand):
    help = (
        "Verify the audit log; exit 1 and name every broken place. Note the seal that is printed somewhere else from "
        "time to time: with it, --seal also finds a log that was rewritten as a whole."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--seal", type=noted_seal, action="append", default=[], metavar="NUMBER:SEAL", help="a seal noted before"
        )

    def handle(self, *, seal: list[tuple[int, str]], **_: Any) -> None:
        found = chain(verify(), *(verify_seal(*noted) for noted in seal))
        broken = 0
        for place in found:
            broken += 1
            self.stderr.write(f"entry {place.number}: {place.why}")
        if broken:
            raise CommandError(f"The audit log does not hold: {broken} broken places.", returncode=1)
        end = selectors.end()
        self.stdout.write(f"{end.number} entries, all whole. The last seal: {end.number}:{end.digest}")
