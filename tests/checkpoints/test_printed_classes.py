"""Every class of ``printed.toml``, built small: what is read of its text is what it has."""

from __future__ import annotations

import ast
import inspect
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import islice
from pathlib import Path

import pytest

from symparams.checkpoints.printed import checkpoint_of
from symparams.checkpoints.printed_classes import classes

pytestmark = [pytest.mark.library, pytest.mark.filterwarnings("ignore")]
AFFINE = [((4,), {}), ((4,), {"affine": False}), ((4,), {"track_running_stats": False})]
RECURRENT = [((4, 6), {}), ((4, 6), {"num_layers": 3, "bidirectional": True, "dropout": 0.5}), ((4, 6), {"bias": False})]
CELL = [((4, 6), {}), ((4, 6), {"bias": False})]
CONVOLUTION = [((4, 8, 3), {}), ((4, 8, 3), {"groups": 2, "bias": False, "stride": 2, "padding": 1, "dilation": 2})]
CASES = {  # arguments of the classes whose arguments tell their arrays
    "Linear": [((4, 6), {}), ((4, 6), {"bias": False})],
    "NonDynamicallyQuantizableLinear": [((4, 6), {})],
    "Bilinear": [((4, 5, 6), {}), ((4, 5, 6), {"bias": False})],
    "Embedding": [((9, 4), {}), ((9, 4), {"padding_idx": 0, "max_norm": 1.0, "scale_grad_by_freq": True, "sparse": True})],
    "EmbeddingBag": [((9, 4), {}), ((9, 4), {"mode": "sum"})],
    "LayerNorm": [((4,), {}), (((2, 3),), {"bias": False}), ((4,), {"elementwise_affine": False})],
    "RMSNorm": [((4,), {}), (((2, 3),), {"elementwise_affine": False})],
    "GroupNorm": [((2, 4), {}), ((2, 4), {"affine": False}), ((2, 4), {"bias": False})],
    "BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm": AFFINE,
    "InstanceNorm1d InstanceNorm2d InstanceNorm3d": [AFFINE[0], ((4,), {"affine": True})],
    "Conv1d Conv2d Conv3d": [*CONVOLUTION, ((4, 8, 3), {"padding_mode": "reflect", "padding": "same"})],
    "ConvTranspose1d ConvTranspose2d ConvTranspose3d": [*CONVOLUTION, ((4, 8, 3, 2), {"output_padding": 1})],
    "RNN": [*RECURRENT, ((4, 6), {"nonlinearity": "relu"})],
    "GRU": RECURRENT,
    "LSTM": [*RECURRENT, ((4, 6), {"proj_size": 2, "num_layers": 2, "bidirectional": True, "batch_first": True})],
    "RNNCell": [*CELL, ((4, 6), {"nonlinearity": "relu"})],
    "GRUCell": CELL,
    "LSTMCell": CELL,
    "PReLU": [((), {}), ((4,), {})],
    "ParameterList ParameterDict": [((), {})],
}
OF_TORCH = {name: cases for names, cases in CASES.items() for name in names.split()}
EMPTY_OF_TORCH = {  # arguments of the classes without parameters, where they need some
    "Unflatten": (1, (2, 3)), "Threshold": (1, 2), "Fold": (4, 2), "Unfold": (2,), "PixelShuffle": (2,), "PixelUnshuffle": (2,),
    "ChannelShuffle": (2,), "TransformerEncoderLayer": (8, 2), "TransformerDecoderLayer": (8, 2), "Transformer": (8, 2, 1, 1),
    **{f"{what}Pool{n}d": (2,) for what in ("Max", "Avg", "AdaptiveAvg", "AdaptiveMax") for n in (1, 2, 3)},
    **{f"{what}Pad{n}d": (1,) for what in ("Zero", "Reflection", "Replication") for n in (1, 2)},
    **{f"ConstantPad{n}d": (1, 0.0) for n in (1, 2)},
}  # fmt: skip
GUESSES = ((9, 8), (9, 8, 0), (8,), (4, 8, 3), (4, 8, 3, 1), (2, 8), ())  # arguments that some class of the library takes
OF_NORMS = {"normalized_shape": ((8,), ((8,),)), "num_channels": ((2, 4), (4,))}  # which take no sizes beside these
ASSIGNED = {"nn.Parameter", "torch.nn.Parameter", "Parameter", "nn.parameter.Parameter"}


def is_read(module) -> bool:
    """True if the arrays that the text of a module tells are those that it has itself."""
    told = checkpoint_of(f"Net(\n(x): {module}\n(y): Linear(in_features=1, out_features=1, bias=True)\n)", "").tensors[:-2]
    shapes = {tensor.name.removeprefix("x."): tensor.shape for tensor in told if not tensor.is_buffer}
    buffers = {tensor.name.removeprefix("x."): tensor.shape for tensor in told if tensor.is_buffer}
    stored = {name: tuple(array.shape) for name, array in module.named_buffers() if name in module.state_dict()}
    is_batch = not buffers or buffers == stored
    return shapes == {name: tuple(array.shape) for name, array in module.named_parameters(remove_duplicate=False)} and is_batch


