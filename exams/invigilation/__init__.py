"""Invigilation: watching a session in progress and acting on it."""
