"""What others may listen to. Sent inside the transaction: a listener that wakes a worker does so on commit."""

from django.dispatch import Signal

# The papers of a session are made and it is ready. Sent with `session_id`.
ready = Signal()
