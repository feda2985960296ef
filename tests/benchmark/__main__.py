"""How fast, as ratios of one run on one machine, beside those last recorded: ``python -m tests.benchmark [PART…] [--record]``.

Times are the processor's, which a busy machine changes less than those on the wall. What a ratio is over is measured in turn
with it, so that a slow moment hits both. ``--record`` keeps the ratios in recorded.json; with fewer ``--repetitions`` than
seven they are coarser and sooner there. Not collected by pytest.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from tests.benchmark.pages import print_pages
from tests.test_imports import MOST_MODULES, own_modules

REPETITIONS = 7
PROGRAM = [sys.executable, "-m", "symparams"]
IMPORTS = "import sympy, jinja2, typer"
BASELINE = [sys.executable, "-c", IMPORTS]
CONFIG = Path(__file__).parent / "config.json"
RECORDED = Path(__file__).parent / "recorded.json"
LARGEST = ("deepseek-v3", "whisper")
COLD = {
    "symparams --help": [*PROGRAM, "--help"],
    "symparams list": [*PROGRAM, "list"],
    "symparams count gpt2": [*PROGRAM, "count", "gpt2"],
    "symparams count CONFIG": [*PROGRAM, "count", str(CONFIG)],
    "symparams formula bloom": [*PROGRAM, "formula", "bloom"],
    **{
        f"symparams derive {name} --latex": [*PROGRAM, "derive", name, "--latex"]
        for name in ("bloom", "bert", "llama-3-8b", "t5-small", *LARGEST)
    },
}
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}  # as users have it
SHEETS, SHEETS_OF_A_FAMILY, CONFIGS, DESIGNS = 3, 5, 400, 10**7

Ratios = dict[str, float]


def seconds(action: Callable[[], object]) -> float:
    """The processor's time for an action in this process."""
    start = time.process_time()
    action()
    return time.process_time() - start


