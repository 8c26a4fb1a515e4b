"""Practice: drills put before a trainee, answers stored, marks given by the queue."""
