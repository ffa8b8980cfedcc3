#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# installed_program.sh - an installed `acre` runs, and what it prints lies where a system looks for it:
# a manual page of each command, and the completions of bash and zsh.
#     tests/scripts/installed_program.sh PREFIX
set -euo pipefail
prefix="$1"
acre="$prefix/bin/acre"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

# prints FILE ARGUMENTS...: the installed file is what acre prints with these arguments.
prints() {
    "$acre" "${@:2}" >"$scratch/printed"
    if ! [ -s "$scratch/printed" ] || ! cmp "$scratch/printed" "$prefix/share/$1"; then
        echo "FAIL: share/$1 is not what 'acre ${*:2}' prints"
        exit 1
    fi
}
"$acre" --version
"$acre" help >"$scratch/help"
commands="$(awk '/^  [a-z]+ +[^A-Z[]/ { print $1 }' "$scratch/help")"
if [ "$(wc -w <<<"$commands")" -lt 7 ]; then
    echo "FAIL: 'acre help' names too few commands: $commands"
    exit 1
fi
prints man/man1/acre.1 manual
for command in $commands; do
    prints "man/man1/acre-$command.1" manual "$command"
done
prints bash-completion/completions/acre completion bash
prints zsh/site-functions/_acre completion zsh

# A street and a house.
printf '%s\n' 'o street' 'v -60 0 0' 'v 60 0 0' 'l 1 2' \
    'o house' 'v 0 0 9' 'v 5 0 9' 'v 0 8 9' 'f 3 4 5' >"$scratch/town.obj"
if ! [ -s "$prefix/share/acre/scenes/NOTICE.md" ]; then
    echo "FAIL: the scene has no notice beside it"
    exit 1
fi
"$acre" run "$scratch/town.obj" --frames 1 --cars 3 --check 1 --svg none >"$scratch/table"
if ! grep -q '5 visible sets of 1 frames against brute force: equal' "$scratch/table"; then
    echo "FAIL: 'acre run' shows no table of one frame"
    exit 1
fi
