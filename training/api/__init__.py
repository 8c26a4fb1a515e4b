"""The REST API: the same services and selectors as the pages, as JSON."""
