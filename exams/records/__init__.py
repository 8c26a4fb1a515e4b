"""The records of an exam: sessions, candidates, papers and sittings. Higher packages act on them."""
