"""Backups: a folder with the whole database, what else cannot be made again, and a manifest that proves it."""
