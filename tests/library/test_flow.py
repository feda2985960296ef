"""The tree says how data flows as the library's own forward pass has it: its equations, for each family and each switch."""

from __future__ import annotations

from dataclasses import replace
from math import isclose

import pytest

from symparams import load
from symparams.components.walks import components
from symparams.models.library import families
from tests.library import require
from tests.library.flow_cases import CASES, LLAMA, Case

require("torch", "transformers")
pytestmark = pytest.mark.filterwarnings("ignore")  # what the library warns of is its own


def labelled(family: str, label: str = "") -> Case:
    """The first case of a family that has this label."""
    return next(case for case in CASES if (case.family, case.label) == (family, label))


def test_every_family_of_the_library_is_measured():
    assert {case.family for case in CASES} == set(families())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_flow_of_the_tree_is_the_librarys(case):
    """Exactly one sum fits what each part reads; the parts are the tree's, and what the encoder wrote is what is read."""
    from tests.library.flows import measure
    from tests.library.tiny_models import written_config

    model, flow = load(written_config(case)), measure(case).flow
    assert model.flow() == flow
    for path, equations in flow.items():
        block = model.tree
        for name in path.split("."):
            block = block.child(name)
        assert {name for name, *_ in equations} - {"out"} == {name for name, _ in block.children}


@pytest.mark.parametrize(("name", "alike"), [("gpt3", labelled("gpt2")), ("transformer", labelled("bart"))])
def test_a_family_that_the_library_does_not_have_flows_as_its_descendant(name, alike):
    from tests.library.flows import measure

    assert load(name).flow() == measure(alike).flow


@pytest.mark.parametrize(
    ("case", "path", "equations"),
    [
        (
            labelled("llama"),
            "decoder",
            [
                ("attention_norm", ("x",)),
                ("attention", ("attention_norm",)),
                ("feed_forward_norm", ("x", "attention")),
                ("feed_forward", ("feed_forward_norm",)),
                ("out", ("x", "attention", "feed_forward")),
            ],
        ),
        (
            labelled("gpt_neox"),
            "decoder",
            [
                ("attention_norm", ("x",)),
                ("attention", ("attention_norm",)),
                ("feed_forward_norm", ("x",)),
                ("feed_forward", ("feed_forward_norm",)),
                ("out", ("x", "attention", "feed_forward")),
            ],
        ),
        (
            labelled("bart"),
            "decoder",
            [
                ("attention", ("x",)),
                ("attention_norm", ("x", "attention")),
                ("cross_attention", ("attention_norm",), "encoder"),
                ("cross_attention_norm", ("attention_norm", "cross_attention")),
                ("feed_forward", ("cross_attention_norm",)),
                ("feed_forward_norm", ("cross_attention_norm", "feed_forward")),
                ("out", ("feed_forward_norm",)),
            ],
        ),
    ],
    ids=["pre-norm", "side by side", "post-norm"],
)
def test_the_equations_of_a_textbook_are_found(case, path, equations):
    from tests.library.flows import measure

    assert measure(case).flow[path] == equations


def test_a_sum_that_is_none_is_refused():
    """Granite adds 0.22 of what its parts give."""
    from tests.library.flows import measure

    granite = replace(labelled("granite", "residual_multiplier"), times={})
    with pytest.raises(AssertionError, match="feed_forward_norm reads no sum of x, attention_norm, attention"):
        measure(granite)


def test_a_layer_that_is_applied_more_often_than_it_is_stored():
    from tests.library.flows import measure

    assert measure(labelled("albert")).applied == {"encoder": (4,)}
    assert measure(labelled("albert", "num_hidden_groups 2, inner_group_num 2")).applied == {"encoder": (2, 2, 2, 2)}


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (Case("mistral", "MistralModel", settings=LLAMA | {"sliding_window": 4}), "3 × causal, window 4"),
        (labelled("gpt_neo"), "1 × causal, 1 × causal, window 4, 1 × causal, 1 × causal, window 4"),
        (labelled("bert"), "3 × both ways"),
        (labelled("bert", "is_decoder"), "3 × causal"),
        (labelled("clip_text_model"), "3 × causal"),
        (labelled("gemma3_text"), "2 × causal, window 4, 1 × causal, 2 × causal, window 4, 1 × causal"),
    ],
    ids=lambda value: getattr(value, "id", None),
)
def test_what_a_token_sees(case, expected):
    """A window counts the token itself."""
    from tests.library.flows import described, sees

    (sights,) = sees(case).values()
    assert described(sights) == expected


FACTORS = ("scaling", "scale", "inv_norm_factor", "softmax_scale", "scale_attn")  # the library's names of 1/√d_head


def test_scores_are_divided_by_the_square_root_of_d_head_where_the_tree_says_so():
    from tests.library.tiny_models import build, written_config

    untold = set()
    for case in {case.family: case for case in reversed(CASES)}.values():
        model = load(written_config(case))
        facts = {part.attending for _, part in components(model.tree) if part.attending}
        modules = [module for module in build(case)[0].modules() if "ttention" in type(module).__name__]
        told = {factor for module in modules for name in FACTORS if isinstance(factor := getattr(module, name, None), float)}
        if not told:
            untold.add(case.family)
        for fact in facts if told else ():
            root = model.evaluate(fact.heads.width) ** 0.5
            is_there = any(isclose(factor, either) for factor in told for either in (root, 1 / root))
            # What is around latent attention's root, or in another model within, is not told apart.
            assert fact.scaled == is_there or fact.latent or (len(facts) > 1 and is_there), case.id
    assert untold == {"deberta_v2", "modernbert", "gpt_neo", "mamba", "mamba2", "falcon_mamba"}  # it is no attribute there
