"""Quantities: numbers read off a tree, one file each; the parameter count is the first."""
