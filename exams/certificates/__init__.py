"""Certificates: their life, the document, the credential and the public check."""
