"""The craps cloth."""
