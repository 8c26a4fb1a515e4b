"""What may be read about papers before the exam: that they exist and how alike they are, never an item."""

from dataclasses import dataclass

from django.db.models import Count, Max, Min

from exams.records.models import Form, FormItem, Session


@dataclass(frozen=True)
class Prepared:
    """Public facts about a session's forms: how many, their expected scores, and where the cases come from."""

    forms: int
    lowest: float
    highest: float
    cases: int  # on all the forms together
    banked: int  # of these, from the exam bank; the rest are generated

    @property
    def banked_percent(self) -> float:
        return 100 * self.banked / self.cases

    @property
    def lowest_percent(self) -> float:
        return 100 * self.lowest

    @property
    def highest_percent(self) -> float:
        return 100 * self.highest


def prepared(session: Session) -> Prepared | None:
    forms = Form.objects.filter(candidate__session=session)
    found = forms.aggregate(forms=Count("pk"), lowest=Min("predicted"), highest=Max("predicted"))
    if not found["forms"]:
        return None
    put = FormItem.objects.filter(form__in=forms).aggregate(cases=Count("pk"), banked=Count("item__version"))
    return Prepared(**found, **put)
