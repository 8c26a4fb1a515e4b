"""Invigilation: what is seen of a session under way, and what may be done about it."""
