"""Pages to read the rulebooks: articles, how two rulebooks differ, and the odds of games."""
