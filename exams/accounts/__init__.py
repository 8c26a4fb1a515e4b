"""Accounts: who may sign in, with which roles, and why not."""
