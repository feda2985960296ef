"""How fast, as ratios of one run on one machine: ``python -m tests.benchmark``. Not collected by pytest.

A cold start is compared with importing what it stands on, the two taken in turn, so that a busy moment hits both.
"""

from __future__ import annotations

import itertools
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.benchmark.pages import print_pages

REPETITIONS = 21
SHEETS = 40
PROGRAM = [sys.executable, "-m", "symparams"]
IMPORTS = "import sympy, jinja2, typer"
CONFIG = Path(__file__).parent / "config.json"
COLD = {
    "symparams --help": [*PROGRAM, "--help"],
    "symparams list": [*PROGRAM, "list"],
    "symparams count gpt2": [*PROGRAM, "count", "gpt2"],
    "symparams count CONFIG": [*PROGRAM, "count", str(CONFIG)],
    "symparams formula bloom": [*PROGRAM, "formula", "bloom"],
    **{
        f"symparams derive {name} --latex": [*PROGRAM, "derive", name, "--latex"]
        for name in ("bloom", "bert", "llama-3-8b", "t5-small", "deepseek-v3", "whisper")
    },
}
CONFIGS = 400
BASELINE = [sys.executable, "-c", IMPORTS]


def seconds(action: Callable[[], object]) -> float:
    """How long an action takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def cold(command: list[str]) -> float:
    """How long a command takes in a new process."""
    return seconds(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))


def print_cold_starts() -> None:
    """Each command's median over the median of the imports."""
    commands = {IMPORTS: BASELINE, **COLD}
    times: dict[str, list[float]] = {name: [] for name in commands}
    for command in commands.values():
        cold(command)  # once for the bytecode and the file cache
    for _ in range(REPETITIONS):
        for name, command in commands.items():
            times[name].append(cold(command))
    medians = {name: statistics.median(measured) for name, measured in times.items()}
    print(f"Cold starts, median of {REPETITIONS}, over `python -c '{IMPORTS}'` ({1000 * medians[IMPORTS]:.0f} ms here):")
    for name in COLD:
        print(f"    {name:36} {medians[name] / medians[IMPORTS]:5.2f} ×  ({1000 * medians[name]:.0f} ms)")


def sheet(format: str, h: int) -> str:  # noqa: A002 - as in render
    """A whole sheet from nothing."""
    from symparams import derive, load, render

    return render(derive(load("bloom-1b4-zh", h=h)), format)


def print_sheets() -> None:
    """Whole sheets a second in one process, each of another h, so that no sheet is in a cache."""
    imports = statistics.median(cold(BASELINE) for _ in range(5))
    widths = itertools.count(1_600, 16)
    print(f"Sheets of bloom-1b4-zh in one process, median of {SHEETS}, h another each time:")
    for name in ("latex", "markdown", "text", "json"):
        sheet(name, next(widths))  # once for the imports and the templates
        median = statistics.median(seconds(partial(sheet, name, next(widths))) for _ in range(SHEETS))
        print(f"    {name:32} {1 / median:5.0f} a second, {imports / median:.0f} in the time of the imports")


def count(h: int) -> int:
    """A count from a config, each of another size."""
    from symparams import load

    config = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "num_attention_heads": 8, "hidden_size": h}
    return load({**config, "num_key_value_heads": 4}).count()


def print_configs() -> None:
    """Counts from a config.json a second in one process."""
    count(64)
    taken = seconds(lambda: [count(64 * size) for size in range(2, CONFIGS + 2)])
    print(f"Counts from a config in one process: {CONFIGS / taken:.0f} a second")


DESIGNS = 10**7


def print_functions() -> None:
    """The closed form as a function beside the same polynomial by hand, factored and as it is printed, taken in turn."""
    import numpy as np

    from symparams import load, solve

    random = np.random.default_rng(0)
    h, L = random.integers(1, 20_000, DESIGNS), random.integers(1, 200, DESIGNS)
    function = load("gpt2").function()
    ways = {
        "model.function()": lambda: function(h=h, L=L),
        "numpy by hand, factored": lambda: h * (L * (12 * h + 13) + (50_257 + 1_024 + 2)),
        "numpy by hand, expanded": lambda: 12 * L * h**2 + 13 * L * h + 50_257 * h + 1_024 * h + 2 * h,
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(REPETITIONS):
        for name, way in ways.items():
            times[name].append(seconds(way))
    ours, *others = (statistics.median(measured) for measured in times.values())
    print(f"Counts of gpt2 for {DESIGNS:,} pairs of h and L on one core: {DESIGNS / ours / 1e6:.0f} million a second")
    for name, other in zip(list(ways)[1:], others, strict=True):
        print(f"    in {ours / other:.2f} × the time of {name}")
    start = time.perf_counter()
    found = solve(load("llama", V=32_000), 6_738_415_616, "L,h,d_ff", multiple_of=128)
    taken = time.perf_counter() - start
    shape = list(found[0].values.values())
    print(f"    solve finds LLaMA-7B's L, h, d_ff among {found.tried:,} designs in {taken:.2f} s: {shape}")


if __name__ == "__main__":
    print_cold_starts()
    print_configs()
    print_sheets()
    print_functions()
    print_pages()
