"""Mastery: what each trainee remembers of each rule, and what is worth practising now."""
