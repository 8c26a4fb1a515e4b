"""Loads and locks an answer that waits to be marked."""

import json
from uuid import UUID

from django.db import connection

from training.people.models import User
from training.platform.statements import Statement, moment, run
from training.practice.models import Attempt, Drill

# Of each model in the order of its fields.
WAITING = """
SELECT attempt.id, attempt.answer, attempt.picked_words, attempt.state, attempt.failures, attempt.submitted_at,
       attempt.seconds, drill.id, drill.version_id, drill.moment, drill.rulebook, drill.topic, drill.difficulty,
       drill.scenario_document, trainee.id, trainee.time_zone
FROM practice_attempt attempt
JOIN practice_drill drill ON drill.id = attempt.drill_id
JOIN people_user trainee ON trainee.id = attempt.trainee_id
WHERE attempt.id = %s
"""


def claim(attempt_id: int) -> Attempt:
    """The attempt with its drill and trainee, as far as a mark needs them, for this transaction alone.

    Another who wants it waits here, then finds it graded.
    """
    lock = "FOR NO KEY UPDATE OF attempt" if connection.features.has_select_for_no_key_update else ""
    found = run([Statement(WAITING + lock, [attempt_id])])
    if not found:
        raise Attempt.DoesNotExist(attempt_id)
    (row,) = found
    trainee = User.from_db(None, ("id", "time_zone"), row[14:])
    drill = Drill.from_db(
        None,
        ("id", "version_id", "moment", "rulebook", "topic", "difficulty", "scenario_document"),
        (UUID(str(row[7])), *row[8:13], json.loads(row[13])),
    )
    attempt = Attempt.from_db(
        None,
        ("id", "answer", "picked_words", "state", "failures", "submitted_at", "seconds"),
        (row[0], json.loads(row[1]), *row[2:5], moment(row[5]), row[6]),
    )
    attempt.drill, attempt.trainee = drill, trainee
    return attempt
