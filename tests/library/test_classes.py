"""Every class of the library's modules for our families is read, or stands here with the reason why it is not."""

from __future__ import annotations

import importlib
import inspect

import pytest

from symparams.architectures import architecture
from symparams.models.library import families, library
from tests.library import require

require("torch", "transformers")

ABSTRACT = ("PreTrainedModel", "PretrainedModel", "PretrainedBartModel")
TEXT_ALONE = "it is of another model_type (qwen2_vl_text, qwen2_5_vl_text), the text model alone, which is no family here"
NOT_READ = {"Qwen2VLTextModel": TEXT_ALONE, "Qwen2_5_VLTextModel": TEXT_ALONE}


def read() -> set[str]:
    """The classes that our tables know."""
    return {name for family in families() for name in library(architecture(family)).classes}


def public(family: str) -> set[str]:
    """The models that the library exports from the module of a family's classes, abstract ones aside.

    What it does not export, as T5Stack, is a part of a class that it does.
    """
    import transformers

    known = library(architecture(family))
    assert known is not None
    module = importlib.import_module(getattr(transformers, known.base).__module__)
    return {
        name
        for name, kind in vars(module).items()
        if inspect.isclass(kind) and issubclass(kind, transformers.PreTrainedModel) and hasattr(transformers, name)
        if not name.endswith(ABSTRACT)
    }


@pytest.mark.parametrize("family", families())
def test_every_public_class_is_read(family):
    assert public(family) - read() - set(NOT_READ) == set()


def test_what_is_not_read_is_there_and_no_longer_listed_when_it_is_read():
    assert set(NOT_READ) & read() == set()
    assert set(NOT_READ) <= set().union(*map(public, families()))
