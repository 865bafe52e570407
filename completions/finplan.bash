# Completions of finplan for bash, made by `finplan completions bash`.
# Source this file, or keep it as ~/.local/share/bash-completion/completions/finplan.
_finplan() {
    local value told
    COMPREPLY=()
    while IFS=$'\t' read -r value told; do
        printf -v value '%q' "$value"
        COMPREPLY+=("$value")
    done < <(finplan __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
    if [ "${#COMPREPLY[@]}" -eq 0 ]; then
        compopt -o default
    fi
}
complete -F _finplan finplan
