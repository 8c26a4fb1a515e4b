"""Sign-on with the house's directory (OpenID Connect): signing in, subjects, groups, and local passwords."""
