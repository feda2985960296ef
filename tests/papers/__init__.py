"""Documents whose blocks are kept current."""
