"""Chemin de fer: one table, many incidents, ruled under each rulebook."""
