"""Sessions: set up, entered, prepared or called off, and told to their candidates."""
