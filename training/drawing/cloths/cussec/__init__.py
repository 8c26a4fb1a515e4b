"""The cussec cloth."""
