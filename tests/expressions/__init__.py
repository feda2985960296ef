"""What a formula is: written, read, multiplied out, in the letters of a notation."""
