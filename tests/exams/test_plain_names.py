"""A name reads in the room, on paper and in a program as it is stored, by whichever way it comes in."""

import pytest

from exams.accounts.forms import InvitationForm
from exams.certificates.name_correction import UnfitName
from tests.classes.rooms import make_class
from tests.exams.naming import ask, clerk
from tests.exams.staff_lists import checked
from tests.factories import PersonFactory
from training.classes import enrolment
from training.people.models import Role, User
from training.platform.errors import UnfitList

pytestmark = pytest.mark.django_db
ODD = ["Ana \u202eavliS", "Ana\u200b Silva", "Ana\u3164Silva", "Ana\u2800Silva", "Ana\ufe0f Silva"]


@pytest.mark.parametrize("name", ODD)
def test_nothing_invisible_comes_into_a_name(name: str) -> None:
    sent = {"name": name, "email": "ana@casa.example", "roles": ["trainee"], "language": "pt"}
    assert "name" in InvitationForm(sent).errors
    teacher = PersonFactory(roles=[Role.INSTRUCTOR])
    with pytest.raises(UnfitList):
        enrolment.enrol_list(make_class(teacher), f"email;name\nana@casa.example;{name}", teacher, enter_unknown=True)
    assert checked(clerk(), f"Número;Nome;E-mail\n77;{name};ana@casa.example\n").state == "unfit"
    with pytest.raises(UnfitName):
        ask(PersonFactory(), name)
    assert not User.objects.filter(email="ana@casa.example").exists()


def test_spaces_of_any_kind_become_one() -> None:
    form = InvitationForm({"name": " Ana \xa0 Silva ", "email": "ana@casa.example", "roles": ["hr"], "language": "pt"})
    assert form.is_valid() and form.cleaned_data["name"] == "Ana Silva"
    teacher = PersonFactory(roles=[Role.INSTRUCTOR])
    listed = "email;name\nana@casa.example;Ana \xa0 Silva"
    _plan, (made,) = enrolment.enrol_list(make_class(teacher), listed, teacher, enter_unknown=True)
    assert made.name == "Ana Silva"
