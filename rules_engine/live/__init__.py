"""The live table: a running game with faults that nobody announces. `rules_engine.play` is its front door."""
