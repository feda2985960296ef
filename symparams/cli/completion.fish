# symparams for fish: symparams --show-completion fish > ~/.config/fish/completions/symparams.fish
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
