"""What others may listen to. Sent inside the transaction: a listener that wakes a worker does so on commit."""

from django.dispatch import Signal

# A result in force was decided, for the first time or again after a regrade. Sent with `result_id`.
decided = Signal()
# A result went out of force because its sitting was annulled. Sent with `result_id`.
annulled = Signal()
