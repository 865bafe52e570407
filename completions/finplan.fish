# Completions of finplan for fish, made by `finplan completions fish`.
# Keep this file as ~/.config/fish/completions/finplan.fish.
function __finplan_complete
    set -l words (commandline -opc)
    set -l found (finplan __complete $words[2..-1] (commandline -ct) 2> /dev/null)
    if test (count $found) -eq 0
        __fish_complete_path (commandline -ct)
    else
        printf '%s\n' $found
    end
end
complete -c finplan -f -a '(__finplan_complete)'
