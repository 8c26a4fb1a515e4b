"""`python -m tests.room [--candidates 300] [--seconds 30]`. Ends with 1 where a target was missed."""

import os
import sys

import django

# For this process only, which just observes; the processes that it starts get an environment of their own.
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from tests.room.run import main  # noqa: E402

sys.exit(main())
