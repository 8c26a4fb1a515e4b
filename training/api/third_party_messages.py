"""Messages of Django REST framework that lack a European Portuguese translation (`pt`).

Never imported: `makemessages` reads this file, so that the catalogues keep our translations.
"""

from django.utils.translation import gettext_noop

gettext_noop("This field is required.")
gettext_noop("This field may not be null.")
gettext_noop("This field may not be blank.")
gettext_noop("Not a valid string.")
gettext_noop("A valid integer is required.")
gettext_noop("Must be a valid boolean.")
gettext_noop('"{input}" is not a valid choice.')
gettext_noop("Ensure this value is less than or equal to {max_value}.")
gettext_noop("Ensure this value is greater than or equal to {min_value}.")
gettext_noop("Ensure this field has no more than {max_length} characters.")
gettext_noop("This list may not be empty.")
