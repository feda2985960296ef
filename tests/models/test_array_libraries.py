"""numpy, dask and jax give the same integers. Needs the extra ``arrays``: jax alone takes half a gigabyte."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from symparams import load
from symparams.errors import DimensionError
from tests.strategies import models

pytestmark = pytest.mark.arrays
EDGE = 253083196  # the largest h of gpt2 whose count 64 bits hold


@pytest.fixture(scope="module")
def da():
    return pytest.importorskip("dask.array")


@pytest.fixture(scope="module")
def jax():
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    return jax


@settings(max_examples=25)
@given(model=models())
def test_the_same_integers_for_every_family(model, da, jax):
    function = model.function()
    given = {name: np.array([1, 2, 3, 7]) for name in function.arguments[:3]}
    try:
        known = function(**given)
    except DimensionError:  # h / n_heads
        given = {name: np.full(4, model.values[function.taken[name]]) for name in given}
        known = function(**given)
    lazy = function(**{name: da.from_array(value, chunks=2) for name, value in given.items()})
    assert isinstance(lazy, da.Array)
    assert np.array_equal(lazy.compute(), known)
    concrete = function(**{name: jax.numpy.asarray(value) for name, value in given.items()})
    assert isinstance(concrete, jax.Array)
    assert concrete.dtype == np.int64
    assert (
        concrete.tolist() == known.tolist() == [function(**{name: value[i] for name, value in given.items()}) for i in range(4)]
    )


def test_mixtures_broadcast(da):
    function = load("gpt2").function()
    h, L = np.arange(60, 301, 60), np.arange(1, 4)[:, None]
    assert np.array_equal(function(h=da.from_array(h, chunks=2), L=L).compute(), function(h=h, L=L))
    chunked = {"h": da.from_array(h, chunks=2), "L": da.from_array(np.arange(1, 6), chunks=3)}
    assert np.array_equal(function(**chunked).compute(), function(h=h, L=np.arange(1, 6)))


def test_dask_refuses_when_it_computes(da):
    function = load("gpt2").function(check_relations=False)
    assert function(h=da.from_array(np.array([5, EDGE]), chunks=1)).compute().tolist() == [function(h=5), function(h=EDGE)]
    beyond = function(h=da.from_array(np.array([5, EDGE + 1]), chunks=1))
    assert beyond[:1].compute().tolist() == [function(h=5)]
    with pytest.raises(DimensionError, match=r"2\^63 - 1"):
        beyond.compute()
    with pytest.raises(DimensionError, match="float64"):
        function(h=da.ones(3))


@pytest.mark.parametrize("library", ["dask.array", "jax.numpy"])
def test_shapes_that_do_not_broadcast_are_refused_at_once(library):
    array = pytest.importorskip(library).asarray
    if library == "jax.numpy":
        pytest.importorskip("jax").config.update("jax_enable_x64", True)
    with pytest.raises(DimensionError, match=r"^These shapes do not broadcast: h \(3,\), L \(2,\)\.$"):
        load("gpt2").function(check_relations=False)(h=array(np.arange(1, 4)), L=array(np.arange(1, 3)))


def test_a_length_that_dask_does_not_know_yet(da):
    function, h = load("gpt2").function(check_relations=False), da.from_array(np.arange(1, 10), chunks=3)
    assert function(h=h[h > 6], L=da.from_array(np.array([3]))).compute().tolist() == [function(h=i, L=3) for i in (7, 8, 9)]


def test_jax_has_no_room_for_python_integers(jax):
    with pytest.raises(DimensionError, match="L holds Python integers, which jax does not support"):
        load("gpt2").function(check_relations=False)(h=jax.numpy.asarray([768]), L=np.array([10**30], dtype=object))


def test_jax_at_the_edge_traced_and_in_32_bits(jax):
    function = load("gpt2").function(check_relations=False)
    assert function(h=jax.numpy.asarray([EDGE])).tolist() == [function(h=EDGE)]
    with pytest.raises(DimensionError, match=r"2\^63 - 1"):
        function(h=jax.numpy.asarray([EDGE + 1]))
    with pytest.raises(DimensionError, match="h is traced"):
        jax.jit(lambda h: function(h=h))(jax.numpy.asarray([768]))
    jax.config.update("jax_enable_x64", False)
    try:
        with pytest.raises(DimensionError, match="jax computes in 32 bits here"):
            function(h=jax.numpy.asarray([768]))
    finally:
        jax.config.update("jax_enable_x64", True)
