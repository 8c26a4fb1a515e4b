"""Grading again in the shadow: what a correction would change, shown before it is published."""
