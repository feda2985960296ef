"""The page's runtime, in JavaScript, says what Python says: counts, closed forms, errors, MathML and LaTeX."""

from __future__ import annotations

import json
import re
from random import Random
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symparams import derive, derive_expression, load
from symparams.architectures import architecture
from symparams.expressions.closed_form import as_written, multiply_out
from symparams.expressions.factoring import factored
from symparams.expressions.notation import NOTATIONS
from symparams.expressions.printing.latex import LatexPrinter
from symparams.expressions.printing.mathml import MathmlPrinter, halves
from symparams.models.blocks import MOST_EXPANDED
from symparams.pages.data import as_json
from symparams.pages.features import FeatureSwitches
from symparams.pages.pool import Formulas, PlaceTable
from symparams.pages.presets import presets
from symparams.sheets.catalogue import catalogue
from tests.pages.cases import (
    FAMILIES,
    SWEPT,
    WORDS,
    Setting,
    alone,
    answer_of,
    content_of,
    differences,
    measured,
    page_of,
    setting,
    sizes_fixed,
)
from tests.sweeps import swept

pytestmark = pytest.mark.xdist_group("page")
LARGE = 10**39 + 7

# A published model, what is typed over its sizes, which of its parts are ticked or not ticked any more.
SETTINGS = [
    ("bert-base-uncased", "", ""),
    ("bert-base-uncased", "d_ff=3000", "pooler mlm_head"),  # a relation that a value breaks
    ("bert-base-uncased", "h=1024 n_heads=16", "biases segment_embeddings"),
    ("bert-base-uncased", "h=64*n_heads n_heads=2**4/2 d_ff=h*(3-1)", "mlm_head tying"),
    ("bert-base-uncased", "V= L=", "nsp_head mlm_head"),  # symbols and numbers
    ("bert-base-uncased", f"V={LARGE} max_pos={LARGE} h=64 n_heads=1", "pooler"),
    ("bert", "", "pooler biases"),
    ("bert-base-uncased", "h=770", ""),  # which twelve heads do not divide
    ("bert-base-uncased", "h=d_ff d_ff=h", ""),
    ("bert-base-uncased", "L=0", ""),
    ("bert-base-uncased", "V=10**20*10**20", ""),  # 41 digits
    ("bert-base-uncased", "d_ff=10**38*h", ""),
    ("bert-base-uncased", "V=1e5h", ""),
    ("bert-base-uncased", "d_head=60", ""),
    ("llama-3-8b", "", ""),
    ("llama-3-8b", "n_kv_heads= d_ff=4*h", "tying"),  # as many as there are heads
    ("llama-3-8b", "d_head=96", "attention_bias"),
    ("llama-3-8b", "n_kv_heads=7", ""),
    ("mixtral-8x7b", "", ""),
    ("mixtral-8x7b", "n_experts=4 L=h/64", "tying"),
    ("mixtral-8x7b", "n_active=9", ""),  # of eight experts
    ("t5-small", "", ""),
    ("t5-small", "d_head=32 L_dec=3", "tying gated_feed_forward"),
    ("mamba-130m", "", ""),
    ("bert-base-uncased", "V=30528 d_ff=V/L**2", ""),  # a square below, of which the formulas have one L
    ("mamba-130m", "expand=3 d_state=", "tying"),
    ("mamba-130m", "h=10**15 expand=10**25", ""),  # of which d_inner has 41 digits
    ("vit-base-patch16-224", "", "pooler"),
    ("vit-base-patch16-224", "patch=15", ""),  # 224 pixels are no whole number of patches
]


@pytest.mark.parametrize("family", swept({load(row[0]).family: row for row in SETTINGS}, FAMILIES))
def test_the_runtime_says_what_python_says(worked_out, family):
    chosen = [setting(*row) for row in SETTINGS if load(row[0]).family == family]
    for case, answer in zip(chosen, worked_out(family, *(case.asked for case in chosen)), strict=True):
        assert differences(answer, answer_of(case)) == {}, case
        assert not answer["fault"] or answer["about"], "a fault stands at its field"
        if case.given and answer["count"]:  # the whole sheet, by its blocks
            values = case.load().values
            letters = derive_expression(answer["blocks"]).subject.dimensions
            named = {letter.name: values[letter] for letter in letters}
            assert str(derive_expression(answer["blocks"], **named).total.value) == answer["count"], case


