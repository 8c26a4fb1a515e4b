"""`python -m tests.room [--candidates 300] [--seconds 30]`. Ends with 1 where a target was missed."""

import os
import sys

import django

# Of this process alone, which only looks on: what it starts gets an environment of its own.
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from tests.room.run import main  # noqa: E402

sys.exit(main())
