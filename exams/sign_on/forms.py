"""Forms for administrators about the sign-on with the directory."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from exams.sign_on.id_token import MAX_SUBJECT
from exams.sign_on.local_passwords import administrators
from training.people.models import Role, User


class GroupForm(forms.Form):
    group = forms.CharField(
        label=gettext_lazy("Group in the directory"),
        max_length=200,
        help_text=gettext_lazy("Exactly as the directory sends it: its name or its identifier."),
    )
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Role.choices)

    def clean_group(self) -> str:
        group = str(self.cleaned_data["group"])
        if not group.isprintable():
            raise forms.ValidationError(gettext("The name has a character that cannot be printed."))
        return group

    def clean_role(self) -> Role:
        return Role(self.cleaned_data["role"])


class _ByName(forms.ModelChoiceField):  # type: ignore[type-arg]  # not generic at run time
    def label_from_instance(self, obj: User) -> str:
        return f"{obj.name} ({obj.email})"


class PasswordsOffForm(forms.Form):
    break_glass = _ByName(
        label=gettext_lazy("Administrator who keeps a password"),
        queryset=User.objects.none(),
        help_text=gettext_lazy("For the day the directory is away. Needs two-step verification in Sabot."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["break_glass"].queryset = administrators()  # type: ignore[attr-defined]


class SubjectForm(forms.Form):
    subject = forms.CharField(
        label=gettext_lazy("Subject in the directory"),
        max_length=MAX_SUBJECT,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=gettext_lazy("The permanent identifier that the directory sends for this person, not the address."),
    )
