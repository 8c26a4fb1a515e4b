"""Classes: who is taught by whom, what is set for when, and how it goes."""
