"""What may be read of papers before the exam: that they are there, and how alike. Never an item."""

from dataclasses import dataclass

from django.db.models import Count, Max, Min

from exams.records.models import Form, Session


@dataclass(frozen=True)
class Prepared:
    """What may be told of forms: how many there are and how alike they are expected to score."""

    forms: int
    lowest: float
    highest: float

    @property
    def lowest_percent(self) -> float:
        return 100 * self.lowest

    @property
    def highest_percent(self) -> float:
        return 100 * self.highest


def prepared(session: Session) -> Prepared | None:
    found = Form.objects.filter(candidate__session=session).aggregate(
        forms=Count("pk"), lowest=Min("predicted"), highest=Max("predicted")
    )
    return Prepared(**found) if found["forms"] else None
