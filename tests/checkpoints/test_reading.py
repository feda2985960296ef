"""Checkpoints are read by their headers: names, shapes, types and bytes, within bounds, and a damaged one is a line."""

from __future__ import annotations

import json
import struct
import subprocess
import sys

import pytest

from symparams import load
from symparams.answers.checkpoints import verify
from symparams.checkpoints.files import read
from symparams.checkpoints.record import StoredTensor
from symparams.errors import CheckpointError
from tests.checkpoints.writing import gguf, header, raw, safetensors, text

SHAPES = {"embed.weight": (6, 4), "layers.0.up.weight": (8, 4), "layers.0.up.bias": (8,), "scale": ()}


@pytest.fixture
def refused(tmp_path):
    """The line for a file with a header, given as JSON or as bytes, before so many bytes."""

    def line(content, size=0, name="model.safetensors"):
        file = tmp_path / name
        raw(file, content if isinstance(content, bytes) else json.dumps(content).encode(), size)
        with pytest.raises(CheckpointError) as error:
            read(file)
        assert str(error.value).isprintable()
        assert len(str(error.value)) < 400
        return str(error.value)

    return line


def test_a_file_is_read_to_the_byte(tmp_path):
    file = safetensors(tmp_path / "model.safetensors", SHAPES, dtypes={"scale": "F32"})
    found = read(str(file))
    assert {tensor.name: tensor.shape for tensor in found.tensors} == SHAPES
    assert found.tensors[0] == StoredTensor("embed.weight", (6, 4), "BF16", 48)
    assert found.bytes == file.stat().st_size
    assert list(found.types) == [("BF16", 3, 2 * (24 + 32 + 8)), ("F32", 1, 4)]


def test_a_folder_with_an_index_is_read_together(tmp_path):
    parts = {"a.safetensors": ["embed.weight", "scale"], "b.safetensors": ["layers.0.up.weight", "layers.0.up.bias"]}
    for file, names in parts.items():
        safetensors(tmp_path / file, {name: SHAPES[name] for name in names})
    listed = {name: file for file, names in parts.items() for name in names}
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(json.dumps({"metadata": {}, "weight_map": listed}))
    found = read(tmp_path)
    assert {tensor.name: tensor.shape for tensor in found.tensors} == SHAPES
    assert (found.files, found.bytes) == (2, sum((tmp_path / file).stat().st_size for file in parts))
    for change, line in (
        ({"scale": "b.safetensors"}, "does not say that 'scale' is in 'a.safetensors', where it is."),
        ({"more": "b.safetensors"}, "says that 'more' is in 'b.safetensors', which has no such tensor."),
        ({"scale": "../a.safetensors"}, "has no weight_map that names a file beside it for each tensor."),
        (dict.fromkeys(listed, "c.safetensors"), "No such file or directory"),
    ):
        index.write_text(json.dumps({"weight_map": listed | change}))
        with pytest.raises(CheckpointError, match=line):
            read(tmp_path)


def test_shapes_as_json_of_any_framework(tmp_path):
    file = tmp_path / "flax.json"
    file.write_text(json.dumps({"params": {"Dense_0": {"kernel": [4, 8], "bias": {"shape": [8], "dtype": "float32"}}}}))
    assert read(file).tensors == (
        StoredTensor("params.Dense_0.kernel", (4, 8)),
        StoredTensor("params.Dense_0.bias", (8,), "float32"),
    )


def test_a_gguf_file_is_read_to_the_byte(tmp_path):
    words = text("tokens") + struct.pack("<IIQ", 9, 8, 2) + text("a") + text("b")
    aligned = text("general.name") + struct.pack("<I", 8) + text("tiny") + text("n") + struct.pack("<Iq", 11, 7)
    file = gguf(
        tmp_path / "m.gguf",
        {"blk.0.up.weight": (8, 256), "norm": (3,)},
        {"blk.0.up.weight": "Q4_K"},
        metadata=words + aligned,
        entries=3,
    )
    found = read(tmp_path)
    assert found.tensors == (StoredTensor("blk.0.up.weight", (8, 256), "Q4_K", 8 * 144), StoredTensor("norm", (3,), "F32", 12))
    assert found.bytes == file.stat().st_size


