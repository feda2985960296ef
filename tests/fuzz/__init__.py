"""Fuzzing: random inputs, and every one that was ever found wrong: FUZZ_EXAMPLES=1000 pytest tests/fuzz draws more."""
