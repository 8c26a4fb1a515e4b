"""Makes a paper for a candidate who is entered after the papers of the session were made."""

from statistics import fmean

from exams import obstacles
from exams.papers import exam_bank, inspection
from exams.papers.composer import ComposedForm, Composer
from exams.papers.inspection import BadForm
from exams.papers.knowledge import Known, known_to, until_now
from exams.papers.pool import CannotMake, Pool
from exams.records.models import Candidate, ExamItem, Form, FormItem
from training.figures import expected
from training.platform.errors import Refused

SPARE = 200  # cases beyond those needed, in percent, to choose those as hard as the others'


def add_paper(candidate: Candidate) -> Form:
    """Make one more paper, as hard as the others and with no case like one of theirs. The caller holds the lock of the
    session. Raises Refused."""
    session, looked_at = candidate.session, until_now()
    rules, person = session.programme_version.rules, candidate.person_id
    known = known_to([person], rules.lines, besides=session.pk)
    pool = Pool(session, rules, known, expected.experience({line.rulebook for line in rules.lines}))
    there = list(ExamItem.objects.filter(session=session))
    pool.like_those(there)
    try:
        list(pool.fill(spare=SPARE))
        paper = _as_hard(pool, candidate, _on_papers(candidate) or there)
    except CannotMake as reason:
        raise Refused(obstacles.describe(reason.obstacle)) from None
    drawn = [item.version for item in paper.items if item.version]
    if not exam_bank.still_available(drawn, paper.items):
        raise Refused(obstacles.describe(obstacles.FAULT))
    ExamItem.objects.bulk_create(paper.items)
    form = Form.objects.create(candidate=candidate, seed=paper.seed, predicted=paper.predicted, looked_at=looked_at)
    FormItem.objects.bulk_create(
        FormItem(form=form, position=position, item=item) for position, item in enumerate(paper.items, 1)
    )
    _check(candidate, paper, known[person])
    return form


def _as_hard(pool: Pool, candidate: Candidate, there: list[ExamItem]) -> ComposedForm:
    """Takes on each line the cases that are nearest in difficulty to those on the others' papers, and make up for what
    was not near on the lines before."""
    surplus = 0.0  # expected points by which the lines chosen so far exceed those of the others
    for slot in pool.slots:
        own = [item.predicted for item in there if item.line == slot.number]
        mean = fmean(own) if own else 0.0
        line, chosen = pool.lines[slot.number], []
        for _number in range(min(slot.line.items, len(line))):
            nearest = min(line, key=lambda item: abs(surplus + item.points * (item.predicted - mean)))
            surplus += nearest.points * (nearest.predicted - mean)
            chosen.append(nearest)
            line.remove(nearest)
        line[:] = chosen
    return Composer(pool.slots, pool.lines, pool.work, pool.placed).compose([candidate])[0]


def _on_papers(candidate: Candidate) -> list[ExamItem]:
    """The cases that the others of the session have; the pool has more."""
    placed = FormItem.objects.filter(form__candidate__session=candidate.session_id).select_related("item")
    return [one.item for one in placed]


def _check(candidate: Candidate, paper: ComposedForm, known: Known) -> None:
    session = candidate.session
    inspection.check_form(session.programme_version.rules, paper.items, known)
    placed = FormItem.objects.filter(form__candidate__session=session).select_related("item")
    forms: dict[object, list[ExamItem]] = {}
    for one in placed.exclude(form__candidate=candidate):
        forms.setdefault(one.form_id, []).append(one.item)
    try:
        inspection.check_balance([paper.items, *forms.values()])
        if not session.common_start:
            # The others were checked when theirs were made; whoever sat alone may have had cases that are alike.
            inspection.check_apart_from(paper.items, [item for form in forms.values() for item in form])
    except BadForm:
        raise Refused(obstacles.describe(obstacles.UNEVEN)) from None


def drop_paper(candidate: Candidate) -> None:
    """Delete the paper of somebody who has not begun. Its cases stay in the pool, and nobody gets them."""
    FormItem.objects.filter(form__candidate=candidate).delete()
    Form.objects.filter(candidate=candidate).delete()
