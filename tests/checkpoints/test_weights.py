"""A file of weights by itself: how many parameters it stores, in how many bits, to the byte."""

from __future__ import annotations

import json

import pytest

from tests.checkpoints.writing import gguf, safetensors
from tests.formats.test_json import violations

SHAPES = {"token_embd.weight": (10, 256), "blk.0.up.weight": (4, 256), "blk.1.up.weight": (4, 256), "rope_freqs.weight": (2,)}
MEMORY = """\
Number type  Tensors  Numbers  Bits a number  Bytes
───────────  ───────  ───────  ─────────────  ─────
Q6_K               1    2,560         ≈ 6.56  2,100
Q4_K               2    2,048            4.5  1,152
F32                1        2             32      8
headers                                         292
all files          4                          3,552

The 4,608 parameters take 3,252 bytes, ≈ 5.65 bits each.
"""
SHOWN = """\
Tensor             Number     Shape  Number type  Bytes
─────────────────  ──────  ────────  ───────────  ─────
token_embd.weight       1  10 × 256  Q6_K         2,100
blk.*.up.weight         2   4 × 256  Q4_K         1,152
rope_freqs.weight       1         2  F32              8
all files               4                         3,552
"""


@pytest.fixture
def file(tmp_path):
    types = {"token_embd.weight": "Q6_K", "blk.0.up.weight": "Q4_K", "blk.1.up.weight": "Q4_K"}
    return gguf(tmp_path / "model.gguf", SHAPES, types)


def test_a_file_is_counted_and_measured(file, cli):
    assert cli(f"count {file}") == (0, "4608\n", "symparams: buffers, scales and zero points are not counted\n")
    assert cli(f"memory {file}").out == MEMORY
    assert cli(f"show {file}").out == SHOWN


def test_a_file_as_data(file, cli):
    data = json.loads(cli(f"count {file} --json").out)
    assert violations(data) == []
    assert (data["value"], data["bytes"]["total"], data["types"][1]["bits"]) == (4608, file.stat().st_size, "9/2")


def test_packed_numbers_are_counted_where_their_scales_and_zeros_tell_their_shape(tmp_path, cli):
    shapes = {"a.qweight": (16, 8), "a.qzeros": (2, 1), "a.scales": (2, 8), "a.g_idx": (128,)}
    types = dict.fromkeys(shapes, "I32") | {"a.scales": "F16"}
    packed = safetensors(tmp_path / "model.safetensors", shapes, dtypes=types)
    assert cli(f"count {packed}").out == f"{128 * 8}\n"


def test_what_a_file_cannot_tell(file, tmp_path, mistake):
    packed = safetensors(tmp_path / "model.safetensors", {"a.qweight": (2, 4), "a.scales": (1, 4)}, "I32")
    assert mistake(f"count {packed}").startswith(
        "'a.qweight' holds I32, of which each may be several parameters: name the model"
    )
    assert mistake(f"count {file} --set h=8").startswith("No known family has just the tensors of ")
    pickle = tmp_path / "model.bin"
    pickle.touch()
    assert mistake(f"derive {pickle}").endswith("holds weights, and a count starts from sizes: give the config.json beside it.")
