"""Messages of Django and django-allauth that lack a translation into `pt`.

Never imported: `makemessages` reads this file, so that the catalogues keep our translations.
"""

from django.utils.translation import gettext_noop, ngettext

gettext_noop("Be patient, you are sending too many requests.")
gettext_noop("Code")
gettext_noop("Current Password")
gettext_noop("Email")
gettext_noop("Email address")
gettext_noop("Forgot your password?")
gettext_noop("Authenticator code")
gettext_noop("Incorrect code.")
gettext_noop("Incorrect password.")
gettext_noop("Invalid or expired key.")
gettext_noop("New Password")
gettext_noop("New Password (again)")
gettext_noop("Password")
gettext_noop("Password (again)")
gettext_noop("Please type your current password.")
gettext_noop("The email address and/or password you specified are not correct.")
gettext_noop("The email address is not assigned to any user account.")
gettext_noop("The password reset token was invalid.")
gettext_noop("This account is currently inactive.")
gettext_noop("Too many failed login attempts. Try again later.")
gettext_noop("Use authenticator app or code")
gettext_noop("Use your password")
gettext_noop("You cannot deactivate two-factor authentication.")
gettext_noop("You cannot generate recovery codes without having two-factor authentication enabled.")
gettext_noop("You must type the same password each time.")
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
