"""What may be read of papers before the exam: that they are there, and how alike. Never an item."""

from dataclasses import dataclass

from django.db.models import Count, Max, Min

from exams.records.models import Form, FormItem, Session


@dataclass(frozen=True)
class Prepared:
    """What may be told of forms: how many, how alike they are expected to score, and where their cases come from."""

    forms: int
    lowest: float
    highest: float
    cases: int  # put on all the forms
    banked: int  # of these, from the exam bank; the others were generated

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
