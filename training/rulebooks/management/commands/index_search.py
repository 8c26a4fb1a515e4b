"""`manage.py index_search`: write the indexes of the search, so that no process makes them at its first search."""

from typing import Any

from django.core.management.base import BaseCommand

from rules_engine import RULEBOOKS
from training.library import incident_search
from training.rulebooks import law_search
from training.search import stored
from training.search.ranking import Index


class Command(BaseCommand):
    help = "Write the indexes of the search to a file. `make setup` does it; repeat it after loading a regulation."
    requires_system_checks = ()

    def handle(self, **_: Any) -> None:
        indexes: dict[str, Index[Any]] = {
            "incidents": incident_search.new_index(),
            "clauses": law_search.new_clause_index(),
            "house": law_search.new_house_index(),
        }
        path = stored.write(indexes, {"kinds": {book: incident_search.kinds_of(book) for book in RULEBOOKS}})
        self.stdout.write(f"search indexes: {path}")
