"""The outbox: every mail of the platform waits here in the database until a worker has handed it to the mail server."""
