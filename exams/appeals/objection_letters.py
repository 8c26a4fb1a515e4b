"""Mails about objections: to the person, to administrators, and to those who can do what an upheld one asks for."""

from collections.abc import Iterable

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from exams.appeals.models import Objection
from training.mail.outbox import Envelope, link_to, post
from training.people.models import Role, User

SUBJECTS = {
    "received": _("%(kind)s %(number)d: received"),
    "lodged": _("%(kind)s %(number)d: lodged"),
    "decided": _("%(kind)s %(number)d: decided"),
    "done": _("%(kind)s %(number)d: carried out"),
    "to_do": _("%(kind)s %(number)d: to be carried out"),
}
# Who can do what an upheld objection asks for.
CARRIED_OUT_BY = {
    Objection.Kind.SUSPENSION: Role.HR,
    Objection.Kind.WITHDRAWAL: Role.HR,
}


def received(made: Objection) -> None:
    post([_written(made, "received", made.person)])
    post(_written(made, "lodged", one) for one in _with_role(Role.ADMINISTRATOR) if one.pk != made.person_id)


def decided(current: Objection) -> None:
    post([_written(current, "decided", current.person)])
    if current.state == Objection.State.UPHELD:
        role = carried_out_by(current.kind)
        post(_written(current, "to_do", one) for one in _with_role(role) if one.pk != current.person_id)


def carried_out(current: Objection) -> None:
    post([_written(current, "done", current.person)])


def carried_out_by(kind: str) -> Role:
    return CARRIED_OUT_BY.get(Objection.Kind(kind), Role.ADMINISTRATOR)


def _with_role(role: Role) -> Iterable[User]:
    return User.objects.filter(is_active=True, role_grants__role=role)


def _written(about: Objection, letter: str, person: User) -> Envelope:
    own = person.pk == about.person_id
    with translation.override(person.language):
        facts = {
            "user": person,
            "objection": about,
            "letter": letter,
            "page": link_to("own_objections") if own else link_to("objection", about.pk),
        }
        subject = str(SUBJECTS[letter]) % {"kind": about.get_kind_display(), "number": about.number}
        return Envelope(person, subject, render_to_string("appeals/letters/objection.txt", facts))
