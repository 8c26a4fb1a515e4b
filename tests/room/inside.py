"""What the room needs inside the installation, by `manage.py shell`."""

from django.contrib.auth.hashers import make_password

from tests.bench.inside import quick_passwords
from tests.exams import making
from tests.exams.killing import signed_in
from tests.factories import PASSWORD, PersonFactory
from training.people.models import User

MINUTES = 60


def fill(candidates: int, sitting: int) -> list[dict[str, str]]:
    """Create candidates who are not signed in yet, and others who already sit an exam."""
    quick_passwords()
    session = making.make_session(making.make_version(making.make_rules(minutes=MINUTES)), spare=3)
    people = []
    for number in range(candidates + sitting):
        candidate = making.enter(session, PersonFactory(), skip=number % 4)
        first = candidate.form.items.select_related("item").earliest("position").item.scenario
        told = {
            "candidate": str(candidate.pk),
            "email": candidate.person.email,
            "password": PASSWORD,
            "code": session.access_code,
            "question": next(question.key for question in first.questions if question.kind == "words"),
        }
        people.append(told | ({"session": signed_in(candidate.person)} if number >= candidates else {}))
    from training.people.passwords import Argon2id

    waiting = [one["email"] for one in people[:candidates]]
    User.objects.filter(email__in=waiting).update(password=make_password(PASSWORD, hasher=Argon2id()))
    return people
