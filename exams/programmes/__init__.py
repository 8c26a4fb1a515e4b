"""Programmes: versioned certification schemes and who may examine in them."""
