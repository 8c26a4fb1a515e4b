"""`manage.py add_person`: enter somebody from the command line, such as the first administrator."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from training.people.accounts import enter_person
from training.people.models import Role


class Command(BaseCommand):
    help = "Enter a person. Without --password-stdin they choose a password through “forgotten password”."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email")
        parser.add_argument("name")
        parser.add_argument("--role", action="append", required=True, choices=Role.values, dest="roles")
        parser.add_argument("--password-stdin", action="store_true", help="read the password from standard input")

    def handle(self, *, email: str, name: str, roles: list[str], password_stdin: bool, **_: Any) -> None:
        password = sys.stdin.readline().rstrip("\n") if password_stdin else None
        try:
            if password is not None:
                validate_password(password)
            enter_person(email=email, name=name, roles=[Role(role) for role in roles], password=password)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        self.stdout.write(f"{email} entered as {', '.join(roles)}.")