@st.composite
def drawn(draw, family):
    """Any parts; sizes that agree, or small ones that rarely do, among them texts that are no size."""
    model, is_wild, heads = load(family), draw(st.booleans()), draw(st.sampled_from((1, 2, 4, 8)))
    agreeing = st.integers(1, 10**25).map(lambda number: str(64 * heads * number))
    size = st.sampled_from(("2", "4", "16", "64", "x", "4*", "²", "__proto__", "12 12")) if is_wild else agreeing
    known = model.architecture.known
    names = [dimension.name for dimension in model.architecture.dimensions if dimension not in known or draw(st.booleans())]
    typed = {name: str(heads) if "heads" in name and not is_wild else draw(size) for name in names}
    switches = FeatureSwitches.of(model)
    return Setting(family, typed, sorted(switches.present(draw(st.integers(0, (1 << switches.number) - 1)))))


@settings(max_examples=20)
@given(case=st.one_of(drawn("llama"), drawn("mamba")))
def test_so_it_does_of_any_parts_and_sizes(worked_out, case):
    [answer] = worked_out(case.family, case.asked)
    assert differences(answer, answer_of(case)) == {}


@pytest.mark.parametrize("family", swept((*FAMILIES, *SWEPT), FAMILIES))
def test_a_page_works_out_the_published_models_of_its_family(worked_out, family):
    """The first and the last of them, each quantity; the switches of a family's page are all on, and all off, too."""
    page, model = page_of(family), load(family)
    typed = {"b": "3", "s": "128", "t": "128", "s_src": "64", "r": "4"}
    published = [own for own in page["presets"] if own["target"] in architecture(family).models]
    asked, expected = [], []
    for own in (published[0], published[-1]):
        chosen = load(own["target"])
        of_each = [(each["name"], each["inputs"], each["options"]) for each in page["quantities"]]
        for quantity, letters, options in [("parameters", [], []), *of_each]:
            names = [letter[0] for letter in letters]
            inputs = {name: typed[name] for name in names if name in typed and name not in sizes_fixed(chosen)}
            asked.append({"given": own["held"] | inputs, "on": own["on"], "own": own, "quantity": quantity})
            usual = {name: default or own["type"] or "bf16" for name, _, _, default, _ in options}
            count = str(chosen.count()) if quantity == "parameters" else measured(chosen, quantity, inputs | usual)[0]
            expected.append((own["target"], quantity, count))
    answers = worked_out(family, *asked)
    assert [(*row[:2], answer["count"]) for row, answer in zip(expected, answers, strict=True)] == expected
    switches = FeatureSwitches.of(model)
    for chosen in ((1 << switches.number) - 1, 0):
        case = Setting(family, published[0]["held"], sorted(on := switches.present(chosen)))
        [answer] = worked_out(family, case.asked)
        assert differences(answer, answer_of(case)) == {}, on


INPUTS = [
    ("llama-3-8b", "kv_cache", "b=1 t=4096 e=2", ""),
    ("llama-3-8b", "kv_cache", "b=2 t=0 e=1", ""),
    ("llama-3-8b", "kv_cache", "b=1 t=4*h e=2", ""),
    ("llama-3-8b", "kv_cache", "b=1 t=-1", "t = '-1' must be a positive integer: t counts something."),
    ("llama-3-8b", "forward_flops", "b=2 s=128 t=64", ""),
    ("mixtral-8x7b", "forward_flops", "b=1 s=100000 t=0", ""),
    ("mixtral-8x7b", "kv_cache", "b=1 t=100000 e=2", ""),
    ("t5-small", "training_flops", "b=2 s=7 s_src=1000", ""),
    ("t5-small", "kv_cache", "b=2 t=7 s_src=0 e=4", ""),
    ("mamba-130m", "weight_memory", "e=4", ""),
]


