"""The tree says how data flows as the library's own forward pass has it: its equations, for each family and each switch."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from math import isclose

import pytest

from symparams import load
from symparams.components import Component
from symparams.components.walks import components
from tests.library import require
from tests.library.flow_cases import CASES, Case
from tests.library.oracle import COMPOSITES, built_families

require("torch", "transformers")

from tests.library.flows import look_ahead, measure  # noqa: E402 - asked for above
from tests.library.tiny_models import build, written_config  # noqa: E402

# Their stacks are those of other families, or take the patches of all images as one sequence.
READS_IMAGES = (*COMPOSITES, "pixtral", "sam")


def labelled(family: str, label: str = "") -> Case:
    """The first case of a family that has this label."""
    return next(case for case in CASES if (case.family, case.label) == (family, label))


def block_at(model, path: str) -> Component:
    return reduce(lambda block, name: block.child(name), path.split("."), model.tree)


def test_every_family_of_the_library_is_measured():
    assert {case.family for case in CASES} == set(built_families())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_flow_of_the_tree_is_the_librarys(case):
    """Exactly one sum fits what each part reads; the parts are the tree's, and what the encoder wrote is what is read."""
    model, flow = load(written_config(case)), measure(case).flow
    assert model.flow() == flow
    for path, equations in flow.items():
        assert {name for name, *_ in equations} - {"out"} == {name for name, _ in block_at(model, path).children}


@pytest.mark.parametrize(
    ("name", "alike"),
    [
        ("gpt3", "gpt2"),
        ("transformer", "bart"),
        *((name, "llama") for name in ("baichuan", "internlm2", "chatglm")),
        ("nomic_bert_contrastors", "nomic_bert"),
    ],
)
def test_a_family_that_the_library_does_not_have_flows_as_its_kin(name, alike):
    assert load(name).flow() == measure(labelled(alike)).flow


def test_a_sum_that_is_none_is_refused():
    """Granite adds 0.22 of what its parts give."""
    granite = replace(labelled("granite", "residual_multiplier"), times={})
    with pytest.raises(AssertionError, match="feed_forward_norm reads no sum of x, attention_norm, attention"):
        measure(granite)


def test_a_layer_that_is_applied_more_often_than_it_is_stored():
    assert measure(labelled("albert")).applied == {"encoder": (4,)}
    assert measure(labelled("albert", "num_hidden_groups 2, inner_group_num 2")).applied == {"encoder": (2, 2, 2, 2)}


@pytest.mark.parametrize("case", [case for case in CASES if case.family not in READS_IMAGES], ids=lambda case: case.id)
def test_a_token_sees_what_comes_after_it_where_the_tree_says_so(case):
    model = load(written_config(case))  # the keys of an earlier layer stay as they are
    for path, is_seen in look_ahead(case).items():
        attending = [part.attending for _, part in components(block_at(model, path)) if part.attending]
        own = [facts for facts in attending if not facts.shares][:1]  # before another's
        assert [not facts.causal for facts in own] in ([is_seen], []), path


BEFORE_POSITIONS = {"esm"}  # the root divides the queries before RoPE turns them, and the scores by 1
FACTORS = ("scaling", "scale", "inv_norm_factor", "softmax_scale", "scale_attn")  # the library's names of 1/√d_head


# Of these the factor is no attribute.
UNTOLD = {"deberta", "deberta_v2", "longformer", "mpnet", "modernbert", "gpt_neo", "mamba", "mamba2", "rwkv", "falcon_mamba",
          "convnext", "dinov3_convnext", "gemma4_audio"}  # fmt: skip


def test_scores_are_divided_by_the_square_root_of_d_head_where_the_tree_says_so():
    untold = set()
    for case in {case.family: case for case in reversed(CASES)}.values():
        model = load(written_config(case))
        facts = {part.attending for _, part in components(model.tree) if part.attending}
        modules = [module for module in build(case)[0].modules() if "ttention" in type(module).__name__]
        told = {factor for module in modules for name in FACTORS if isinstance(factor := getattr(module, name, None), float)}
        if not told:
            untold.add(case.family)
        for fact in facts if told and case.family not in BEFORE_POSITIONS else ():
            root = model.evaluate(fact.heads.width) ** 0.5
            is_there = any(isclose(factor, either) for factor in told for either in (root, 1 / root))
            # What is around latent attention's root, or in another model within, is not told apart.
            assert fact.scaled == is_there or fact.latent or (len(facts) > 1 and is_there), case.id
    assert untold == UNTOLD
