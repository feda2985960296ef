"""Quantities: what is read off a tree besides its parameters. One file each."""
