"""Tests of ``symparams.checkpoints``."""
