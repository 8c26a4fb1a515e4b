"""People and their roles."""

import zoneinfo
from functools import cache
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.hashers import check_password
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Subquery
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from training.house.models import ONLY, House
from training.house.selectors import current


class Role(models.TextChoices):
    TRAINEE = "trainee", _("Trainee")
    INSTRUCTOR = "instructor", _("Instructor")
    HR = "hr", _("Human resources")
    ADMINISTRATOR = "administrator", _("Administrator")
    AUDITOR = "auditor", _("Auditor")  # reads and changes nothing; has no other role


STAFF_ROLES = frozenset({Role.INSTRUCTOR, Role.HR, Role.ADMINISTRATOR, Role.AUDITOR})  # every role but trainee
time_zones = cache(zoneinfo.available_timezones)  # reads hundreds of files


def validate_time_zone(name: str) -> None:
    if name not in time_zones():
        raise ValidationError(_("“%(name)s” is not a time zone, e.g. Europe/Lisbon."), params={"name": name})


def default_time_zone() -> str:
    return str(settings.TIME_ZONE)


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Store a person. Without a password, they set one through the reset mail."""
        user = self.unsaved(email, password, **fields)
        user.full_clean()
        user.save()
        return user

    def unsaved(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        return user

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__iexact=username or "")


class User(AbstractBaseUser):
    email = models.EmailField(_("e-mail"), unique=True)
    name = models.CharField(_("name"), max_length=120)
    language = models.CharField(_("language"), max_length=8, choices=settings.LANGUAGES, default=settings.LANGUAGE_CODE)
    time_zone = models.CharField(
        _("time zone"), max_length=64, validators=[validate_time_zone], default=default_time_zone
    )
    is_active = models.BooleanField(_("may sign in"), default=True)
    is_demo = models.BooleanField(
        default=False,
        editable=False,
        help_text=_("Made with the published demo password: never in production."),
    )
    joined_at = models.DateTimeField(auto_now_add=True)
    # How often all sessions of this person were ended. A session from before is invalid.
    sessions_ended = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    # When the newest link for setting a password was sent (`people.links`).
    link_sent_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["name"]

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        constraints = [models.UniqueConstraint(Lower("email"), name="user_email_once_in_any_case")]

    def __str__(self) -> str:
        return self.name

    def get_full_name(self) -> str:
        return self.name

    def get_short_name(self) -> str:
        return self.name.split()[0]

    def check_password(self, raw_password: str | None) -> bool:
        """Whether this is the password. Unlike Django's, never stores it in another way: that would end the session of
        somebody who only confirms a password. `people.passwords` does it at the sign-in."""
        return check_password(raw_password, self.password)

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        if not self.sessions_ended:
            return super()._get_session_auth_hash(secret=secret)  # type: ignore[misc,no-any-return]  # not in the stubs
        sealed = f"{self.password}:{self.sessions_ended}"
        return salted_hmac("sabot session", sealed, secret=secret, algorithm="sha256").hexdigest()

    @cached_property
    def roles(self) -> frozenset[str]:
        """The roles of this person, read once per request; templates use `"trainee" in user.roles`."""
        return frozenset(role for role, _demanded, _languages in self._granted)

    @cached_property
    def _granted(self) -> list[tuple[str, bool | None, list[str] | None]]:
        """Each role with the settings of the house that every page needs, in one query."""
        house = House.objects.filter(pk=ONLY)
        found = self.role_grants.annotate(
            demanded=Subquery(house.values("second_factor")), languages=Subquery(house.values("languages"))
        )
        return list(found.values_list("role", "demanded", "languages"))

    @property
    def house(self) -> House:
        """The settings of the house that pages need: the second factor and the languages."""
        for _role, demanded, languages in self._granted:
            return House(second_factor=bool(demanded), languages=languages or [])
        return current()

    @property
    def only_reads(self) -> bool:
        """Whether this is an auditor, who sees what others act on."""
        return Role.AUDITOR in self.roles

    def forget_roles(self) -> None:
        """Drop the cached roles after a change."""
        for name in ("roles", "_granted"):
            self.__dict__.pop(name, None)


class RoleGrant(models.Model):
    """A role of a person: who granted it and when."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="role_grants")
    role = models.CharField(max_length=16, choices=Role.choices)
    granted_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    granted_at = models.DateTimeField(auto_now_add=True)
    # Given by a group of the house's directory, and taken away with it.
    from_directory = models.BooleanField(default=False, db_default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "role"], name="role_once_per_person"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="role_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.role}"


class AccountAct(models.Model):
    """Something done to an account that tells who could be behind it (`people.vouching`).

    Rows are only ever added: withdrawing a role or restoring an address does not change who once had control.
    """

    class Kind(models.TextChoices):
        ENTERED = "entered", _("created the account")
        ROLE = "role", _("gave a staff role")
        ADDRESS = "address", _("changed the e-mail address")
        SECOND_FACTOR = "second_factor", _("removed the two-step verification")
        CONFIRMED = "confirmed", _("confirmed the account")
        DIRECTORY = "directory", _("connected it to the directory")

    account = models.ForeignKey(User, on_delete=models.PROTECT, related_name="acts_on_account")
    # None if it was done from the command line.
    by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=["entered", "role", "address", "second_factor", "confirmed", "directory"]),
                name="account_act_is_known",
            ),
            models.CheckConstraint(condition=~models.Q(by=models.F("account")), name="account_act_by_another"),
        ]

    def __str__(self) -> str:
        return f"{self.account_id}: {self.kind}"


class LocalPasswords(models.Model):
    """Whether local passwords are off (one row). Then only `break_glass` may use one (`people.sign_on`)."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=ONLY, editable=False)
    off = models.BooleanField(default=False)
    break_glass = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(id=ONLY), name="one_rule_for_local_passwords"),
            models.CheckConstraint(
                condition=models.Q(off=False) | models.Q(break_glass__isnull=False), name="a_password_is_always_left"
            ),
        ]

    def __str__(self) -> str:
        return f"off: {self.off}"


class WrongTries(models.Model):
    """Recent wrong passwords, on an account or from an address; the key does not reveal which (`people.limits`)."""

    key = models.CharField(max_length=64, primary_key=True)
    kind = models.CharField(
        max_length=24, blank=True, default="", db_default=""
    )  # what is counted: `limits.Limit.kind`
    failures = models.PositiveIntegerField(default=0)
    since = models.DateTimeField()
    waits = models.PositiveSmallIntegerField(default=0)  # how often the limit was reached
    closed_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["kind", "since"], name="wrong_tries_by_kind")]

    def __str__(self) -> str:
        return self.key
