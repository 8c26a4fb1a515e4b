"""Who is there when it begins: trainees who are signed in, and candidates whose exams have begun.

Runs inside the installation (`manage.py shell -c`), so that the run itself needs no access to its database.
"""

import json

from exams.records.models import Event, FormItem, Session, Sitting
from tests.exams.killing import furnish, signed_in
from tests.exams.making import right_answer
from training.people.accounts import grant_role
from training.people.models import Role, User


def arrive(trainees: int, sittings: int, items: int) -> None:
    """Print each as a JSON line. Every second candidate gets the right answers along, and every third was not looked
    at by an invigilator: a certificate follows only for those who know and are known."""
    for number in range(trainees):
        person = User.objects.create_user(f"trainee{number}@sabot.example", name=f"Formando {number}")
        grant_role(person, Role.TRAINEE, granted_by=None)
        print(json.dumps({"trainee": person.email, "cookies": {"sessionid": signed_in(person)}}))  # noqa: T201
    furnish(sittings, items, minutes=300)
    by = Session.objects.latest("opens_at").created_by
    for number, sitting in enumerate(Sitting.objects.filter(device__startswith="browser").order_by("device")):
        told: dict[str, object] = {"knows": str(sitting.pk), "answers": []}
        if number % 2:
            placed = FormItem.objects.filter(form__candidate=sitting.candidate_id).order_by("position")
            told["answers"] = [
                {f"q.{key}": value for key, value in right_answer(one.item.scenario).items()} for one in placed
            ]
        if number % 3:
            Event.objects.create(
                sitting=sitting, kind=Event.Kind.IDENTITY, at=sitting.started_at, by=by, text=sitting.name
            )
        print(json.dumps(told))  # noqa: T201
