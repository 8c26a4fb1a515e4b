"""Sittings: from the access code to the end, with the clock, the log and the pages of the candidate."""
