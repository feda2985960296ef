"""Measurements: what the library itself computes and keeps, by which costs are verified."""
