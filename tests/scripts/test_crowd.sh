#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_crowd.sh - the program `acre crowd` from outside: the same content for each number of parts and
# workers, and what it says.
#     test_crowd.sh ACRE FOLDER
# ACRE is a program, FOLDER is made anew. No time is judged: machines are noisy.
set -uo pipefail
acre="$1"
folder="$2"

# shellcheck source=tests/scripts/program_checks.sh
. "$(dirname "$0")/program_checks.sh"

run() { run_acre crowd "$@"; }
content() { tail -n 1 out.txt; }

run --walkers 3000 --frames 40
expect "a run ends well" is "$status" 0
one="$(content)"
expect "the last line is the content" says out.txt "content "
for text in "3000 walkers, 40 ticks, 1 parts, 1 workers" "ms a tick" "ghosts" "migrate" "largest part"; do
    expect "the table tells $text" says out.txt "$text"
done
for parts in 2 3 4 7; do
    run --walkers 3000 --frames 40 --parts $parts --recut 1
    expect "$parts parts have the content of one" is "$(content)" "$one"
done
run --walkers 3000 --frames 40 --parts 5 --workers 3 --recut 0
expect "workers change nothing" is "$(content)" "$one"
run --walkers 3000 --frames 40 --kernel scalar
expect "the kernel changes nothing" is "$(content)" "$one"
run --walkers 3000 --frames 41
expect "another tick is another content" is_not "$(content)" "$one"
run --walkers 3 --parts 7 --frames 5
expect "most parts may be empty" is "$status" 0

run --parts 0
expect "a wrong argument ends with status 2" is "$status" 2
expect "a wrong argument is named" says err.txt "--parts"
run --help
expect "help ends with status 0" is "$status" 0
expect "help names parts" says out.txt "--parts"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 15 ]
