"""Expressions: what a formula is, from its letters to its print."""
