#!/usr/bin/env python
"""Django's command line for the platform."""

import os
import sys

from django.core.management import execute_from_command_line
from django.db import OperationalError, connection


def main() -> None:
    """One line where there is no database to work with; any other trouble with it keeps its traceback."""
    try:
        execute_from_command_line(sys.argv)
    except OperationalError as error:
        if connection.connection is not None:
            raise
        why = " ".join(str(error).split())
        raise SystemExit(f"Nothing was done: the database that DATABASE_URL names cannot be used: {why}") from None


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "training.settings")
    main()
