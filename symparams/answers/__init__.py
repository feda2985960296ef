"""Answers: questions put to a model."""
