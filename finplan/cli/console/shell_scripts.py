"""The scripts that make a shell ask finplan; none of them evaluates what it is answered."""

BASH = """\
# Completions of finplan for bash, made by `finplan completions bash`.
# Source this file, or keep it as ~/.local/share/bash-completion/completions/finplan.
_finplan() {
    local value told
    COMPREPLY=()
    while IFS=$'\\t' read -r value told; do
        printf -v value '%q' "$value"
        COMPREPLY+=("$value")
    done < <(finplan __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
    if [ "${#COMPREPLY[@]}" -eq 0 ]; then
        compopt -o default
    fi
}
complete -F _finplan finplan
"""

ZSH = """\
#compdef finplan
# Completions of finplan for zsh, made by `finplan completions zsh`.
# Keep this file as _finplan in a folder of $fpath, or source it after compinit.
_finplan() {
    local -a found
    local line
    for line in "${(@f)$(finplan __complete "${(@)words[2,CURRENT]}" 2> /dev/null)}"; do
        [[ -n "$line" ]] || continue
        found+=("${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}")
    done
    if (( ${#found} )); then
        _describe -V finplan found
    else
        _files
    fi
}
if [[ "${funcstack[1]}" = "_finplan" ]]; then
    _finplan "$@"
else
    compdef _finplan finplan
fi
"""

FISH = """\
# Completions of finplan for fish, made by `finplan completions fish`.
# Keep this file as ~/.config/fish/completions/finplan.fish.
function __finplan_complete
    set -l words (commandline -opc)
    set -l found (finplan __complete $words[2..-1] (commandline -ct) 2> /dev/null)
    if test (count $found) -eq 0
        __fish_complete_path (commandline -ct)
    else
        printf '%s\\n' $found
    end
end
complete -c finplan -f -a '(__finplan_complete)'
"""

SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}
