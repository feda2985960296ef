"""Worksheets: a derivation with blanks for a learner to fill in, by level and seed, and where its key stands."""

from __future__ import annotations

from typing import Any

from symparams.derivations.derivation import Derivation, derive
from symparams.display import Displayed
from symparams.errors import OptionError, UnknownNameError, quoted, suggestion
from symparams.models.load import as_model
from symparams.practice.kind import LEVELS, STANDARD, WARM_UP
from symparams.practice.variation import varied
from symparams.records import frozen

OLD_LEVELS = {"easy": WARM_UP}  # as levels were called before
END, ONLY, NONE = KEYS = "end", "only", "none"  # where answers stand: behind the paper, without it, or not at all


@frozen
class Worksheet(Displayed):
    """A derivation to fill in: how much of it is left out, which blanks the seed leaves printed, where the key stands.

    ``base`` is the model whose family it is of, where the seed drew its sizes.
    """

    derivation: Derivation
    level: str = STANDARD
    seed: int = 0
    key: str = END
    base: str = ""


def worksheet(
    model: Any,
    *,
    level: str = STANDARD,
    seed: int = 0,
    vary: bool = False,
    key: str = END,
) -> Worksheet:
    """A derivation to fill in, for ``render`` and ``typeset``; a model, or the name of one, is derived first.

    ``level`` is "warm-up" (numbers and sums are left out), "standard" (shapes and closed forms, too) or "hard" (all but the
    dimensions, with lines to write on). ``seed`` chooses the third of the blanks that stays printed below "hard"; with
    ``vary`` also other sizes for the family, so that no answer can be looked up. ``key`` says where the key stands: "end",
    "only" it, or "none". Raises UnknownNameError for a level or a key that there is not, and OptionError for a seed that is
    no whole number, and for a model without values.
    """
    level = OLD_LEVELS.get(level, level)
    for name, value, known in (("level", level, LEVELS), ("key", key, KEYS)):
        if value not in known:
            raise UnknownNameError(f"Unknown {name} {quoted(value)}. {suggestion(str(value), known)}")
    if type(seed) is not int or seed < 0:
        raise OptionError(f"seed = {quoted(seed)} is not a whole number: write seed=7.")
    worked = model if isinstance(model, Derivation) else derive(as_model(model))
    base = worked.model.name if vary else ""
    if vary:
        worked = derive(varied(worked.model, seed), view=worked.view, attention=worked.attention)
    if worked.model.unbound:
        raise OptionError(
            f"{worked.model.name} has no sizes to count with: name a published model, or draw some with --vary (vary=True)."
        )
    return Worksheet(worked, level, seed, key, base)
