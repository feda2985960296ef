"""Outlines: the parts of a tree that a drawing shows, in order, before they have positions."""
