"""What others may listen to. Sent inside the transaction of the act."""

from django.dispatch import Signal

# Something was done to a certificate. Sent with `act`.
acted = Signal()
