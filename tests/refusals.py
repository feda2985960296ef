"""How a test asks for the one line in which something is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from symparams.errors import SymparamsError


def refusal(call: Callable[..., object], *arguments: object, **options: object) -> str:
    """The line with which a call is refused."""
    with pytest.raises(SymparamsError) as error:
        call(*arguments, **options)
    assert str(error.value).isprintable()
    return str(error.value)