def test_the_inputs_of_a_quantity_are_python_s(worked_out):
    for target, quantity, typed, said in INPUTS:
        case, inputs = setting(target), dict(text.split("=") for text in typed.split())
        [answer] = worked_out(case.family, {"given": case.given | inputs, "on": case.on, "quantity": quantity})
        count, fault = measured(case.load(), quantity, inputs)
        assert (answer["count"], answer["fault"] or "", fault or "") == (count, said, said), typed
    case = setting("llama-3-8b")  # an input that was emptied has no value
    for typed, missing in (({"b": "", "t": "", "e": ""}, ["b", "t", "e"]), ({"b": "1", "e": "2", "t": ""}, ["t"])):
        [answer] = worked_out("llama", {"given": case.given | typed, "on": case.on, "quantity": "kv_cache"})
        assert (answer["count"], answer["missing"]) == (None, missing)


@pytest.mark.parametrize(
    ("family", "times"),
    [*((name, 1) for name in FAMILIES), *(pytest.param(name, 6, marks=pytest.mark.sweep) for name in (*FAMILIES, *SWEPT))],
)
def test_every_quantity_is_python_s_in_any_sizes(worked_out, family, times):
    """Layers, sequences, number types and choices at random, 1 among them, where nothing is copied along a letter."""
    page, chance = page_of(family), Random(family)  # noqa: S311 - sizes that are the same each time
    published = [own for own in page["presets"] if own["target"] in architecture(family).models]
    asked, expected = [], []
    for quantity in page["quantities"] * times:
        own = chance.choice(published)
        layers = {name: str(chance.randint(1, 9)) for name in own["held"] if name in ("L", "L_enc", "L_dec")}
        model = load(own["target"], **layers)
        names = [name for name, place, *_ in quantity["inputs"] if place < 0 and name != "e"]
        given = {name: str(chance.choice((1, 1, 2, 3, 40, 1000))) for name in names if name not in ("t", "s_src")}
        given |= {name: str(chance.choice((1, 7, 5000))) for name in names if name in ("t", "s_src")}
        given |= {name: chance.choice(values) for name, _, values, _, _ in quantity["options"]}
        asked.append({"given": own["held"] | layers | given, "on": own["on"], "own": own, "quantity": quantity["name"]})
        expected.append((own["target"], quantity["name"], given, measured(model, quantity["name"], given)[0]))
    answers = worked_out(family, *asked)
    assert [(*row[:3], answer["count"]) for row, answer in zip(expected, answers, strict=True)] == expected


EXAMPLES = {
    "llama-3-8b": [("kv_cache", "b=1 t=8192"), ("kv_cache", "b=3 t=5 dtype=fp8")],  # its context, its number type
    "t5-small": [("training_flops", "b=1 s=2048 s_src=2048")],  # nobody says how long
    "whisper-tiny": [("kv_cache", "b=1 t=448")],  # whose source is as long as its positions
    # As many as it has positions, in bf16.
    "gpt2": [("kv_cache", "b=1 t=1024"), ("forward_flops", "b=1 s=1024"), ("weight_memory", "dtype=int4")],
}
MANY_SWITCHES = ("gpt2", "whisper-tiny")  # whose families take seconds


@pytest.mark.parametrize("target", swept(EXAMPLES, ("llama-3-8b", "t5-small", "whisper-tiny")))
def test_what_nobody_gives_is_an_example(worked_out, target):
    for quantity, example in EXAMPLES[target]:
        given = dict(text.split("=") for text in example.split())
        typed = given if "dtype" in given else {}
        family, name = (alone(target), "own-1") if target in MANY_SWITCHES else (load(target).family, target)
        own = next(preset for preset in page_of(family)["presets"] if preset["target"] == name)
        asked = {"given": own["held"] | typed, "on": own["on"], "quantity": quantity, "own": own}
        [answer] = worked_out(family, asked)
        taken = {"dtype": "bf16"} if quantity == "kv_cache" and not own["type"] else {}
        assert answer["count"] == str(load(target).measure(quantity, **taken | given)), (target, quantity)


