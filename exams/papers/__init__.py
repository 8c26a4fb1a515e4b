"""Papers: the pool of a session and a form for every candidate, made and checked before it opens."""
