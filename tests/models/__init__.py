"""Targets of every kind, and the models that they load."""
