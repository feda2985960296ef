"""``count``, ``memory`` and ``show`` of a file of weights by itself, whose header says all.

With options about a model, a quantity or other sizes, they are about the model that the file holds.
"""

from __future__ import annotations

from symparams.answers.checkpoints import StoredWeights
from symparams.answers.checkpoints import weights as weights_of
from symparams.checkpoints.files import read
from symparams.cli.answering import answer
from symparams.cli.commands import JSON
from symparams.cli.request import CommandResult, Request
from symparams.errors import OptionError, listed, quoted
from symparams.sheets.weights import arrays
from symparams.sheets.weights import memory as memory_of


def count(request: Request) -> CommandResult:
    """The number of stored parameters."""
    stored = _stored(request)
    if printed := stored.checkpoint.printed:
        note = "print(model) does not show shared arrays, so an array that two modules share is counted twice"
        unseen = listed(printed.unseen)
        note += f"; classes that are assumed to hold no arrays besides those of their modules: {unseen}" if unseen else ""
        assumed = listed(printed.assumed)
        note += f"; classes with no bias= in the text, of which a bias is counted: {assumed}" if assumed else ""
    else:
        note = "buffers, scales and zero points are not counted" if stored.others else ""
    if request.format == JSON:
        return answer(memory_of(stored), request)
    return CommandResult(f"{stored.value}\n", note=note)


def memory(request: Request) -> CommandResult:
    """The bytes by number type."""
    stored = _stored(request)
    if not stored.checkpoint.has_bytes:
        raise OptionError(
            f"{quoted(request.target)} names no number types: symparams memory {stored.value} --dtype bf16 measures as many "
            "parameters."
        )
    return answer(memory_of(stored, request.language), request)


def show(request: Request) -> CommandResult:
    """The arrays with their shapes, types and bytes."""
    return answer(arrays(_stored(request), request.language), request)


def _stored(request: Request) -> StoredWeights:
    return weights_of(read(str(request.target)))
