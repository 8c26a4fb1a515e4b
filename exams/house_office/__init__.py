"""The house's settings, readings of rulebooks, and official texts, edited by staff."""
