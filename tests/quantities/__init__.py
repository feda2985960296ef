"""What is read off a tree besides its parameters."""
