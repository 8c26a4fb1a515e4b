"""Text without case and accents, as people search and sort names."""

from rules_engine.folding import folded

__all__ = ["folded"]
