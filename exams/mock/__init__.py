"""Mock exams: a programme rehearsed alone, as often as wanted; and how ready somebody is for the real one."""
