"""Exams: programmes, sittings, results, appeals, certificates, the HR desk."""
