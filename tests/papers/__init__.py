"""What papers take in."""
