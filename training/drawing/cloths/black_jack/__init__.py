"""The black jack cloth."""
