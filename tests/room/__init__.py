"""`make room`: a room of candidates signs in at once and sits an exam, through the shipped proxy."""
