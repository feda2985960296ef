"""Completion: the words that may end an unfinished line, from the table that parses it.

A script makes bash, zsh or fish ask: it sets ``_SYMPARAMS_COMPLETE=complete_SHELL`` and hands the line up to the cursor over in
``COMP_LINE``; the answer is written in the way that each reads. Where nothing is offered, the shell completes files.

typer could ask for it, but its scripts set a space behind max_pos= and behind a folder, and split --lang=z in bash; an
option whose value is not written yet makes it forget the target, on which the features depend; and it takes 60 ms.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from symparams.cli.commands import COMMANDS
from symparams.cli.options import ROOT, Bundle, Option
from symparams.errors import OptionError, quoted, suggestion

Offers = list[tuple[str, str]]

# bash takes = and : for ends of words: what stands before them is on its line already.
BASH = r"""# symparams for bash: eval "$(symparams --show-completion bash)" in ~/.bashrc
_symparams_completion() {
    local IFS=$'\n' line="${COMP_LINE:0:COMP_POINT}" word
    word="${line##*[[:space:]]}"
    COMPREPLY=( $(COMP_LINE="$line" _SYMPARAMS_COMPLETE=complete_bash "$1" 2>/dev/null) )
    case "${COMPREPLY[0]-}" in *=|*/) compopt -o nospace 2>/dev/null ;; esac
    if [[ "$word" == *[=:]* ]]; then
        COMPREPLY=( "${COMPREPLY[@]#"${word%"${word##*[=:]}"}"}" )
    fi
}
complete -o default -F _symparams_completion symparams
"""
ZSH = r"""#compdef symparams
# symparams for zsh: eval "$(symparams --show-completion zsh)" in ~/.zshrc, after compinit
_symparams_completion() {
    local -a found
    found=("${(@f)$(COMP_LINE="${(j: :)words[1,CURRENT]}" _SYMPARAMS_COMPLETE=complete_zsh $words[1] 2>/dev/null)}")
    found=("${(@)found:#}")
    (( $#found )) || { _files; return }
    compadd -S '' -- "${(@M)found:#*[=/]}"
    compadd -- "${(@)found:#*[=/]}"
}
compdef _symparams_completion symparams
"""
FISH = r"""# symparams for fish: symparams --show-completion fish > ~/.config/fish/completions/symparams.fish
function __symparams_completion
    set -lx COMP_LINE (commandline -cp | string collect --allow-empty)
    set -l found (_SYMPARAMS_COMPLETE=complete_fish symparams 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete --command symparams --no-files --arguments '(__symparams_completion)'
"""
SCRIPTS: Mapping[str, str] = {"bash": BASH, "zsh": ZSH, "fish": FISH}


def script(shell: str) -> str:
    """The script that makes a shell complete; OptionError lists the shells that there are scripts for."""
    if shell not in SCRIPTS:
        raise OptionError(f"No completion for the shell {quoted(shell)}. {suggestion(shell, SCRIPTS)}")
    return SCRIPTS[shell]


def answer(instruction: str) -> str:
    """Return what is offered to a shell that asks by an instruction such as complete_bash, a line for each word."""
    shell = instruction.removeprefix("complete_")
    if shell == instruction or shell not in SCRIPTS:
        raise OptionError(
            f"{quoted(instruction)} is not an instruction to complete: write complete_bash, complete_zsh or complete_fish."
        )
    *words, incomplete = _words(os.environ.get("COMP_LINE", ""))
    offered = offers(words[1:], incomplete)
    # fish shows what stands after a tab as the explanation.
    return "".join(f"{value}\t{text}\n" if text and shell == "fish" else f"{value}\n" for value, text in offered)


def _words(line: str) -> list[str]:
    """Return the words of a line, the last of them incomplete and perhaps empty."""
    lexer = shlex.shlex(line, posix=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    words: list[str] = []
    try:
        words.extend(lexer)
    except ValueError:  # a quotation that is still open
        return [*words, lexer.token]
    return [*words, ""] if not line or line[-1].isspace() else words


def offers(words: Sequence[str], incomplete: str) -> Offers:
    """Return each word that may take the place of the incomplete one, with its explanation; [] where the shell offers files."""
    if not words:
        return _begun([*((name, command.summary) for name, command in COMMANDS.items()), *ROOT.items()], incomplete)
    if words == ["--show-completion"]:
        return _begun([(shell, "") for shell in SCRIPTS], incomplete)
    return _of_command(COMMANDS[words[0]].signature, words[1:], incomplete) if words[0] in COMMANDS else []


def _of_command(signature: Bundle, words: Sequence[str], incomplete: str) -> Offers:
    by_flag = {flag: option for option in signature for flag in option.flags}
    arguments = [option for option in signature if not option.flags]
    given: dict[str, Any] = {}
    wanting = None  # the option whose value comes next
    for word in words:
        flag, equals, value = word.partition("=")
        if wanting:
            given[wanting.name], wanting = word, None
        elif option := by_flag.get(flag):
            given[option.name] = value if equals else True
            wanting = None if equals or option.is_switch else option
        elif arguments and (not word.startswith("-") or word == "-"):
            given[arguments[0].name] = word
            arguments = arguments if arguments[0].many else arguments[1:]
    if wanting:
        return _values(wanting, given, incomplete)
    flag, equals, value = incomplete.partition("=")
    if incomplete.startswith("-") and equals:
        option = by_flag.get(flag)
        return [(f"{flag}={name}", text) for name, text in _values(option, given, value)] if option else []
    if arguments and not incomplete.startswith("-"):
        return _values(arguments[0], given, incomplete)
    free = (option for option in signature if option.many or option.name not in given)
    flags = ((flag, option) for option in free for flag in option.flags if flag.startswith("--"))
    unused = [(flag, option.explanation) for flag, option in flags if flag.startswith(incomplete)]
    return unused + _begun([("--help", ROOT["--help"])], incomplete)


def _values(option: Option, given: Mapping[str, Any], incomplete: str) -> Offers:
    values = option.completions(given, incomplete) if option.completions else option.choices() if option.choices else ()
    return _begun([(value, "") for value in values], incomplete)


def _begun(words: Offers, incomplete: str) -> Offers:
    return [(word, text) for word, text in words if word.startswith(incomplete)]
