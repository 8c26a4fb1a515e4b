"""The instructor's desk: how items behave, and what trainees say is wrong with them."""
