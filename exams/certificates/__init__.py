"""Certificates: lifecycle, printed document, credential and public check."""
