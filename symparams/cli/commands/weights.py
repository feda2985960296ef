"""``count``, ``memory`` and ``show`` of a file of weights by itself, whose header says all.

With options about a model, a quantity or other sizes, they are about the model that the file holds.
"""

from __future__ import annotations

from symparams.answers.checkpoints import StoredWeights
from symparams.answers.checkpoints import weights as weights_of
from symparams.checkpoints.reading import read
from symparams.cli.answering import answer
from symparams.cli.commands import JSON
from symparams.cli.request import CommandResult, Request
from symparams.errors import OptionError, listed, quoted
from symparams.sheets.weights import arrays
from symparams.sheets.weights import memory as memory_of


def count(request: Request) -> CommandResult:
    """The number of stored parameters."""
    if _is_about_a_model(request):
        from symparams.cli.commands.counting import count as count_of_a_model

        return count_of_a_model(request)
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
    if _is_about_a_model(request):
        from symparams.cli.commands.memory import memory as memory_of_a_model

        return memory_of_a_model(request)
    stored = _stored(request)
    if not stored.checkpoint.has_bytes:
        raise OptionError(
            f"{quoted(request.target)} names no number types: symparams memory {stored.value} --dtype bf16 measures as many "
            "parameters."
        )
    return answer(memory_of(stored, request.language), request)


def show(request: Request) -> CommandResult:
    """The arrays with their shapes, types and bytes."""
    if _is_about_a_model(request):
        from symparams.cli.commands.targets import show as show_a_model

        return show_a_model(request)
    return answer(arrays(_stored(request), request.language), request)


def _is_about_a_model(request: Request) -> bool:
    """True if somebody chose what is no fact of a file: a quantity, a size, a feature, a family, a name."""
    return any((request.own, request.values, request.include, request.exclude, request.called, request.architecture))


def _stored(request: Request) -> StoredWeights:
    return weights_of(read(str(request.target)))
