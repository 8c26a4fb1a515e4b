"""Marks, results and decisions of exams, and their release."""
