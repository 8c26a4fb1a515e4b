"""Loads the amendments that an installation has been given (`SABOT_AMENDMENTS`) when a process starts."""

from pathlib import Path

from django.conf import settings

from rules_engine import RULEBOOKS
from rules_engine.amendments import BadAmendment, load
from training.platform.environment import DESCRIBED


def load_configured() -> None:
    """Load every amendment once per process. Exits with one line if one cannot be used."""
    for folder in map(Path, settings.AMENDMENTS):
        if folder.name in RULEBOOKS:  # Django was set up twice in this process
            continue
        try:
            load(folder)
        except BadAmendment as wrong:
            raise SystemExit(f"Sabot cannot start: SABOT_AMENDMENTS: {wrong} ({DESCRIBED}).") from None
