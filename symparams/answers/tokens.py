"""Numbers of tokens as people write them: 32768, 32,768, 32Ki; 32k may mean two numbers and is an error."""

from __future__ import annotations

from typing import Any

from symparams.errors import OptionError, quoted
from symparams.expressions.amounts import COUNTS, SUFFIXES, Words, read, split

OF_A_RUN = 3  # thousands of thousands of thousands: B and T
BINARY: Words = {"": 1, "Ki": 1024, "Mi": 1024**2, "Gi": 1024**3}


def read_tokens(called: str, value: Any) -> int:
    """Return how many tokens somebody gives, exactly; OptionError for what may mean two numbers, and for what is none."""
    amount = read(value, BINARY)
    if amount is not None and amount.value.denominator == 1 and amount.value > 0:
        return int(amount.value)
    written = split(value) if isinstance(value, str) else None
    if written is not None and written.word.lower() in SUFFIXES and written.value:
        power = SUFFIXES[written.word.lower()]
        meant = [written.value * base**power for base in (1000, 1024)]
        if all(number.denominator == 1 for number in meant):
            decimal, binary = map(int, meant)
            raise OptionError(f"{called} {quoted(value)} may mean {decimal} or {binary}: write one of them.")
    raise OptionError(f"{called} {quoted(value)} is not a number of tokens: write 1 or more, such as 32768 or 32Ki.")


def read_prompt(called: str, value: Any) -> int:
    """Return the tokens of a prompt; OptionError for none, and for as many as only training reads: 15T."""
    written = split(value) if isinstance(value, str) else None
    if written is not None and SUFFIXES.get(written.word.lower(), 0) >= OF_A_RUN:
        raise OptionError(
            f"{called} {quoted(value)} is a training run: add --training --context 8192, in Python training=True, context=8192."
        )
    return read_tokens(called, value)


def read_run(called: str, value: Any) -> int:
    """Return the tokens of a training run, of which everybody counts by thousands: 15T, 1.4e12; OptionError for none."""
    amount = read(value, COUNTS)
    if amount is None or amount.value.denominator != 1 or amount.value <= 0:
        raise OptionError(f"{called} {quoted(value)} is not a number of tokens: write 15T, 300B or 1.4e12.")
    return int(amount.value)
