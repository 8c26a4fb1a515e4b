"""The live table: a running game to deal, with faults that nobody announces."""