def cold(command: list[str]) -> float:
    """The processor's time for a command in a new process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def medians(actions: Mapping[str, Callable[[], float]], repetitions: int) -> dict[str, float]:
    """The median time of each action, taken in turn."""
    times: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(repetitions):
        for name, action in actions.items():
            times[name].append(action())
    return {name: statistics.median(measured) for name, measured in times.items()}


def cold_starts(repetitions: int) -> Ratios:
    """Commands over the imports alone (less is better)."""
    commands = {IMPORTS: BASELINE, **COLD}
    for command in commands.values():
        cold(command)  # once for the bytecode and the file cache
    times = medians({name: partial(cold, command) for name, command in commands.items()}, repetitions)
    return {name: times[name] / times[IMPORTS] for name in COLD}


def modules(_: int) -> Ratios:
    """Modules of symparams that a command imports (less is better)."""
    return {f"symparams {line}": len(own_modules(line)) for line in MOST_MODULES}


def sheet(target: str, format: str = "latex", **sizes: int) -> str:  # noqa: A002 - as in render
    """A whole sheet from nothing."""
    from symparams import derive, load, render

    return render(derive(load(target, **sizes)), format)


def count(h: int) -> int:
    """A count from a config, each of another size."""
    from symparams import load

    config = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "num_attention_heads": 8, "hidden_size": h}
    return load({**config, "num_key_value_heads": 4}).count()


def warm(repetitions: int) -> Ratios:
    """Sheets of bloom-1b4-zh, and counts from a config, in the time of the imports (more is better).

    Each sheet and config is of another h, so that none is in a cache.
    """
    widths, formats = itertools.count(1_600, 16), ("latex", "markdown", "text", "json")
    for name in formats:
        sheet("bloom-1b4-zh", name, h=next(widths))  # once for the imports and the templates
    count(64)
    sheets: dict[str, Callable[[], float]] = {
        name: lambda name=name: statistics.median(
            seconds(partial(sheet, "bloom-1b4-zh", name, h=next(widths))) for _ in range(SHEETS)
        )
        for name in formats
    }
    sizes = itertools.count(128, 64)
    configs = {"counts from a config": lambda: seconds(lambda: [count(next(sizes)) for _ in range(CONFIGS)]) / CONFIGS}
    times = medians({IMPORTS: partial(cold, BASELINE), **sheets, **configs}, repetitions)
    return {name: times[IMPORTS] / taken for name, taken in times.items() if name != IMPORTS}


def families(repetitions: int) -> Ratios:
    """Sheets a second of the three slowest families over those of bloom (more is better)."""
    from symparams import architectures, load, published_models

    models = {name: name for name in architectures()} | {load(name).family: name for name in published_models()}
    rates: Ratios = {}
    for family, model in models.items():
        sheet(model)  # once for what it imports
        every = _other_sizes(model)[:repetitions]
        rates[family] = 1 / statistics.median(seconds(partial(sheet, model, **sizes)) for sizes in every)
    slowest = sorted(rates, key=rates.__getitem__)[:3]
    return {name: rates[name] / rates["bloom"] for name in slowest}


def _other_sizes(model: str) -> list[dict[str, int]]:
    """Values for one dimension of a model, so that no sheet is in a cache; none for a family without values."""
    from symparams import SymparamsError, load

    for dimension, value in load(model).values.items():
        sizes = [{dimension.name: value + more} for more in range(1, SHEETS_OF_A_FAMILY + 1)]
        try:
            for size in sizes:
                load(model, **size).count()
        except SymparamsError:
            continue
        return sizes
    return [{}] * SHEETS_OF_A_FAMILY


def functions(repetitions: int) -> Ratios:
    """The closed form of gpt2 as a function of ten million h and L over numpy by hand, on one core (less is better)."""
    import numpy as np

    from symparams import load

    random = np.random.default_rng(0)
    h, L = random.integers(1, 20_000, DESIGNS), random.integers(1, 200, DESIGNS)
    function = load("gpt2").function(check_relations=False)
    ways = {
        "model.function()": lambda: function(h=h, L=L),
        "factored": lambda: h * (L * (12 * h + 13) + (50_257 + 1_024 + 2)),
        "expanded": lambda: 12 * L * h**2 + 13 * L * h + 50_257 * h + 1_024 * h + 2 * h,
    }
    ours, *others = medians({name: partial(seconds, way) for name, way in ways.items()}, repetitions).values()
    return {f"over the polynomial {name}": ours / other for name, other in zip(list(ways)[1:], others, strict=True)}


def designs(repetitions: int) -> Ratios:
    """The search for LLaMA-7B's L, h and d_ff over the imports alone (less is better)."""
    from symparams import load, solve

    model = load("llama", V=32_000)
    search = partial(solve, model, 6_738_415_616, "L,h,d_ff", multiple_of=128)
    search()
    times = medians({IMPORTS: partial(cold, BASELINE), "solve": partial(seconds, search)}, repetitions)
    return {"solve": times["solve"] / times[IMPORTS]}


PARTS: Mapping[str, Callable[[int], Ratios]] = {
    "cold": cold_starts,
    "modules": modules,
    "warm": warm,
    "families": families,
    "functions": functions,
    "solve": designs,
}


def main() -> None:
    """Measure the parts that are named, or all and the pages, and print each ratio beside the recorded one."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmark", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join([*PARTS, "pages"]))
    parser.add_argument("--record", action="store_true", help=f"keep the ratios in {RECORDED.name}")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, metavar="N", help="how often each is measured")
    asked = parser.parse_args()
    recorded: dict[str, Ratios] = json.loads(RECORDED.read_text(encoding="utf-8"))
    for part in asked.parts or PARTS:
        if part != "pages":
            old, new = recorded.get(part, {}), {name: round(ratio, 2) for name, ratio in PARTS[part](asked.repetitions).items()}
            print(f"{PARTS[part].__doc__.splitlines()[0]}\n    {'':36} {'recorded':>8} {'now':>8}")
            for name in {**old, **new}:
                print(f"    {name:36} {old.get(name, ''):>8} {new.get(name, ''):>8}", flush=True)
            recorded[part] = new
    if asked.record:
        RECORDED.write_text(json.dumps(recorded, indent=2) + "\n", encoding="utf-8")
    if not asked.parts or "pages" in asked.parts:
        print_pages()


if __name__ == "__main__":
    main()
