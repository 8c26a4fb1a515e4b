"""The ponto e banca cloth."""
