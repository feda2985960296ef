"""The parameters of a checkpoint by itself, apart from its buffers and the scales of its packed numbers."""

from __future__ import annotations

from symparams.checkpoints.groups import Group, of_file
from symparams.checkpoints.record import Checkpoint
from symparams.checkpoints.storage import is_buffer, is_packed, owner_of_scales, unpacked
from symparams.errors import CheckpointError, quoted


def parameters_of(checkpoint: Checkpoint) -> tuple[list[Group], list[Group]]:
    """Return the groups of parameters, packed ones by the sides that they stand for, and those of buffers and scales.

    Raises CheckpointError for packed numbers whose sides nothing tells, and for a text of a module in which a module holds
    arrays, or may do, that it does not show.
    """
    if checkpoint.printed and checkpoint.printed.untold:
        raise checkpoint.printed.refusal(checkpoint.printed.untold[0])
    known = unpacked(checkpoint.tensors)
    tensors = [
        known[tensor.name][0]._replace(name=tensor.name) if tensor.name in known else tensor for tensor in checkpoint.tensors
    ]
    groups = of_file(tensors, {tensor.name: tensor.name for tensor in tensors})
    buffers = {tensor.name for tensor in checkpoint.tensors if tensor.is_buffer}
    others = [
        group
        for group in groups
        if group.first in buffers or is_buffer(group.first, group.shape) or owner_of_scales(group.first)
    ]
    parameters = [group for group in groups if not any(group is other for other in others)]
    packed = next((group for group in parameters if is_packed(group.dtype) and group.first not in known), None)
    if packed is not None:
        raise CheckpointError(
            f"{quoted(packed.first)} holds {packed.dtype}, of which each may be several parameters: name the model, as in "
            f"symparams verify config.json --checkpoint {checkpoint.name}."
        )
    return parameters, others
