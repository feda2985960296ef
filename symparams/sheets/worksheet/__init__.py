"""Worksheets on paper: blanks in the place of answers, and the key."""