def one(dtype, shape, begin, end, name="a"):
    return {name: {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}}


HOSTILE = {
    "two of a name": (b'{"a": {}, "a": {}}', 0, "has two tensors named 'a'."),
    "no object": (b"[1, 2]", 0, "is not an object of names."),
    "no JSON": (b"{{", 0, "is not JSON."),
    "no text": (b"\xff\xfe", 0, "is not UTF-8 text."),
    "deep": (b"[" * 100_000, 0, "is not JSON."),
    "long numbers": (b'{"a": ' + b"9" * 10_000 + b"}", 0, "is not JSON."),
    "no keys": ({"a": {"dtype": "F32"}}, 0, "'a' is not described by dtype, shape and data_offsets."),
    "a negative side": (
        one("F32", [-1, 4], 0, 0), 0,
        "'a' has the shape '[-1, 4]', and a shape is at most 16 whole numbers from 0.",
    ),
    "many sides": (one("F32", [1] * 17, 0, 4), 4, "at most 16 whole numbers from 0."),
    "an unknown type": (one("F33", [], 0, 4), 4, "has the number type 'F33'. Did you mean 'F32'?"),
    "beyond the file": (one("F32", [2], 0, 8), 4, "reaches from byte '0' to byte '8', and there are 4."),
    "another length": (one("F32", [2], 0, 4), 4, "has 4 bytes, and its shape and type need 8."),
    "an overlap": (one("F32", [2], 0, 8) | one("F32", [1], 4, 8, "b"), 8, "the bytes of 'b' overlap those of 'a'."),
    "a hole": (one("F32", [1], 4, 8), 8, "the 4 bytes before 'a' belong to no tensor."),
    "an end": (one("F32", [1], 0, 4), 8, "the last 4 bytes belong to no tensor."),
    "a control in a name": (one("F32", [], 0, 4, "a\x1b[2J"), 4, "names are printable text"),
    "a long name": (one("F32", [], 0, 4, "a" * 501), 4, "of 1 to 500 characters."),
    "half a byte": (one("F4", [3], 0, 1), 1, "has 3 numbers, which do not fill whole bytes of F4."),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_header_is_a_line(case, refused):
    content, size, line = HOSTILE[case]
    assert refused(content, size).endswith(line) or line in refused(content, size)


def test_a_length_is_held_against_the_file(tmp_path):
    for length, line in ((1, "says that its header has 1 bytes"), (2**63, "it is cut short"), (3, "it is cut short")):
        file = raw(tmp_path / "a.safetensors", b"{}", 0, length)
        with pytest.raises(CheckpointError, match=line):
            read(file)
    file = raw(tmp_path / "a.safetensors", b"{}", 40 * 2**20, 33 * 2**20)
    with pytest.raises(CheckpointError, match=r"has a header of 34,603,008 bytes, more than the 33,554,432 of any checkpoint"):
        read(file)
    with pytest.raises(CheckpointError, match="has 3 bytes"):
        read(_bytes(tmp_path / "b.safetensors", b"abc"))


def test_half_a_million_tensors_are_refused(refused):
    entry = '"%d":{"dtype":"I8","shape":[],"data_offsets":[0,0]}'
    many = ("{" + ",".join(entry % number for number in range(500_000)) + "}").encode()
    assert refused(many).endswith("/model.safetensors' has more than 300,000 tensors: that is not a checkpoint of a model.")


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read in /proc")
def test_ninety_two_thousand_tensors_take_little_memory(tmp_path):
    shapes = {f"model.layers.{i // 1500}.mlp.experts.{i % 1500}.gate_proj.weight": (2048, 7168) for i in range(92_000)}
    entries, size = header(shapes, "F8_E4M3")
    file = raw(tmp_path / "model.safetensors", json.dumps(entries).encode(), size)
    done = subprocess.run([sys.executable, "-c", READ, str(file)], capture_output=True, check=True, text=True)
    number, kilobytes = map(int, done.stdout.split())
    assert number == 92_000
    assert kilobytes < 200 * 1024


READ = """
import re, sys
from symparams.checkpoints.files import read
print(len(read(sys.argv[1]).tensors), re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1])
"""


def _gguf(number=1, entries=0, rest=b"", version=3):
    return b"GGUF" + struct.pack("<IQQ", version, number, entries) + rest


ROW = text("a") + struct.pack("<IqIQ", 1, 256, 0, 0)
DAMAGED = {
    b"GGML" + bytes(40): "is not a GGUF file.",
    _gguf(version=1): "is GGUF of version 1: versions 2 and 3 are read.",
    _gguf(2**40): "has more than 300,000 tensors",
    _gguf(1, 2**40): "has 1,099,511,627,776 entries of metadata",
    _gguf(1, 0, struct.pack("<Q", 2**60)): "is cut short",
    _gguf(1, 1, text("k") + struct.pack("<IIQ", 9, 8, 2**60)): "has metadata that no checkpoint of a model has.",
    _gguf(1, 1, text("k") + struct.pack("<IIQ", 9, 9, 1)): "has metadata that no checkpoint of a model has.",
    _gguf(1, 1, text("k") + struct.pack("<IIQ", 9, 4, 2**62)): "is cut short",
    _gguf(1, 0, text("a") + struct.pack("<I", 5)): "'a' has 5 sides, and at most 4 are possible.",
    _gguf(1, 0, text("a") + struct.pack("<IqIQ", 1, -1, 0, 0)): "has the shape '(-1,)'",
    _gguf(1, 0, text("a") + struct.pack("<IqIQ", 1, 1, 99, 0)): "has the number type 99, which is not known.",
    _gguf(1, 0, text("a\n") + struct.pack("<IqIQ", 1, 1, 0, 0)): "names are printable text",
    _gguf(1, 0, ROW): "is cut short: 'a' ends after its",
    _gguf(2, 0, ROW + ROW) + bytes(4096): "the bytes of 'a' overlap those of 'a'.",
    _gguf(1, 1, text("general.alignment") + struct.pack("<II", 4, 0) + ROW): "aligns its weights to 0 bytes",
}  # fmt: skip


@pytest.mark.parametrize(("content", "line"), DAMAGED.items(), ids=map(str, range(len(DAMAGED))))
def test_a_damaged_gguf_file_is_a_line(content, line, tmp_path):
    with pytest.raises(CheckpointError) as error:
        read(_bytes(tmp_path / "m.gguf", content))
    assert line in str(error.value)


@pytest.mark.parametrize(("name", "line"), [
    ("pytorch_model.bin", "may be a pickle, which executes code when it is read, so it is not opened"),
    ("model.pt", "may be a pickle"),
    ("tf_model.h5", "is of a format that is not read"),
    ("model.npy.gz", "is not a checkpoint: give a .safetensors or .gguf file"),
    ("model.txt", "is not UTF-8 text"),
    ("absent.safetensors", "No such file or directory"),
    ("a\0b", "is not a checkpoint"),
])  # fmt: skip
def test_what_is_not_opened(name, line, tmp_path):
    if "\0" not in name and "absent" not in name:
        (tmp_path / name).write_bytes(b"\x80\x04.")
    with pytest.raises(CheckpointError, match=line):
        read(tmp_path / name)


def test_a_folder_names_what_it_lacks(tmp_path):
    with pytest.raises(CheckpointError, match="holds no checkpoint"):
        read(tmp_path)
    (tmp_path / "pytorch_model.bin").touch()
    with pytest.raises(CheckpointError, match=r"pytorch_model\.bin' may be a pickle"):
        read(tmp_path)
    for name in ("a.gguf", "b.gguf"):
        (tmp_path / name).touch()
    with pytest.raises(CheckpointError, match=r"holds 2 checkpoints, a\.gguf among them: name one"):
        read(tmp_path)


def _bytes(file, content):
    file.write_bytes(content)
    return file


def test_kinds_of_names_without_end_are_a_line(tmp_path):
    file = safetensors(tmp_path / "model.safetensors", {f"a{place}.weight": (1,) for place in range(3_001)})
    with pytest.raises(CheckpointError, match="has 3,001 kinds of names, and at most 3,000 are compared"):
        verify(load("gpt2"), read(file))
