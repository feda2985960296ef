"""A sample of the atlas against the library: what is counted without it is what it builds, or is refused."""

from dataclasses import replace
from random import Random

import pytest

from symparams import atlas
from symparams.atlas import configs
from symparams.expressions.nodes import Number
from tests.library import require

require("torch", "transformers")

from transformers import __version__  # noqa: E402 - asked for above

from tests.library.atlas import judge, smallest, verdicts  # noqa: E402
from tests.library.atlas_configs import Subject  # noqa: E402

MOST, CONFIGURATIONS = 40, 6
SEED = Random(__version__)  # noqa: S311 - others with each release
KINDS = sorted(SEED.sample(atlas.kinds(), min(MOST, len(atlas.kinds()))))


@pytest.mark.parametrize("kind", KINDS)
def test_no_count_is_wrong(kind):
    name = Random(f"{__version__} {kind}").choice(list(atlas.entries(kind)))  # noqa: S311
    wrong = [str(verdict) for verdict in verdicts(Subject(kind, name), CONFIGURATIONS, __version__) if verdict.word == "wrong"]
    assert not wrong, "\n".join(wrong)


def test_a_wrong_count_is_found_and_its_config_shortened(monkeypatch):
    [name, entry, *_] = next(iter(atlas.entries("xglm").items()))
    letter = replace(entry.letters["d_ff"], usual=Number(4095))
    doctored = {name: replace(entry, letters={**entry.letters, "d_ff": letter})}
    monkeypatch.setattr(configs, "entries", lambda _: doctored)
    config = {"model_type": "xglm", "architectures": [name], "num_layers": 2, "d_model": 64, "use_cache": False}
    verdict = judge(Subject("xglm", name), config)
    assert verdict.word == "wrong"
    assert smallest(verdict).config == {"model_type": "xglm", "architectures": [name]}
