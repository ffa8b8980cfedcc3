#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# readme_commands.sh - what README files tell readers to type exists: scripts and their kinds, commands of
# `acre` and their options, options of CMake.
#     tests/scripts/readme_commands.sh ACRE [ROOT]
# It reads indented lines and what stands between backquotes, in the pages of the manual too. Fenced
# blocks hold code and are not read: a page that has commands in one fails.
set -euo pipefail
acre="$(realpath "$1")"
cd "${2:-$(dirname "${BASH_SOURCE[0]}")/../..}"
status=0
checked=0
# expect PAGE WORDS COMMAND...: the command says that the words are right.
expect() {
    checked=$((checked + 1))
    "${@:3}" >/dev/null 2>&1 || {
        echo "FAIL: $1: $2"
        status=1
    }
}

# A line for each indented line, and one for each span between backquotes, which may go over two lines.
typed() {
    awk '/^```/ { inside = !inside; next }
        inside { next }
        /^    / { print; next }
        /^ *$/ { text = text "\n"; next }
        { text = text " " $0 }
        END {
            count = split(text, spans, "`")
            for (i = 2; i <= count; i += 2)
                print spans[i]
        }' "$1" | sed 's/ #.*//; s/&& *\|[;|] */\n/g'
}

declare -A help # of each command
acre_commands=" $("$acre" help | sed -n 's/^  \([a-z]*\) .*/\1/p' | tr '\n' ' ')"
# check_acre PAGE COMMAND WORD...
check_acre() {
    local page="$1" command="$2" word
    [[ "$command" =~ ^[a-z]+$ ]] || return 0 # acre --version, acre::culling, acre.c
    expect "$page" "acre $command" grep -q " $command " <<<"$acre_commands"
    [ -n "${help[$command]:-}" ] || help[$command]="$("$acre" help "$command" 2>/dev/null)" || true
    for word in "${@:3}"; do
        [[ "$word" =~ ^--[a-z-]+$ ]] || continue
        expect "$page" "acre $command $word" grep -qE -- "^ +$word( |\$)" <<<"${help[$command]}"
    done
}
# check_script PAGE PATH WORD...
check_script() {
    local page="$1" script="$2" first="${3:-}"
    expect "$page" "$script" test -x "$script"
    case "$script:$first" in
    *:- | *:'' | *:[A-Z\<\[]*) ;;
    *package.sh:*) expect "$page" "$script $first" test -x "tools/package/${first//-/_}.sh" ;;
    *setup.sh:*) expect "$page" "$script $first" grep -qE "^# .*[[|]$first[]|]" tools/setup.sh ;;
    tools/run.sh:*) check_acre "$page" run "${@:3}" ;;
    esac
}

mapfile -t pages < <(find . \( -path ./build -o -path ./.git -o -name node_modules \) -prune -o \
    -type f -name '*.md' -not -name CHANGES.md -print | LC_ALL=C sort)
for page in "${pages[@]}"; do
    if grep -nE '^ *(```|~~~) *(sh|bash|shell|console|text)' "$page"; then
        echo "FAIL: $page: commands stand in indented lines"
        status=1
    fi
    while read -r -a words; do
        for ((i = 0; i < ${#words[@]}; i++)); do
            case "${words[i]}" in
            acre | */tools/acre) check_acre "$page" "${words[i + 1]:-.}" "${words[@]:i+2}" ;;
            tools/*.sh | ./tools/*.sh | tests/*.sh | ./tests/*.sh)
                check_script "$page" "${words[i]#./}" "${words[@]:i+1}" ;;
            -DACRE_*=*)
                name="${words[i]#-D}"
                expect "$page" "${words[i]}" grep -rqw "${name%%=*}" CMakeLists.txt cmake ;;
            esac
        done
    done < <(typed "$page")
done
echo "readme_commands: $checked words of commands in ${#pages[@]} pages"
[ "$status" -eq 0 ] && [ "$checked" -gt 0 ]
