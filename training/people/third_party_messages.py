"""Messages of Django and django-allauth that lack a translation into `pt`.

Never imported: `makemessages` reads this file, so that the catalogues keep our translations.
"""

from django.utils.translation import gettext_noop, ngettext

gettext_noop("Code")
gettext_noop("Forgot your password?")
gettext_noop("Authenticator code")
gettext_noop("Incorrect code.")
gettext_noop("Incorrect password.")
gettext_noop("Password")
gettext_noop("Password (again)")
gettext_noop("Please type your current password.")
gettext_noop("Too many failed login attempts. Try again later.")
ngettext(
    "This password is too short. It must contain at least %d character.",
    "This password is too short. It must contain at least %d characters.",
    10,
)
gettext_noop("Your password can’t be too similar to your other personal information.")
gettext_noop("Your password can’t be a commonly used password.")
gettext_noop("Your password can’t be entirely numeric.")
ngettext(
    "Your password must contain at least %(min_length)d character.",
    "Your password must contain at least %(min_length)d characters.",
    10,
)
