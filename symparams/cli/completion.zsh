#compdef symparams
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
