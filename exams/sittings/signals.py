"""What others may listen to. Sent inside the transaction: a listener that wakes a worker does so on commit."""

from django.dispatch import Signal

# A sitting was closed, whoever closed it. Sent with `sitting_id`.
closed = Signal()
