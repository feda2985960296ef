"""Pages: one HTML file that recomputes a model in a browser; its data, and the finished file."""
