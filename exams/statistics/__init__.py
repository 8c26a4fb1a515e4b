"""How exams behave: facility, discrimination, reliability, consistency of decisions."""
