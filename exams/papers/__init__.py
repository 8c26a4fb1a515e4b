"""Exam papers: a session's pool of cases and a form for each candidate, made and checked before it opens."""
