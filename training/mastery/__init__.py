"""Mastery: how well each trainee remembers each rule, and what to practise now."""
