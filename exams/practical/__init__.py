"""The practical exam: a running table with hidden faults, on screen or in the room with two examiners."""