def test_an_input_that_the_sizes_fix_cannot_be_another(worked_out):
    own = alone("whisper-tiny")
    given = page_of(own)["presets"][1]["held"] | {"b": "1", "t": "4", "e": "2"}
    sources = ({"s_src": "100"}, {"s_src": "1500"}, {})
    answers = worked_out(own, *({"given": given | source, "on": [], "quantity": "kv_cache"} for source in sources))
    assert answers[0]["fault"] == "s_src = 100 contradicts s_src = max_source = 1500: leave it out."
    assert [answer["count"] for answer in answers[1:]] == [str(2 * 4 * 384 * (4 + 1_500) * 2)] * 2


@pytest.mark.parametrize("target", swept(["bert", "mixtral", "deepseek-v3"], ("bert", "mixtral")))
def test_common_factors_of_long_forms_are_drawn_out_as_python_draws_them(worked_out, target):
    family = target if target in FAMILIES else alone(target)
    model = load(family)
    [answer] = worked_out(family, {"given": {}, "on": sorted(model.present)})
    parts = [multiply_out(share.step.written, model.relations) for share in derive(model).shares]
    expected = [(factored if len(part.terms) > MOST_EXPANDED else as_written)(part) for part in parts]
    assert sorted(answer["parts"]) == sorted(map(repr, expected))


def test_a_chain_goes_from_the_formula_to_its_number(worked_out):
    [answer] = worked_out("bert", setting("bert-base-uncased").asked)
    steps = dict(map(tuple, answer["steps"]))
    assert answer["count"] == "109482240"
    assert steps["embeddings.token_embedding"] == ["V*h", "30522*768", "23440896"]
    assert steps["encoder.attention"] == [
        "3*(h*h + h) + (h*h + h)", "4*h**2 + 4*h", "3*(768*768 + 768) + (768*768 + 768)", "1771776 + 590592", "2362368",
    ]  # fmt: skip
    assert steps["encoder.feed_forward"][1] == "8*h**2 + 5*h", "since d_ff = 4*h"


def test_a_tab_keeps_the_order_of_its_own_terms(worked_out):
    for family, other in (("bert", "llama"), ("t5", "mixtral")):
        case = {"given": {}, "on": sorted(load(family).present)}
        alone, among = (worked_out(family, case, others=tabs) for tabs in ([], [page_of(other)]))
        assert among == alone, family


def test_the_runtime_reads_what_was_packed(node):
    for family in FAMILIES:
        written = json.loads(as_json(content_of(family)))
        [read] = node(packed=page_of(family))
        assert {key: read[key] for key in written} == written, family


# What is wrong, field by field, and the nearest values that are not.
NEAREST = [
    ("bert-base-uncased", "h=770", {"h": ["768", "780"]}),
    ("bert-base-uncased", "n_heads=13 d_ff=3072", {"h": ["767", "780"]}),
    ("llama-3-8b", "n_kv_heads=7", {"n_kv_heads": ["4", "8"]}),
    ("llama-3-8b", "n_heads=7 h=3584 n_kv_heads=3", {"n_kv_heads": ["1", "7"]}),
    ("llama-3-8b", "n_heads=128 n_kv_heads=100", {"n_kv_heads": ["64", "128"]}),
    ("bert-base-uncased", "h=7000000000000000000000001", {"h": ["6999999999999999999999996", "7000000000000000000000008"]}),
    ("bert-base-uncased", "d_head=60", {"d_head": ["64"]}),
    ("bert-base-uncased", "h=1 n_heads=1000", {"h": ["1000"]}),
    ("bert-base-uncased", "L=0", {"L": []}),
    ("bert-base-uncased", "L=0 V=x h=770", {"L": [], "V": [], "h": ["768", "780"]}),
]


def test_a_wrong_field_and_the_nearest_that_fit(worked_out):
    for target, sizes, near in NEAREST:
        case = setting(target, sizes)
        [answer] = worked_out(case.family, case.asked)
        assert {name: values for name, _, values in answer["faults"]} == near, sizes
        assert any(str(answer_of(case)["fault"]).startswith(said) for _, said, _ in answer["faults"]), sizes
        # A relation that a value breaks is not used while another is wrong.
        assert sizes != "n_kv_heads=7" or "n_kv_heads" in answer["closed"]


