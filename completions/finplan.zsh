#compdef finplan
# Completions of finplan for zsh, made by `finplan completions zsh`.
# Keep this file as _finplan in a folder of $fpath, or source it after compinit.
_finplan() {
    local -a found
    local line
    for line in "${(@f)$(finplan __complete "${(@)words[2,CURRENT]}" 2> /dev/null)}"; do
        [[ -n "$line" ]] || continue
        found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
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
