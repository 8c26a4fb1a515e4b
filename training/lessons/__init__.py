"""Lessons: a rulebook as a path of short lessons, the cards that teach, the first coup, and what one looks up."""
