"""Lessons: the path of a rulebook, the cards that teach its rules, the guided first coup, and the reference."""
