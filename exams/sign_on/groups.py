"""The mapping from groups of the directory to roles, which administrators maintain."""

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from exams import clock
from exams.audit.letters import tell_administrators
from exams.audit.services import record
from exams.sign_on.local_passwords import administrators
from exams.sign_on.models import GroupRole
from training.house.models import ONLY
from training.people.models import STAFF_ROLES, Role, User
from training.platform.errors import Refused

MOST = 200


class TakenGroup(Refused):
    field = "group"


@transaction.atomic
def add(group: str, role: Role, *, by: User) -> None:
    """Members of the group get the role at their next sign-in, except whoever made the mapping."""
    _verify(by)
    if GroupRole.objects.count() >= MOST:
        raise Refused(_("There are at most %(most)d mappings; remove one first.") % {"most": MOST})
    try:
        with transaction.atomic():
            GroupRole.objects.create(group=group, role=role, made_by=by, made_at=clock.now())
    except IntegrityError:
        raise TakenGroup(_("This group has this role already.")) from None
    entry = record(by, "sign_on.group_mapped", f"house:{ONLY}", name=group, roles=[role.value])
    if role in STAFF_ROLES:
        tell_administrators(entry, _("A group of the directory gives a staff role"))


@transaction.atomic
def remove(mapping: GroupRole, *, by: User) -> None:
    """Members lose the role at their next sign-in, unless another of their groups gives it."""
    _verify(by)
    if not GroupRole.objects.filter(pk=mapping.pk).delete()[0]:
        raise Refused(_("This mapping has been removed already."))
    entry = record(by, "sign_on.group_unmapped", f"house:{ONLY}", name=mapping.group, roles=[mapping.role])
    if mapping.role in STAFF_ROLES:
        tell_administrators(entry, _("A group of the directory no longer gives a staff role"))


def _verify(by: User) -> None:
    if not administrators().filter(pk=by.pk).exists():
        raise Refused(_("Only an administrator who may sign in can do this."))
