"""Exams: blueprints, sittings, certificates."""
