# symparams for bash: eval "$(symparams --show-completion bash)" in ~/.bashrc
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
