"""Interprets errors of the mail server: what is wrong, and whether retrying can help."""

from smtplib import (
    SMTPAuthenticationError,
    SMTPConnectError,
    SMTPHeloError,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)

from training.mail.models import Mail
from training.platform.outgoing import Trouble

Problem = Mail.Problem
FOR_GOOD = range(500, 600)  # RFC 5321: permanent failures


def trouble_of(error: Exception) -> Trouble:
    match error:
        case SMTPServerDisconnected() | SMTPConnectError() | SMTPHeloError():
            return Trouble(Problem.AWAY, getattr(error, "smtp_code", None), everybodys=True)
        case SMTPAuthenticationError():
            return Trouble(Problem.SIGN_IN, error.smtp_code, everybodys=True)
        case SMTPRecipientsRefused():
            reply = next((code for code, _words in error.recipients.values()), None)
            # A bad address stays bad; “try later” (greylisting, a full mailbox) does not.
            return Trouble(Problem.ADDRESS, reply, hopeless=reply in FOR_GOOD)
        case SMTPSenderRefused():
            return Trouble(Problem.SENDER, error.smtp_code)
        case SMTPResponseException():
            return Trouble(Problem.REFUSED, error.smtp_code)
        case OSError():  # also the other errors of smtplib
            return Trouble(Problem.AWAY, everybodys=True)
        case _:
            return Trouble(Problem.UNFIT, hopeless=True)
