"""``count``, ``formula`` and ``derive``: the number, the closed form, the whole sheet."""

from __future__ import annotations

from symparams.cli.answering import answer, answer_formula
from symparams.cli.commands import JSON
from symparams.cli.loading import derive_request, load_request, subject_of
from symparams.cli.request import Answer, Request
from symparams.components.walks import components
from symparams.errors import OptionError


def count(request: Request) -> Answer:
    """The number of parameters, exact."""
    subject = subject_of(request)
    value = subject.count(**request.own)
    assumed = f"the config names no class, so this is the base model, {subject.assumed}"
    note = "; ".join([*([assumed] if subject.assumed else []), *map(str, subject.oddities)])
    if request.format == JSON:
        from symparams.formats.json import count as count_json

        return Answer(count_json(subject, value), note=note)
    return Answer(f"{value}\n", note=note)


def formula(request: Request) -> Answer:
    """The closed form of a model."""
    if request.expression is not None and request.values:
        raise OptionError("The closed form of a bare formula holds its symbols: leave out --set, or write 'derive' or 'count'.")
    return answer_formula(subject_of(request), request)


def derive(request: Request) -> Answer:
    """The derivation of a model, step by step."""
    from symparams.derivations.derivation import derive as work_out
    from symparams.formats.rendering import preamble

    if "preamble" in request.layout:
        return Answer(preamble(request.language, request.format))
    working = {name: request.own[name] for name in ("view", "attention", "form") if name in request.own}
    if request.expression is not None:
        derivation = derive_request(request)
    else:
        model = load_request(request)
        if "attention" in request.own and not any(node.attending for _, node in components(model.tree)):
            raise OptionError(f"{model.name} has no attention to write in a way: leave out --attention.")
        derivation = work_out(model.symbolic() if "symbolic" in request.own else model, **working)
    is_brief, with_memory = "brief" in request.own, "with_memory" in request.own
    return answer(derivation, request, brief=is_brief, with_memory=with_memory)
