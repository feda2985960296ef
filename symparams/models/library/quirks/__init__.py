"""Quirks of the library: a module a theme or a family, a function a quirk, whose docstring is its reason.

Each takes the config and the family's table, in which it finds keys and defaults. A table names it under ``derived`` or
``checks``: "decoders.rounded" is ``rounded`` in decoders.py.
"""
