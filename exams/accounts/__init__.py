"""Who may sign in, with which roles, and why not."""
