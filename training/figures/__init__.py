"""Figures: running counts that keep pages quick however many answers there are."""
