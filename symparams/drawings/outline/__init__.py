"""Outlines: what of a tree a drawing shows and in which order, before anything has a place."""
