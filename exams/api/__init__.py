"""Exams and certificates for programs."""
