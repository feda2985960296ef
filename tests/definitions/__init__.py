"""Definitions of one's own: what can be, what cannot, and that both languages of definitions say the same."""
