"""Starts drills of lessons."""

from training.mastery import memory
from training.mastery.memory import Rule
from training.mastery.models import Memory
from training.people.models import User
from training.practice import next_drill
from training.practice.models import Drill


def start_rule(trainee: User, rule: Rule) -> Drill:
    """A drill on one rule, harder the better the trainee knows it. Returns one that was left open, if any."""
    own = Drill.objects.filter(trainee=trainee, rulebook=rule.rulebook, aim=rule.cite, attempt=None)
    left_open = own.filter(mode=Drill.Mode.FREE).order_by("-created_at").first()
    if left_open and left_open.is_current:
        return left_open
    known = Memory.objects.filter(trainee=trainee, rulebook=rule.rulebook, cite=rule.cite).first()
    level = memory.level(known.card if known else None)
    return next_drill.put_rule(trainee, rule, difficulty=level, mode=Drill.Mode.FREE)