def test_in_chinese_an_error_and_its_list_are_chinese(node):
    chinese = WORDS | {"page": {key: texts[::-1] for key, texts in WORDS["page"].items()}}
    for sizes, said in (
        ("h=770", "当 h = 770、n_heads = 12 时，d_head = h/n_heads 不是整数：请取能整除的值。"),
        ("h=d_ff d_ff=h*n_heads", "无法确定 h、d_ff：h 取决于 d_ff、d_ff 取决于 h。请为其中一个填写整数。"),
    ):
        [answer] = node(data=page_of("bert"), words=chinese, cases=[setting("bert-base-uncased", sizes).asked])
        assert answer["fault"] == said


def test_the_models_that_a_page_has_to_choose_from_are_as_their_configs_say():
    def presets_of(model):
        return presets(model, Formulas(PlaceTable(), lambda named: 0, lambda label: 0))

    own, *others = presets_of(load("gpt2-medium"))
    assert (own["target"], own["held"]["h"], own["type"]) == ("gpt2-medium", "1024", "")
    assert [preset["target"] for preset in others] == ["gpt2", "gpt2-large", "gpt2-xl"]
    windows = {preset["target"]: preset["windows"].get("W") for preset in presets_of(load("mistral"))[1:]}
    assert (windows["mistral-7b-v0.1"], windows["mistral-7b-v0.3"]) == ("4096", "0")
    assert {preset["target"]: preset["type"] for preset in presets_of(load("opt"))}["opt-6.7b"] == "fp16"
    assert presets_of(load({"model_type": "gpt2", "torch_dtype": "int4"}))[0]["type"] == "int4"


TARGETS = ("bert", "deepseek-v3", "mamba", "t5")  # biases, experts and powers, quotients, two stacks
HIDDEN = NOTATIONS["hidden"]


def formulas(target):
    """Every formula of a derivation."""
    found = derive(load(target))
    for step in (*(each for section in found.sections for each in section.walk()), found.total):
        yield from (step.written, step.closed, step.quantity)


@pytest.mark.parametrize("target", TARGETS)
def test_both_printers_write_the_same(node, target):
    table, names = PlaceTable(), []

    def place(name: str) -> int:
        names.append(catalogue("en").called(str(name), is_short=True))
        return len(names) - 1

    pool, written = Formulas(table, lambda named: place(named.label), place), list(formulas(target))
    places = [pool.place(each) for each in written]
    letters = {d.name: [*halves(HIDDEN[d].latex), HIDDEN[d].latex, HIDDEN[d].text] for each in written for d in each.dimensions}
    answers = node(formulas={"entries": table.entries, "places": places, "letters": letters, "names": names})

    def label(name: str) -> str:
        return catalogue("en").called(str(name), is_short=True)

    mathml, latex = MathmlPrinter(HIDDEN, label), LatexPrinter(HIDDEN, label)
    assert [each["mathml"] for each in answers] == [mathml(each) for each in written]
    assert [each["latex"] for each in answers] == [latex(each) for each in written]


def test_the_markup_is_well_formed():
    for formula in (formula for target in TARGETS for formula in formulas(target)):
        fromstring(f"<math>{MathmlPrinter(HIDDEN, str)(formula)}</math>")  # noqa: S314 - it is our own


def test_a_letter_and_its_index_and_words_from_outside():
    for latex, expected in [
        ("h", ("h", "")),
        (r"d_{\text{ff}}", ("d", "ff")),
        (r"n_{\text{kv heads}}", ("n", "kv heads")),
        (r"\lambda", ("λ", "")),
    ]:
        assert halves(latex) == expected
    printed = MathmlPrinter(HIDDEN, lambda _: "</mtext><script>alert(1)</script>").words('<b>&"')
    assert printed == "<mtext>&lt;b&gt;&amp;&quot;</mtext>"
    assert not re.search(r"<[^m/]", printed)
