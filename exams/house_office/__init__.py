"""The page on which administrators say how the house is called, who signs for it and what its logo is."""
