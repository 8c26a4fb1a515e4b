"""Backups: a folder with the database, the signing key, and a manifest with their checksums."""
