"""Thousands with a point, as the sums at a table have them."""

THOUSAND_SEPARATOR = "."
