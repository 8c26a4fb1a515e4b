"""Demo data for exams: programmes, past sessions and certificates of an invented house."""
