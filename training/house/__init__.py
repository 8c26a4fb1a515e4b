"""The house itself: what it is called, who signs for it, its logo. Administrators change it in `exams.house_office`."""
