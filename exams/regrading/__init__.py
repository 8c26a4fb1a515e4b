"""Regrading: works out what a correction would change and shows it before publishing."""
