"""Exam statistics: facility, discrimination, reliability and consistency of decisions."""
