"""Lists that are narrowed by what their address says."""

from django import forms


def unfit(form: forms.Form) -> str:
    """The filters that fit nothing, by what the form calls them: a list shows nothing then, since everything else would
    be taken for what was asked for."""
    return ", ".join(str(form[name].label) for name in form.errors)
