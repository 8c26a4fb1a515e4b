"""Hooks that certificates declare for higher packages."""

from exams.certificates.models import Act
from training.platform.hooks import Event


@Event
def certificate_changed(act: Act) -> None:
    """Something was done to a certificate. Called in the transaction of the act."""