@cache
def sources() -> dict[str, list[str]]:
    """The modules of transformers that define each class."""
    transformers = pytest.importorskip("transformers")
    root = Path(transformers.__file__).parent
    found = defaultdict(list)
    for file in sorted(root.rglob("*.py")):
        if not file.name.startswith(("modular_", "convert_", "dummy_")):
            for name in re.findall(r"^class (\w+)\(", file.read_text(), re.MULTILINE):
                found[name].append(".".join(file.relative_to(root.parent).with_suffix("").parts))
    return found


def of_library(name: str) -> Iterator[type]:
    """The classes of transformers of a name."""
    assert sources()[name], name
    for module in sources()[name]:
        yield getattr(import_module(module), name)


def configs(kind: type) -> Iterator[object]:
    """Configs of the module in which a class stands, that of its argument first."""
    import transformers

    module = import_module(kind.__module__)
    named = [parameter.annotation for parameter in inspect.signature(kind).parameters.values()]
    for config in (*named, *vars(module).values()):
        if isinstance(config, type) and issubclass(config, transformers.PretrainedConfig):
            yield from attempts(config, ())


def attempts(kind: type, *inputs: tuple[object, ...]) -> Iterator[object]:
    """What a class makes of some of these arguments."""
    for arguments in inputs:
        try:
            made = kind(*arguments)
            str(made)
        except Exception:  # noqa: BLE001, S112 - a class takes only some of the guesses
            continue
        yield made


def built(kind: type, *guesses: tuple[object, ...]) -> list[object]:
    """A class of transformers, built small in each way that it takes, of these guesses or all; else of a config."""
    import torch

    with torch.device("meta"):
        if modules := list(attempts(kind, *(guesses or GUESSES))):
            return modules
        of_configs = (made for config in configs(kind) for made in attempts(kind, (config,), (config, 0)))
        return list(islice(of_configs, 1))


def test_arguments_of_torch_tell_the_arrays():
    torch = pytest.importorskip("torch")
    names = {name: kind for name, kind in classes().kinds.items() if hasattr(torch.nn, name)}
    assert names.keys() <= OF_TORCH.keys()
    for name, cases in OF_TORCH.items():
        module = torch.nn if hasattr(torch.nn, name) else torch.nn.modules.linear
        for inputs, options in cases:
            built_module = getattr(module, name)(*inputs, **options)
            assert is_read(built_module), built_module


def test_arguments_of_transformers_tell_the_arrays():
    torch = pytest.importorskip("torch")
    for name in sorted(classes().kinds.keys() - OF_TORCH.keys()):
        told = classes().kinds[name].types
        guesses = next((guesses for argument, guesses in OF_NORMS.items() if argument in told), ())
        for kind in of_library(name):
            modules = [module for module in built(kind, *guesses) if isinstance(module, torch.nn.Module)]
            assert modules, kind
            assert all(map(is_read, modules)), (kind, modules)


def test_empty_classes_have_no_parameters_of_their_own():
    torch = pytest.importorskip("torch")
    for name in sorted(classes().empty):
        if hasattr(torch.nn, name):
            kind = getattr(torch.nn, name)
            inner = {"TransformerEncoder": "EncoderLayer", "TransformerDecoder": "DecoderLayer"}.get(name)
            inputs = (getattr(torch.nn, f"Transformer{inner}")(8, 2), 1) if inner else EMPTY_OF_TORCH.get(name, ())
            assert not dict(kind(*inputs).named_parameters(recurse=False)), name
            continue
        for kind in of_library(name):
            modules = built(kind)
            assert modules, kind
            assert not any(dict(module.named_parameters(recurse=False)) for module in modules), kind


def test_classes_with_parameters_of_their_own_make_them():
    """Or the class from which they come does."""
    torch = pytest.importorskip("torch")
    for name in sorted(classes().unprinted):
        kinds = [getattr(torch.nn, name)] if hasattr(torch.nn, name) else list(of_library(name))
        assert any(makes_parameters(base) for kind in kinds for base in kind.__mro__ if base is not torch.nn.Module), name


def makes_parameters(kind: type) -> bool:
    """True if a method of a class assigns a parameter."""
    if kind is object:
        return False
    try:
        tree = ast.parse(inspect.cleandoc("\n" + inspect.getsource(kind)))
    except (OSError, TypeError, SyntaxError):
        return False
    calls = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return not calls.isdisjoint({*ASSIGNED, "self.register_parameter"})
