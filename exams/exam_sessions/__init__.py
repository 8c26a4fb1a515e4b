"""Exam sessions: setting up, entering candidates, preparing or cancelling, and notifying candidates."""
