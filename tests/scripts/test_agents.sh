#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_agents.sh - the program `acre agents` from outside: flags, exit statuses, files, messages.
#     test_agents.sh ACRE JSON_VALUE FOLDER
# ACRE and JSON_VALUE are programs, FOLDER is made anew. No time is judged: machines are noisy.
set -uo pipefail
acre="$1"
json_value="$2"
folder="$3"

# shellcheck source=tests/scripts/program_checks.sh
. "$(dirname "$0")/program_checks.sh"

run() { run_acre agents "$@"; }
begins_as_png() { [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ]; }

run --agents 2000 --frames 130 --seed 7 --area 4.5 --check 10 --svg deep/er --png deep/est \
    --picture-every 50 --view 40 --json table.json --csv table.csv
expect "a run ends well" is "$status" 0
expect "without a terminal there is no progress line" test ! -s err.txt
for text in "2000 agents on 95 m x 95 m, seed 7" "move" "refresh" "pairs" "response" "maintain" \
    "frames a second" "bytes an agent" "0 allocations in 70 frames" "bounces" "kinetic energy" \
    "of 13 frames against a grid: equal" "state" "pictures         of 2 frames in deep/er and deep/est"; do
    expect "the table tells $text" says out.txt "$text"
done
expect "the agents are in the JSON" is "$(json table.json agents)" 2000
expect "the frames are in the JSON" is "$(json table.json frames)" 130
expect "the area is in the JSON" is "$(json table.json area)" 4.5
expect "the check is in the JSON" is "$(json table.json check equal)" true
expect "the last frame is checked as well" is "$(json table.json check frames)" 13
expect "agents meet" is_not "$(json table.json check pairs)" 0
expect "agents bounce" is_not "$(json table.json bounces max)" 0
expect "all agents are in the tree" is "$(json table.json tree items)" 2000
expect "steady frames allocate nothing" is "$(json table.json tree steady_allocations)" 0
expect "the tree's bytes do not change" \
    is "$(json table.json tree bytes)" "$(json table.json tree bytes_after_warm_up)"
for part in frame move refresh find_pairs response maintain; do
    expect "times are in the JSON" is_not "$(json table.json microseconds $part median)" 0
    expect "times are in the CSV" says table.csv "agents,2000,\"acre\",\"$part\",\"\",,us,"
done
for row in pairs bounces "tree memory" "steady allocations" energy; do
    expect "rows are in the CSV" says table.csv "agents,2000,\"acre\",\"$row\",\"\",,"
done
for frame in 000050 000100; do
    for part in 'id="agents"' 'id="touching"' 'id="cells"' 'id="walls"' "2000 agents" '</svg>'; do
        expect "the picture has its parts" says "deep/er/frame_$frame.svg" "$part"
    done
    expect "the other picture is a PNG" begins_as_png "deep/est/frame_$frame.png"
done
expect "there is a picture of every 50th frame alone" is "$(ls deep/er deep/est | grep -c frame_)" 4

run --agents 100 --frames 7 --svg short
expect "a run shorter than the interval draws its last frame" is "$(ls short)" frame_000007.svg

# The same seed, the same state; whatever the kernel.
run --agents 500 --frames 70 --seed 3 --size 60 --json one.json
expect "a size is taken" is "$status" 0
run --agents 500 --frames 70 --seed 3 --size 60 --kernel scalar --check 0 --json two.json
expect "a run without checks says so" says out.txt "checked          nothing"
expect "the kernel is told" says out.txt "kernel scalar"
run --agents 500 --frames 70 --seed 4 --size 60 --json other.json
run --agents 40000 --frames 10 --check 0 --json serial.json
run --agents 40000 --frames 10 --check 0 --workers 3 --json shared.json
expect "the workers are told" says out.txt ", 3 workers,"
expect "and stand in the JSON" is "$(json shared.json workers)" 3
expect "more workers give the same state" \
    is "$(json serial.json state)" "$(json shared.json state)"
expect "a seed gives the same state in every kernel" \
    is "$(json one.json state)" "$(json two.json state)"
expect "another seed gives another state" is_not "$(json one.json state)" "$(json other.json state)"

run --agents 1000 --frames 100 --shuffle --churn 25 --node-capacity 64 --check 5
expect "agents that come and go collide as well" is "$status" 0
expect "the shuffling is told" says out.txt "100 frames, shuffled, 25 %"
expect "the churn is told" says out.txt "25 % removed and inserted in each"
expect "pairs are checked where agents come and go" says out.txt "of 20 frames against a grid: equal"
run --agents 1 --frames 2
expect "one agent runs alone" is "$status" 0
expect "one agent meets nobody" says out.txt "0 pairs, 0 bounces"

# Places that cannot be written.
: >plain
for flag in --svg --png; do
    run --agents 10 --frames 3 --picture-every 2 $flag plain/folder
    expect "a picture that cannot be written ends with status 1" is "$status" 1
    expect "a picture that cannot be written is named" says err.txt plain/folder/frame_000002
done
for flag in --json --csv; do
    for place in plain/table /dev/full; do
        run --agents 10 --frames 3 $flag $place
        expect "a table that cannot be written ends with status 1" is "$status" 1
        expect "a table that cannot be written is named" says err.txt "$place"
    done
done

# Wrong arguments.
refused() {
    local named="$1"
    shift
    run --json refused.json "$@"
    expect "a wrong argument ends with status 2" is "$status" 2
    expect "a wrong argument is named" says err.txt "$named"
    expect "a wrong argument runs nothing" test ! -s out.txt -a ! -e refused.json
}
refused "--agents" --agents 0
refused "10000001" --agents 10000001
refused "'many'" --frames many
refused "'3.9'" --area 3.9
refused "'4.5.5'" --area 4.5.5
refused "'-4'" --area -4
refused "'.'" --size .
refused "--size takes" --agents 100 --size 19
refused "two ways" --area 9 --size 1000
refused "'101'" --churn 101
refused "'mmx'" --kernel mmx
refused "'0'" --node-capacity 0
refused "--view" --view 0
refused "not empty" --svg ""
refused "looks like an option" --svg --png
refused "--speed" --speed 9
refused "--frames needs a value" --frames
refused "'extra'" extra

run --help
expect "help ends with status 0" is "$status" 0
for flag in --agents --frames --workers --seed --area --size --shuffle --churn --node-capacity --kernel --check --svg \
    --png --picture-every --view --json --csv --help; do
    expect "help names every flag" says out.txt "$flag"
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 120 ]
