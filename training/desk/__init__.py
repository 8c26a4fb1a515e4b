"""The instructor's desk: statistics of items, and flags of trainees."""
