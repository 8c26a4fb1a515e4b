"""Announcements are taught before they are asked: which words of a drill its trainee has not met yet."""

from rules_engine import Utterance
from training.mastery.models import Memory
from training.practice.fresh import is_kept_out
from training.practice.models import Drill, Mark
from training.practice.next_drill import is_first_meeting

TESTS = (Drill.Mode.PLACEMENT, Drill.Mode.ASSIGNED)


def new_words(drill: Drill) -> list[str]:
    """The clauses that prescribe words due in this drill, if no earlier answer of the trainee was about them. None in a
    test or while an exam uses such a case: the card would tell which words are right."""
    due = [] if drill.mode in TESTS else _due(drill)
    if not due:
        return []
    met = set(
        Memory.objects.filter(trainee_id=drill.trainee_id, rulebook=drill.rulebook, cite__in=due).values_list(
            "cite", flat=True
        )
    )
    answered = Mark.objects.filter(attempt__trainee=drill.trainee_id, attempt__drill__rulebook=drill.rulebook)
    new = [cite for cite in due if cite not in met and not answered.filter(ratings__has_key=cite).exists()]
    return [] if new and is_kept_out(drill.scenario) else new


def _due(drill: Drill) -> list[str]:
    """The clauses of the announcements that are right answers here."""
    scenario = drill.scenario
    asked = [question.key for question in scenario.questions if question.kind == "words"]
    ruling = scenario.solve() if asked else None
    said = [ruling.get(key) for key in asked] if ruling else []
    formulas = scenario.book.formulas
    return list(
        dict.fromkeys(
            formulas[words.formula].cite for words in said if isinstance(words, Utterance) and words.formula in formulas
        )
    )


def needs_card(drill: Drill) -> bool:
    """Whether something is taught before this drill: its rule, or the words it asks for."""
    return is_first_meeting(drill) or bool(new_words(drill))
