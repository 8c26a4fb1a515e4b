"""Italian dates without a leading zero."""

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "j F Y, H:i"
