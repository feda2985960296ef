"""A repository of the Hugging Face hub: the headers of its safetensors files, read by requests for their first bytes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from symparams.checkpoints import files, safetensors
from symparams.checkpoints.record import Checkpoint
from symparams.errors import CheckpointError, ConfigError
from symparams.models.sources.hub import MissingFileError, Repository

ONE_FILE, INDEX = "model.safetensors", "model.safetensors.index.json"
FIRST = 2**18  # bytes that are asked for at first: most headers are no longer
AT_ONCE = 8  # files that are asked for together


def read(target: str) -> Checkpoint:
    """Return what the safetensors files of a repository hold; CheckpointError says why they cannot be had."""
    try:
        repository = Repository.of(target)
        if repository.is_offline:
            return _cached(repository)
        try:
            index = repository.ask(INDEX, largest=files.LARGEST_INDEX).body
        except MissingFileError:
            tensors, before = _header(repository, ONE_FILE)
            return Checkpoint(target, tuple(tensors), before)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return files.sharded(target, index, lambda names: pool.map(lambda name: _header(repository, name), names))
    except ConfigError as error:
        raise CheckpointError(str(error)) from None


def _header(repository: Repository, file: str) -> files.Header:
    """Return the arrays of a file of the hub, and the bytes of its header."""
    place = f"{repository.target}/{file}"
    answer = repository.ask(file, range(FIRST))
    start, size = answer.body, answer.size
    before = safetensors.LENGTH + safetensors.length_of(start, size, place)
    if before > len(start):
        start += repository.ask(file, range(len(start), before)).body
    return safetensors.tensors_of(start[safetensors.LENGTH : before], size - before, place), before


def _cached(repository: Repository) -> Checkpoint:
    """Return what lies in the cache of the hub's client: one file, or an index and the files that it names."""
    try:
        path = repository.cached(INDEX)
    except ConfigError:
        path = repository.cached(ONE_FILE)
    assert path is not None
    return files.read(path)
