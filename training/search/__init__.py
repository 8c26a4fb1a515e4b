"""Searching texts: words in any language and form, trade synonyms, the best matches first."""
