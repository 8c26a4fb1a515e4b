"""Telling other systems of the house about certificates: signed messages, sent until they are taken."""
