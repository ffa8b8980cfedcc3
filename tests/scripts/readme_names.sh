#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# readme_names.sh - what pages name exists: functions, files, links, and what they tell readers to type.
#     tests/scripts/readme_names.sh [ACRE]
# ACRE may also be set in the environment.
# Names and commands stand between backquotes, commands in indented lines too: scripts and their kinds,
# options of CMake, and with the program ACRE its commands and options. Fenced blocks hold code and are not
# read: a page that has commands in one fails.
set -euo pipefail
acre="${1:-${ACRE:-}}"
acre="${acre:+$(realpath "$acre")}"
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
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

# Build folders are pruned, not walked: other tests make and remove files there at the same time.
named() {
    find . \( -path ./build -o -path ./.git -o -name node_modules \) -prune -o -type f "$@" -print
}
mapfile -t pages < <(named -name '*.md' -not -name CHANGES.md | LC_ALL=C sort)
# All words of the code, once.
words="$(find engine modules tools tests cmake -type f \( -name '*.[ch]' -o -name '*.[ch]pp' \
    -o -name '*.cmake' -o -name '*.sh' -o -name CMakeLists.txt -o -name '*.in' \) -exec cat {} + |
    grep -oE '[A-Za-z_][A-Za-z0-9_]*' | LC_ALL=C sort -u)"
files="$(named | sed 's|.*/||' | LC_ALL=C sort -u)"
check_names() {
    local name path
    while read -r name; do
        expect "$1" "$name" grep -qxF -- "$name" <<<"$words"
    done < <(grep -oE '`(acre|ACRE|test|fuzz)_[A-Za-z0-9_]*[A-Za-z0-9]`' "$1" | tr -d '`' | sort -u)
    while read -r name; do
        expect "$1" "the file $name" grep -qxF -- "${name##*/}" <<<"$files"
    done < <(grep -oE '`[A-Za-z0-9_./]*[a-z0-9]\.(c|h|sh|cmake|expected|recorded)`' "$1" | tr -d '`' |
        sed 's|^_.*||' | grep -v '[A-Z]' | grep . | sort -u)
    while read -r path; do
        [ "$path" = https ] || expect "$1" "a link to $path" test -e "$(dirname "$1")/$path"
    done < <(grep -oE '\]\([^)#:]+' "$1" | sed 's|](||' | sort -u)
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
acre_commands=" ${acre:+$("$acre" help | sed -n 's/^  \([a-z]*\) .*/\1/p' | tr '\n' ' ')}"
# check_acre PAGE COMMAND WORD...
check_acre() {
    local page="$1" command="$2" word
    [[ -n "$acre" && "$command" =~ ^[a-z]+$ ]] || return 0 # acre --version, acre::culling, acre.c
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

for page in "${pages[@]}"; do
    check_names "$page"
    if grep -nE '^ *(```|~~~) *(sh|bash|shell|console|text)' "$page"; then
        echo "FAIL: $page: commands stand in indented lines"
        status=1
    fi
    while read -r -a line; do
        for ((i = 0; i < ${#line[@]}; i++)); do
            case "${line[i]}" in
            acre | */tools/acre) check_acre "$page" "${line[i + 1]:-.}" "${line[@]:i+2}" ;;
            tools/*.sh | ./tools/*.sh | tests/*.sh | ./tests/*.sh)
                check_script "$page" "${line[i]#./}" "${line[@]:i+1}" ;;
            -DACRE_*=*)
                name="${line[i]#-D}"
                expect "$page" "${line[i]}" grep -rqw "${name%%=*}" CMakeLists.txt cmake ;;
            esac
        done
    done < <(typed "$page")
done
echo "readme_names: $checked names in ${#pages[@]} pages"
[ "$status" -eq 0 ] && [ "$checked" -gt 500 ]
