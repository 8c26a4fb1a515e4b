"""Rules for administrators: nobody acts on themselves, and the house always has an administrator."""

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from training.people.models import Role, RoleGrant, User
from training.platform.errors import Refused


def verify_acts(by: User, person: User) -> None:
    """Raises Refused unless `by` is an active administrator acting on somebody else."""
    if not _active().filter(user=by).exists():
        raise Refused(_("Only an administrator who may sign in can do this."))
    if by.pk == person.pk:
        raise Refused(_("Nobody can change their own account here: another administrator must do it."))


def verify_not_the_last(person: User, *, by: User) -> None:
    """Raises Refused if this would leave the house without an active administrator.

    Locks all administrators until commit, so if two remove each other the second is refused. Call it first in the
    transaction, before locking anything else.
    """
    list(RoleGrant.objects.select_for_update(no_key=True).filter(role=Role.ADMINISTRATOR).order_by("pk"))
    verify_acts(by, person)
    if not _active().exclude(user=person).exists():
        raise Refused(_("This is the last administrator: make somebody else an administrator first."))


def _active() -> QuerySet[RoleGrant]:
    return RoleGrant.objects.filter(role=Role.ADMINISTRATOR, user__is_active=True)
