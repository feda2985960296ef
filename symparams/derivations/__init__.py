"""Derivations: a model worked out step by step, each step an equation."""
