"""Programmes: the certification schemes, versioned, with who may examine."""
