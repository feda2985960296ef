"""Shells: the script that makes bash, zsh or fish ask what may come next, and the answer in the way that each reads.

A script sets ``_SYMPARAMS_COMPLETE=complete_SHELL`` and hands the line up to the cursor over in ``COMP_LINE``. Where nothing is
offered, the shell completes files.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping

from symparams.errors import OptionError, quoted, suggestion

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
            f"{quoted(instruction)} is no instruction to complete: write complete_bash, complete_zsh or complete_fish."
        )
    from symparams.cli.completion import offers

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
