"""Forms of django-allauth with the labels and the wording of our pages."""

from typing import Any

from allauth.account.forms import LoginForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from training.people import passwords, sign_in_queue

LABELS = {
    "login": _("E-mail"),
    "email": _("E-mail"),
    "oldpassword": _("Current password"),
    "password1": _("New password"),
    "password2": _("New password (again)"),
}


class OurWording:
    """Mixin for a form of the library: relabels its fields and rewords the error for two different passwords."""

    fields: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in LABELS.keys() & self.fields.keys():
            self.fields[name].label = self.fields[name].widget.attrs["placeholder"] = LABELS[name]

    def add_error(self, field: str | None, error: Any) -> None:
        # The library adds this one error as plain text; the others are ValidationErrors.
        if field == "password2" and not isinstance(error, ValidationError):
            error = _("The two passwords are not the same.")
        super().add_error(field, error)  # type: ignore[misc]


class SignInForm(OurWording, LoginForm):  # type: ignore[misc]  # the library has no types
    """The first step of signing in, in turn with others."""

    def __init__(self, data: Any = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(sign_in_queue.with_kept_password(data), *args, **kwargs)

    def clean(self) -> Any:
        with sign_in_queue.turn():
            cleaned = super().clean()
            if self.user is not None:
                passwords.upgrade(self.user, cleaned["password"])
        return cleaned
