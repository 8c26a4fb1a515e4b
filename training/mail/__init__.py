"""The outbox: every mail waits in the database until a worker has sent it."""
