"""The row of gaming machines."""
