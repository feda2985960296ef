"""``symparams discover`` and its Python name, on a small class of the library: its file and its certificate."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import symparams
from symparams import atlas, load
from symparams.answers import discovered_models
from symparams.atlas import configs
from symparams.atlas.facts import Source
from symparams.discovery.library import chosen
from symparams.discovery.observation import Module
from symparams.errors import DiscoveryError
from tests.library import require
from tests.refusals import refusal

require("torch", "transformers")

CONFIG = {"model_type": "xglm", "vocab_size": 1_000, "d_model": 64, "num_layers": 3, "ffn_dim": 128, "attention_heads": 4}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The file of a type, and what was printed beside it."""
    folder = tmp_path_factory.mktemp("discovered")
    return folder / "xglm.py"


def test_the_file_of_a_type_counts_as_the_library_does(cli, written):
    code, out, err = cli(["discover", "xglm", "-o", str(written)])
    assert (code, err) == (0, "")
    said = " ".join(out.split())
    assert said.startswith("This definition was discovered from transformers ")
    assert "The default config has 564,463,616 parameters, as in the library." in said
    assert "xglm has other classes besides XGLMForCausalLM: XGLMModel." in said
    assert load(f"{written}:xglm-default").count() == 564_463_616
    assert load(str(written)).architecture.certificate.number >= 100
    code, out, err = cli("discover XGLMForCausalLM")
    assert (code, out) == (0, written.read_text(encoding="utf-8"))  # the same for a seed
    assert err.startswith("This definition was discovered from transformers ")


def test_a_config_is_counted_as_well(cli, tmp_path):
    file = tmp_path / "ours.json"
    file.write_text(json.dumps(CONFIG), encoding="utf-8")
    code, out, err = cli(["discover", str(file), "--rows", "30", "-o", str(tmp_path / "ours.py")])
    assert (code, err) == (0, "symparams: the config names no class, so this is the base model, XGLMModel\n")
    assert "ours has 164,544 parameters, and the library builds as many from this config." in " ".join(out.split())
    assert load(f"{tmp_path / 'ours.py'}:ours").count() == 164_544


def test_from_python_a_text_names_a_type():
    found = symparams.discover("xglm", rows=30)
    assert str(load(found).closed_form()) == str(
        load({"model_type": "xglm", "architectures": ["XGLMForCausalLM"]}).closed_form()
    )
    assert "'xglm' is built from its own configs: leave out h." in refusal(symparams.discover, "xglm", h=8)


@pytest.fixture
def ours(tmp_path):
    """A config of a discovered type."""
    file = tmp_path / "ours.json"
    file.write_text(json.dumps({**CONFIG, "architectures": ["XGLMModel"]}), encoding="utf-8")
    return str(file)


def test_the_very_config_is_built_and_compared_before_the_answer(cli, mistake, ours, monkeypatch):
    assert cli(["count", ours]) == (0, "164544\n", "")
    monkeypatch.setattr(Module, "count", lambda *_, **__: 5)
    assert "builds 5 parameters from this config, and the definition of XGLMModel gives 164,544" in mistake(["count", ours])
    assert cli(["count", ours, "--no-check"]) == (0, "164544\n", "")


def test_a_config_that_the_library_refuses_is_no_answer(mistake, ours):
    Path(ours).write_text(json.dumps({**CONFIG, "vocab_size": 1}), encoding="utf-8")
    assert "does not build XGLMModel from this config: " in mistake(["derive", ours])


def test_a_config_of_a_discovered_type_is_verified(cli, mistake, ours):
    code, out, _ = cli(["verify", ours])
    assert (code, out.splitlines()[-1]) == (0, "match: True")
    assert "128 × 64                 3          3\n" in out
    assert "write h there, not beside it" in mistake(["verify", ours, "--set", "d_model=32"])


def test_what_the_library_has_otherwise_is_a_difference(cli, ours, monkeypatch):
    found = atlas.entries("xglm")
    entry = found["XGLMModel"]
    doctored = replace(entry, letters={**entry.letters, "d_ff": replace(entry.letters["d_ff"], source=Source("num_layers"))})
    for module in (configs, discovered_models):
        monkeypatch.setattr(module, "entries", lambda _: {"XGLMModel": doctored})
    code, out, _ = cli(["verify", ours])
    assert (code, out.splitlines()[-1]) == (1, "match: False")
    assert "layers.0.fc1.weight" in out


REFUSED = [
    ("discover xglmm", "transformers has no type and no class 'xglmm'. Did you mean 'xglm'"),
    ("discover XGLMForCausal", "transformers has no type and no class 'XGLMForCausal'. Did you mean 'XGLMForCausalLM'"),
    ("discover xglm --rows 3", "--rows '3' is not a number of models: write one from 30 to 10,000."),
    ("discover xglm --seed x", "--seed 'x' is not a seed: write one from 0 to "),
]


def test_what_cannot_be_discovered_is_one_line(mistake):
    for line, says in REFUSED:
        assert says in mistake(line), line


def test_each_part_without_a_form_has_a_line_and_no_file_is_written(cli, monkeypatch, tmp_path):
    def make(*_, **__):
        raise DiscoveryError(
            "XGLMModel: No form was found for 2 of its parts: the number of layers.*.mlp, 0, 1; up.weight of shape (8, 4)."
        )

    monkeypatch.setattr(chosen, "make", make)
    assert cli(["discover", "XGLMModel", "-o", str(tmp_path / "x.py")]) == (
        2,
        "",
        "symparams: XGLMModel: No form was found for 2 of its parts:\n"
        "    the number of layers.*.mlp, 0, 1\n"
        "    up.weight of shape (8, 4)\n",
    )
    assert not [*tmp_path.iterdir()]
