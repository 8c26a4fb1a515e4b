"""Exam sessions: forms made beforehand, sittings by the server's clock, the invigilator's view."""
