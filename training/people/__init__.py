"""People, their roles, and who may see which page."""
