"""Certificates, results and the roster for programs, built like `training.api`."""
