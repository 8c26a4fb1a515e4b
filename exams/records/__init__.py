"""What is kept of an exam: sessions and candidates, papers, sittings. The rooms above act on it."""
