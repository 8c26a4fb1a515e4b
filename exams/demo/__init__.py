"""Demo data for exams: programmes, past sessions and certificates of a fictional house."""
