"""Lists filtered by query parameters."""

from django import forms


def unfit(form: forms.Form) -> str:
    """The labels of the invalid filters. The list is then empty, since an unfiltered one would be misleading."""
    return ", ".join(str(form[name].label) for name in form.errors)
