"""Sources: what a model can be read from besides its name. One file each."""
