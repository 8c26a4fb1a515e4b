"""The rulebooks for reading: every article, what the engine does with it, and how two rulebooks differ."""
