"""The roulette cloth."""
