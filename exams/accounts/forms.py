"""Forms for administrators about people."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from exams.accounts import selectors
from exams.certificates.services import MAX_REASON
from training.house.selectors import languages
from training.people.models import Role, User
from training.people.plain_names import is_plain, one_spaced


class FilterForm(forms.Form):
    q = forms.CharField(label=gettext_lazy("Name or e-mail"), required=False, max_length=100)
    role = forms.ChoiceField(
        label=gettext_lazy("Role"), required=False, choices=[("", pgettext_lazy("roles", "All")), *Role.choices]
    )
    state = forms.ChoiceField(label=gettext_lazy("Account"), required=False, choices=selectors.STATES)

    def filters(self) -> selectors.Filters:
        return selectors.Filters(**self.cleaned_data)


class AddressForm(forms.ModelForm):  # type: ignore[type-arg]  # not generic at run time
    class Meta:
        model = User
        fields = ["email"]

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"]).lower()
        if User.objects.filter(email__iexact=email).exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError(gettext("Somebody else has this address."))
        return email


class InvitationForm(AddressForm):
    class Meta(AddressForm.Meta):
        fields = ["name", "email"]

    roles = forms.MultipleChoiceField(
        label=gettext_lazy("Roles"), choices=Role.choices, widget=forms.CheckboxSelectMultiple
    )
    language = forms.ChoiceField(label=gettext_lazy("Language of the invitation"), choices=languages)

    def clean_name(self) -> str:
        name = one_spaced(self.cleaned_data["name"])
        if not is_plain(name):
            raise forms.ValidationError(gettext("The name has a character that cannot be printed."))
        return name

    def clean_roles(self) -> list[Role]:
        return [Role(role) for role in self.cleaned_data["roles"]]


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=MAX_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Kept with your name and the date, for administrators."),
    )


class NameForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("The name as it should be"), max_length=120)
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=MAX_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("For example, against which document the name was checked. The second person reads it."),
    )

    def clean_name(self) -> Any:
        return one_spaced(self.cleaned_data["name"])
