"""One part of the bench, in a process of its own: `python -m tests.bench.part NAME ROUNDS [full]`.

Its lines are the last line of its output, as JSON.
"""

import importlib
import json
import os
import sys

import django

# Of this process alone, which only measures: what it starts gets an environment of its own.
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from tests.bench.ground import Missing  # noqa: E402


def main(name: str, rounds: str, *full: str) -> None:
    try:
        lines = importlib.import_module(f"tests.bench.{name}").lines(rounds=int(rounds), full=bool(full))
    except Missing as missing:
        print(f"bench: {name} was not measured, since a server is missing ({missing})", file=sys.stderr)
        lines = []
    print(json.dumps([line.data() for line in lines]))


if __name__ == "__main__":
    main(*sys.argv[1:])
