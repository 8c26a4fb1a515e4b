"""`manage.py recount`: rebuild the running counts from all marks, if they are ever in doubt."""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand

from training.figures import services as figures
from training.figures.services import Counted
from training.practice.models import Mark
from training.practice.services import counted_of


class Command(BaseCommand):
    help = "Rebuild all running counts from the stored marks."

    def handle(self, **_: Any) -> None:
        done = figures.recount(all_marks)
        self.stdout.write(f"{done} marks counted")


def all_marks() -> Iterator[Counted]:
    """Every mark in order, since the ability of a trainee depends on earlier marks."""
    marks = Mark.objects.select_related("attempt__drill", "attempt__trainee").order_by("pk")
    for mark in marks.iterator(chunk_size=500):
        yield counted_of(mark.attempt, mark)
