"""Costs verified: what the transformers library multiplies, caches and keeps, measured line by line beside our terms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from symparams.answers.measured.measurements import MEASURES, Count, Measured, needs_cpu
from symparams.answers.real_models import CPU, META, class_of, refuse_images, refuse_without_library
from symparams.errors import ConfigError, OptionError, SymparamsError
from symparams.expressions.symbols import D
from symparams.models.costing import Costing

MOST_REAL = 400_000_000  # parameters of a model that is built for real where the meta device does not do


@dataclass(frozen=True)
class CostVerification:
    """A cost here and as it is measured, line by line and in all, and on which device."""

    class_name: str
    costing: Costing
    device: str
    lines: tuple[Measured, ...]
    here: Count
    library: Count

    @property
    def match(self) -> bool:
        """Whether each line and the total are the same."""
        return self.here == self.library and all(line.match for line in self.lines)


def verify_cost(found: Costing, tell_how_far: Callable[[str], None] = lambda _: None) -> CostVerification:
    """Run the library's model and compare what is measured with the terms of a costing.

    On the meta device, where nothing is allocated; on the CPU where the library looks at numbers, if the model is small
    enough. OptionError says what cannot be measured, MissingDimensionError what has no value. It takes seconds:
    ``tell_how_far`` is called with each of its steps.
    """
    class_name = class_of(found.model)
    found.value()  # which says what has no value
    _refuse(found)
    tell_how_far("1 of 2, importing transformers")
    refuse_without_library()
    tell_how_far(f"2 of 2, running {class_name}")
    device, lines = _run(found, class_name)
    compared = [line for line in lines if line.is_compared]
    here, library = (sum(_whole(getattr(line, side), line) for line in compared) for side in ("here", "library"))
    return CostVerification(class_name, found, device, tuple(lines), here, library)


def _whole(count: Count, line: Measured) -> Count:
    return count if line.number is None else count * line.number


def _refuse(found: Costing) -> None:
    setting, name = found.setting, found.cost.name
    if D in found.setting.given:
        raise OptionError("What is run is a step: give b and s, and leave D out.")
    if setting.targets or name == "lora":
        raise OptionError("LoRA's matrices are none of the library's: leave --lora out, and name another quantity.")
    if setting.causal == "exact":
        raise OptionError("The library multiplies the pairs that a causal mask hides too: leave --causal exact out.")
    refuse_images(found.model)


def _run(found: Costing, class_name: str) -> tuple[str, list[Measured]]:
    """The lines, measured on the meta device if that does, otherwise on the CPU."""
    measure = MEASURES[found.cost.name]
    needs_numbers = needs_cpu(found)
    is_small = found.model.count(frozen=True) <= MOST_REAL
    for device in (CPU,) if needs_numbers else (META, CPU) if is_small else (META,):
        if device == CPU and not is_small:
            break
        try:
            return device, measure(found, device)
        except SymparamsError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever the library cannot run is told in its own words
            last = " ".join(str(error).split())[:160]
    if not is_small:
        raise OptionError(
            f"{class_name} does not run on the meta device, which has shapes and no numbers, and has more than {MOST_REAL:,} "
            "parameters, too many to build: set a smaller L."
        )
    raise ConfigError(f"transformers does not run {class_name} on this: {last}")
