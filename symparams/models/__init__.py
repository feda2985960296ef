"""Models: an architecture with values, and where it is read from: a name, a config, the hub."""
