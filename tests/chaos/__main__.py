"""`python -m tests.chaos --set-up embedded|redis|rabbitmq --minutes N --seed S`. Ends with 1 where a thing is wrong."""

import os
import sys

import django

# Of this process alone, which only watches: what it starts gets an environment of its own.
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from tests.chaos.run import main  # noqa: E402

sys.exit(main())
