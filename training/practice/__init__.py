"""Practice: drills for trainees, their answers, and marks given by the queue."""
