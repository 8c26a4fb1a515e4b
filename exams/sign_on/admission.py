"""Whether somebody's groups let them in, and the roles that follow from them. Decided again at every sign-in."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from exams.accounts import open_exams, roles
from exams.audit.services import record
from exams.sign_on.models import GroupRole
from training.api import tokens
from training.people import sign_on
from training.people.models import Role, User
from training.platform.errors import Refused


@dataclass(frozen=True)
class Admission:
    """`refusal` is why not, or "". During an exam nothing changes, and the session ends with it."""

    refusal: str = ""
    changed: bool = False
    until_exam_ends: bool = False


@transaction.atomic
def decide(person: User, groups: Iterable[str]) -> Admission:
    """Take the roles of groups that the person has left, then give those of the others.

    Whoever is in no mapped group is shut out, whatever their other roles. A mapping gives no role to its own author,
    because nobody changes their own roles.
    """
    current = User.objects.select_for_update(no_key=True).get(pk=person.pk)
    if open_exams.until(current) is not None:
        return Admission(until_exam_ends=True)
    mapped = list(GroupRole.objects.filter(group__in=sorted(groups)))
    wanted = {Role(one.role) for one in mapped if one.made_by_id != current.pk}
    changed = roles.take_from_directory(current, keep=wanted)
    if not mapped:
        refusal = _("None of your groups in the directory has access to Sabot. Ask an administrator of the house.")
        return _shut_out(current, refusal)
    try:
        changed = roles.give_from_directory(current, wanted) or changed
    except Refused as refused:
        return _shut_out(current, str(refused))
    if not current.role_grants.exists():
        return _shut_out(current, _("You have no role in Sabot. Ask an administrator of the house."))
    return Admission(changed=changed)


def _shut_out(person: User, refusal: str) -> Admission:
    """End every session and token: the directory no longer lets this person in, nor does a local password."""
    User.objects.filter(pk=person.pk).update(sessions_ended=F("sessions_ended") + 1)
    tokens.revoke_all(person, by=None)
    sign_on.mark_refused(person)
    record(None, "sign_on.refused", f"person:{person.pk}")
    return Admission(refusal=refusal, changed=True)
