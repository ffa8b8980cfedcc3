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

# Checkpoints.
saved="$folder/saved"
run --walkers 3000 --frames 40 --parts 3 --recut 1 --checkpoint "$saved" --every 7
expect "checkpoints change nothing" is "$(content)" "$one"
expect "the newest two stay" is "$(ls "$saved" | tr '\n' ' ')" "tick_00000028 tick_00000035 "
for parts in 1 3 4; do
    run --walkers 3000 --frames 40 --parts $parts --restart "$saved"
    expect "$parts parts go on from there" is "$(content)" "$one"
done
expect "only the rest is run" says out.txt "5 ticks"
run --walkers 3000 --frames 40 --seed 2 --restart "$saved"
expect "another world is refused" is "$status" 1
expect "another world is refused by name" says err.txt "part_00000: it is of other walkers"
truncate -s -1 "$saved/tick_00000035/part_00002"
run --walkers 3000 --frames 40 --restart "$saved"
expect "a cut file is named" says err.txt "part_00002: it has"
cp "$saved/tick_00000028/part_00001" "$saved/tick_00000035/part_00001"
run --walkers 3000 --frames 40 --restart "$saved"
expect "a file of another checkpoint is named" says err.txt "part_00001: it is part 1 of tick 28"
expect "and the checkpoint before that is taken" is "$(content)" "$one"
rm -r "$saved/tick_00000035"
mkdir "$saved/tick_00000038.writing"
run --walkers 3000 --frames 40 --restart "$saved"
expect "one that was not finished is not looked at" is "$(content)" "$one"
touch "$saved/tick_00000038.writing/part_00000"
run --walkers 3000 --frames 40 --restart "$saved" --checkpoint "$saved" --every 39
expect "the next checkpoint removes it" is "$(cd "$saved" && echo *)" "tick_00000028 tick_00000039"
expect "and is that of the same run" is "$(content)" "$one"
run --walkers 3 --frames 3 --restart "$folder/none"
expect "no checkpoint is an error" says err.txt "there is no whole checkpoint"
run --walkers 3 --frames 3 --checkpoint /proc/none --every 1
expect "a folder that cannot be made is an error" says err.txt "/proc/none"

# Killed in the middle of something, five times.
for delay in 0.3 0.35 0.4 0.47 0.55; do
    rm -rf "$saved"
    "$acre" crowd --walkers 500 --frames 1000000 --parts 3 --checkpoint "$saved" --every 1 >/dev/null 2>&1 &
    run=$!
    trap 'kill -9 "$run" 2>/dev/null' EXIT
    sleep "$delay"
    until ls "$saved" 2>/dev/null | grep -q '[0-9]$'; do
        kill -0 "$run" 2>/dev/null || break
        sleep 0.05
    done
    kill -9 "$run"
    wait "$run" 2>/dev/null
    tick="$(ls "$saved" | grep '[0-9]$' | tail -n 1)"
    tick="${tick#tick_}"
    tick=$((10#${tick:-0}))
    run --walkers 500 --frames $((tick + 3))
    straight="$(content)"
    run --walkers 500 --frames $((tick + 3)) --parts 2 --restart "$saved"
    expect "killed near tick $tick, it goes on from the last checkpoint" is "$(content)" "$straight"
done

run --parts 0
expect "a wrong argument ends with status 2" is "$status" 2
expect "a wrong argument is named" says err.txt "--parts"
run --help
expect "help ends with status 0" is "$status" 0
expect "help names parts" says out.txt "--parts"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -ge 40 ]
