"""Pages: one file that works a model out anew in a browser; what it is given, and the file put together."""
