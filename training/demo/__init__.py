"""Demo data for training: classes, scenarios and answers of an invented house."""
