"""Letters: which names a letter may have, and how one is set when nobody says otherwise."""

from __future__ import annotations

import re

LONGEST = 80
NAME = re.compile(r"[^\W\d]\w*")
SPELLED = (
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi", "pi",
    "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma",
    "Upsilon", "Phi", "Psi", "Omega",
)  # fmt: skip
GREEK = dict(zip("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ", SPELLED, strict=True)) | {word: word for word in SPELLED}


def is_name(text: object) -> bool:
    """True if a text can name a letter: letters, digits and _, no digit first. N, E, S, I and lambda are letters too."""
    return isinstance(text, str) and len(text) <= LONGEST and NAME.fullmatch(text) is not None


def latex_of(name: str) -> str:
    r"""How a name is set: h as h, d_ff as d_{\text{ff}}, n_kv_heads as n_{\text{kv heads}}, lambda as \lambda, w2 as w_{2}."""
    base, _, index = name.partition("_")
    numbered = re.fullmatch(r"([^\W\d_]+)(\d+)", base)
    if numbered and not index:
        base, index = numbered.groups()
    if not base or not index.strip("_"):
        return _word(name) if "_" in name else _base(name)
    index = index.strip("_")
    return _base(base) + (f"_{{{index}}}" if index.isdecimal() else rf"_{{\text{{{index.replace('_', ' ')}}}}}")


def _base(base: str) -> str:
    if base in GREEK:
        return rf"\{GREEK[base]}"
    return base if len(base) == 1 and base.isascii() else _word(base)


def _word(name: str) -> str:
    return r"\text{" + name.replace("_", r"\_") + "}"
