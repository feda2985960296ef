"""Format proofs: every sheet is read by the programs that people read it with."""
