"""The outcome of a practical exam under the programme's rules: exact, in the same form as that of a theory exam."""

from fractions import Fraction

from exams.practical.scoring import Counted
from exams.programmes.practical_part import NOTICED, Practical
from exams.results.decision import Outcome, Reason, Score, SectionOutcome


def outcome(part: Practical, found: Counted) -> Outcome:
    """Passed means at least the pass mark and no more critical faults than allowed. A part with nothing to do in it
    does not count."""
    sections = tuple(
        SectionOutcome(key=key, score=_score(part, key, found, worth), pass_mark=0, passed=True)
        for key, worth in part.weights.items()
        if worth and found.parts.get(key, (0, 0))[1]
    )
    got = sum((section.score.got for section in sections), Fraction(0))
    score = Score(got.numerator, got.denominator, sum(section.score.of for section in sections))
    reasons = []
    if score.exact < part.pass_mark:
        reasons.append(Reason(kind="overall", value=str(score.percent), limit=part.pass_mark))
    if part.critical_allowed is not None and found.critical_missed > part.critical_allowed:
        reasons.append(
            Reason(kind="critical", section=NOTICED, value=str(found.critical_missed), limit=part.critical_allowed)
        )
    return Outcome(
        score=score,
        pass_mark=part.pass_mark,
        sections=sections,
        critical_faults=found.critical_missed,
        critical_allowed=part.critical_allowed,
        passed=not reasons,
        reasons=tuple(reasons),
    )


def _score(part: Practical, key: str, found: Counted, worth: int) -> Score:
    done, of = found.parts[key]
    got = worth * done / of
    if key == NOTICED:
        got = max(Fraction(0), got - part.false_alarm * found.false_alarms)
    return Score(got.numerator, got.denominator, worth)
