"""``cards``: flash cards of models, as a deck for Anki or as a table for any other program."""

from __future__ import annotations

from symparams.cli.answering import answer
from symparams.cli.loading import load_requests
from symparams.cli.request import CommandResult, Request


def cards(request: Request) -> CommandResult:
    """The questions that can be asked of each target, and its derivation with gaps; of none, the bank's questions."""
    from symparams.cards.collected import deck

    models = load_requests(request) if "targets" in request.own else []
    return answer(deck(models, request.language, request.own.get("chapter", "")), request)
