"""Files of checkpoints as they are written: headers with the weights left out, which are a hole in the file."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path
from typing import Any

from symparams.checkpoints.number_types import ggml_types, safetensors_types

Shapes = Mapping[str, Sequence[int]]


def header(shapes: Shapes, dtype: str = "BF16", dtypes: Mapping[str, str] | None = None) -> tuple[dict[str, Any], int]:
    """The header of a safetensors file with these shapes, and the bytes of its weights."""
    entries: dict[str, Any] = {}
    end = 0
    for name, shape in shapes.items():
        kind = (dtypes or {}).get(name, dtype)
        begin, end = end, end + prod(shape) * safetensors_types()[kind].bytes // 8
        entries[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [begin, end]}
    return entries, end


def safetensors(file: Path, shapes: Shapes, dtype: str = "BF16", dtypes: Mapping[str, str] | None = None) -> Path:
    """Write a safetensors file with these shapes."""
    entries, size = header(shapes, dtype, dtypes)
    return raw(file, json.dumps(entries).encode(), size)


def raw(file: Path, text: bytes, size: int = 0, length: int | None = None) -> Path:
    """Write a safetensors file with this header, of a length that may be claimed, before so many bytes."""
    start = struct.pack("<Q", len(text) if length is None else length) + text
    file.write_bytes(start)
    with file.open("r+b") as stream:
        stream.truncate(len(start) + size)
    return file


def text(value: str) -> bytes:
    """A text of a GGUF file."""
    return struct.pack("<Q", len(value.encode())) + value.encode()


def metadata(facts: Mapping[str, int | str]) -> bytes:
    """Entries of the metadata of a GGUF file: texts, and whole numbers of 32 bits."""
    return b"".join(
        text(key) + (struct.pack("<I", 8) + text(value) if isinstance(value, str) else struct.pack("<II", 4, value))
        for key, value in facts.items()
    )


def gguf(
    file: Path, shapes: Shapes, kinds: Mapping[str, str], usual: str = "F32", metadata: bytes = b"", entries: int = 0
) -> Path:
    """Write a GGUF file with these shapes, outermost side first; ``metadata`` holds so many entries."""
    types = {kind.name: (number, kind) for number, kind in ggml_types().items()}
    rows, end = b"", 0
    for name, shape in shapes.items():
        number, kind = types[kinds.get(name, usual)]
        rows += text(name) + struct.pack(f"<I{len(shape)}qIQ", len(shape), *reversed(shape), number, end)
        end += -(-prod(shape) * kind.bytes // kind.block // 32) * 32
    start = b"GGUF" + struct.pack("<IQQ", 3, len(shapes), entries) + metadata + rows
    file.write_bytes(start + b"\0" * (-len(start) % 32))
    with file.open("r+b") as stream:
        stream.truncate(file.stat().st_size + end)
    return file
