"""Exam sittings from access code to closing: the clock, the event log and the candidate's pages."""
