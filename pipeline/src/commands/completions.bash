
_pipeline_names() {{
    local cur="$2" prev="$3" words=""
    if [[ ${{prev}} == "=" ]]; then
        prev="${{COMP_WORDS[COMP_CWORD-2]}}"
    fi
    _pipeline "$1" "${{cur}}" "${{prev}}"
    case "${{prev}}" in
        {valued}) return 0 ;;
    esac
    if [[ ${{#COMPREPLY[@]}} -gt 0 || ${{cur}} == -* || ${{COMP_CWORD}} -lt 2 ]]; then
        return 0
    fi
    local command="${{COMP_WORDS[1]}}"
    if [[ ${{command}} == cluster && ${{COMP_CWORD}} -gt 2 ]]; then
        command="cluster ${{COMP_WORDS[2]}}"
    fi
    case "${{command}}" in
{cases}    esac
    COMPREPLY=( $(compgen -W "${{words}}" -- "${{cur}}") )
}}

complete -F _pipeline_names -o bashdefault -o default pipeline
