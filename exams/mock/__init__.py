"""Mock exams, to rehearse a programme alone as often as wanted, and readiness for the real one."""
