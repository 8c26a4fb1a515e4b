"""`manage.py backup_copied`: note that the newest backup was copied to another place, for the alarm."""

from typing import Any

from django.core.management.base import BaseCommand

from training.operations import heartbeats


class Command(BaseCommand):
    help = "Note that the newest backup now lies in another place too. Run it after the copy succeeded."

    def handle(self, **_: Any) -> None:
        heartbeats.leave(heartbeats.COPY)
