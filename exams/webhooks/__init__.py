"""Webhooks: signed messages about certificates to the house's other systems, retried until accepted."""
