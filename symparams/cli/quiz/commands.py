"""Commands: what may be typed in place of an answer, in the words of every language and in the letters of a conversation."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache

from symparams.sheets.catalogue import catalogue, languages

HINT, SKIP, UNKNOWN, ANSWER, QUIT, EASY, HELP = "hint", "skip", "unknown", "answer", "quit", "easy", "help"


def command_of(line: str, conversation: str) -> str:
    """The command that a line is in a quiz or an interview, "Pass." or "我不知道。"; "" for an answer."""
    plain = unicodedata.normalize("NFKC", line).strip().replace("’", "'").casefold()
    return _commands(conversation).get(plain) or _commands(conversation).get(plain.rstrip(".。!"), "")


@cache
def _commands(conversation: str) -> Mapping[str, str]:
    """Every word and every letter, with the command that it is."""
    tables = [catalogue(language).entries for language in languages()]
    known = [entries.within(f"commands.{section}") for entries in tables for section in ("words", conversation)]
    return {word.casefold(): name for section in known for name, words in section.items() for word in words}
