"""Fuzzing: random inputs for a bounded time, and every one that was ever found wrong kept as a test in ``found``."""
