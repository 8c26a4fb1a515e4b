"""Exam marks, results and decisions, and their release."""
