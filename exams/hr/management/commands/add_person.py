"""`manage.py add_person`: add a person from the command line, such as the first administrator, or grant roles."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils import translation

from exams.accounts.roles import enter, give
from training.people.models import Role, User


class Command(BaseCommand):
    help = (
        "Add a person, or grant roles to an existing one. "
        "Without --password-stdin, a new person gets a mail with a link to choose a password."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email")
        parser.add_argument("name", nargs="?", default="", help="name of a new person")
        parser.add_argument("--role", action="append", required=True, choices=Role.values, dest="roles")
        parser.add_argument(
            "--password-stdin", action="store_true", help="read a new person's password from standard input"
        )

    def handle(self, *, email: str, name: str, roles: list[str], password_stdin: bool, **_: Any) -> None:
        wanted = [Role(role) for role in roles]
        person = User.objects.filter(email__iexact=email.strip()).first()
        if person is None:
            self._enter(email, name, wanted, password_stdin=password_stdin)
        elif password_stdin:
            raise CommandError(f"{person.email} already exists; only they can change their password.")
        else:
            given = give(person, wanted)
            now = f"{person.email} ({person.name}) is {', '.join(sorted(person.roles))}."
            self.stdout.write(f"{now} Granted now: {', '.join(given) or 'nothing'}.")

    def _enter(self, email: str, name: str, roles: list[Role], *, password_stdin: bool) -> None:
        if not name.strip():
            raise CommandError(f"Nobody has the address {email}. To add a new person, give their name too.")
        password = sys.stdin.readline().rstrip("\n") if password_stdin else None
        try:
            if password is not None:
                with translation.override("en"):
                    validate_password(password)
            enter(email=email, name=name, roles=roles, password=password)
        except ValidationError as error:
            with translation.override("en"):
                raise CommandError(" ".join(error.messages)) from error
        self.stdout.write(f"Added {email} as {', '.join(roles)}.")
