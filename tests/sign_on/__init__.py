"""Sign-on with the directory of the house."""
