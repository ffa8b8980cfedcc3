#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_crowd_folders.sh - checkpoints of `acre crowd` in folders where others have files: what is
# removed, refused, skipped and kept.
#     test_crowd_folders.sh ACRE FOLDER [SEED]
# ACRE is a program, FOLDER is made anew. SEED is that of the strangers' files.
set -uo pipefail
acre="$1"
folder="$2"
seed="${3:-1}"

# shellcheck source=tests/scripts/program_checks.sh
. "$(dirname "$0")/program_checks.sh"

# run ARGUMENTS: within 20 seconds; 124 is a program that hangs.
run() {
    status=0
    timeout 20 "$acre" crowd --walkers 400 "$@" >out.txt 2>err.txt </dev/null || status=$?
}
content() { tail -n 1 out.txt; }
# facts FOLDER: each name, its kind, where a link leads, and the sum of what it has.
facts() {
    (cd "$1" && find . -mindepth 1 -printf '%p %y %l\n' | sort
        find . -type f -exec sha256sum {} + | sort -k 2)
}
# keeps BEFORE FOLDER: all that a list of facts has is still so.
keeps() { [ -z "$(comm -23 <(sort "$1") <(facts "$2" | sort))" ]; }
straight() { run --frames "$1" && content; }

thirty="$(straight 30)"
forty="$(straight 40)"
expect "contents of two ticks differ" is_not "$thirty" "$forty"
run --frames 20 --checkpoint mine --every 10
run --frames 20 --checkpoint other --every 10 --seed 7

# ---- what --restart takes ----

cp -r mine saved
run --frames 20 --restart saved
expect "a restart at the last tick ends well" is "$status" 0
expect "and says so" says out.txt "the checkpoint is of tick 20: nothing is left to run"
expect "and has the content of that tick" is "$(content)" "$(straight 20)"
run --frames 20 --restart saved --json last.json
expect "with figures that are numbers" is "$(grep -c -iE 'nan|inf|null' last.json)" 0
run --frames 15 --restart saved
expect "an earlier last tick takes the earlier set" is "$(content)" "$(straight 15)"
run --frames 15 --restart saved
expect "and names the later one" says err.txt "tick_00000020; it is of a tick after the last, 15"
run --frames 5 --restart saved
expect "a last tick before all sets ends well" is "$status" 0
expect "and says what there is" says out.txt "is of tick 20: nothing is left"
truncate -s -1 saved/tick_00000020/part_00000
run --frames 30 --restart saved
expect "a cut set is skipped" is "$(content)" "$thirty"
expect "by name" says err.txt "tick_00000020/part_00000: it has"
expect "the older set is taken" says out.txt "20 ticks"
rm -r saved/tick_00000020
cp -r other/tick_00000020 saved
run --frames 30 --restart saved
expect "the set of another world is skipped" is "$(content)" "$thirty"
expect "by name, too" says err.txt "part_00000: it is of other walkers"
cp -r mine/tick_00000020 saved/tick_00000025
run --frames 30 --restart saved
expect "a set under the name of another tick is skipped" is "$(content)" "$thirty"
expect "with its own tick" says err.txt "tick_00000025/part_00000: it is part 0 of tick 20"
run --frames 30 --restart other
expect "sets of other worlds alone are an error" is "$status" 1
expect "that says so" says err.txt "no whole checkpoint of these walkers"
for kind in fifo folder link; do
    rm -rf saved/tick_00000025/part_00000
    case $kind in
    fifo) mkfifo saved/tick_00000025/part_00000 ;;
    folder) mkdir saved/tick_00000025/part_00000 ;;
    link) ln -s /dev/zero saved/tick_00000025/part_00000 ;;
    esac
    run --frames 30 --restart saved
    expect "a part that is a $kind is skipped" is "$(content)" "$thirty"
done

# ---- what is refused at once ----

mkfifo fifo
touch file
for place in fifo file /dev/null; do
    run --frames 30 --checkpoint "$place" --every 10
    expect "--checkpoint $place is refused" is "$status" 1
    expect "--checkpoint $place is named" says err.txt "$place: Not a directory"
    run --frames 30 --restart "$place"
    expect "--restart $place is refused" is "$status" 1
    expect "--restart $place is named as well" says err.txt "$place: Not a directory"
done
mkdir locked
mkfifo locked/.acre_crowd.lock
run --frames 30 --checkpoint locked --every 10
expect "a lock that is a pipe is refused" says err.txt ".acre_crowd.lock: it is no plain file"
run --frames 5 --json fifo
expect "a pipe that nobody reads is refused" says err.txt "fifo: nobody reads this pipe"

# ---- strangers' files, at random ----

RANDOM=$seed
# stranger PATH: something that the run did not write.
stranger() {
    [ ! -e "$1" ] && [ ! -L "$1" ] || return 0
    case $((RANDOM % 9)) in
    0) echo "notes $RANDOM" >"$1" ;;
    1) mkfifo "$1" ;;
    2) ln -s "$folder/treasure" "$1" ;;
    3) ln -s nowhere "$1" ;;
    4) mkdir "$1" && echo "notes $RANDOM" >"$1/part_00000" ;;
    5) mkdir "$1" && mkfifo "$1/part_00001" ;;
    6) cp -r other/tick_00000020 "$1" ;;
    7) mkdir "$1" && ln -s "$folder/mine/tick_00000010/part_00000" "$1/part_00000" ;;
    8) mkdir -p "$1/deep" && echo "notes $RANDOM" >"$1/deep/part_00000" ;;
    esac
}
mkdir treasure
cp mine/tick_00000010/part_00000 treasure
facts treasure >treasure.facts
names=(tick_00000005 tick_00000010 tick_00000010.writing tick_00000016 tick_00000020 tick_00000028
    tick_00000020.writing tick_00000024.writing tick_00000030.writing tick_1 tick_ tick_0000001
    tick_000000010 tick_00000010. tick_00000010.old tick_4294967296 tick_-0000001 'tick_00000010 '
    part_00000 .hidden tick_00000010.Writing)
for round in 1 2 3 4 5 6; do
    rm -rf strange
    mkdir strange
    for name in "${names[@]}"; do
        [ $((RANDOM % 2)) -eq 0 ] || stranger "strange/$name"
    done
    facts strange >strange.facts
    run --frames 30 --checkpoint strange --every 2
    expect "round $round goes on among strangers (seed $seed)" is "$status" 0
    expect "round $round has the content" is "$(content)" "$thirty"
    expect "round $round leaves what it did not write (seed $seed)" keeps strange.facts strange
    run --frames 40 --restart strange
    expect "round $round can be gone on with (seed $seed)" is "$(content)" "$forty"
done
expect "what links lead to is as it was" keeps treasure.facts treasure

# ---- a run's own sets ----

rm -rf saved
cp -r mine saved
echo notes >saved/tick_00000010/notes
ln -s ../notes saved/tick_00000010/part_00001
run --frames 40 --restart saved --checkpoint saved --every 10
expect "own files are removed, a stranger's beside them are not" \
    is "$(cd saved && echo */*)" "tick_00000010/notes tick_00000010/part_00001 tick_00000030/part_00000 tick_00000040/part_00000"
rm -rf saved
cp -r mine saved
run --frames 20 --checkpoint saved --every 10 --parts 2
expect "a set of the same tick is replaced" \
    is "$(cd saved && echo *)/$(cd saved/tick_00000020 && echo *)" "tick_00000010 tick_00000020/part_00000 part_00001"
mkdir saved/tick_00000015.writing
head -c 16 mine/tick_00000010/part_00000 >saved/tick_00000015.writing/part_00000
touch saved/tick_00000015.writing/part_00001
echo mine >saved/tick_00000015.writing/part_00002
run --frames 30 --restart saved --checkpoint saved --every 10
expect "of an unfinished set what is a stranger's stays" \
    is "$(echo saved/*.writing/*)" "saved/tick_00000015.writing/part_00002"

# ---- no room ----

# full FOLDER LIMIT: a run whose sets do not fit any more.
full() {
    facts "$1" >full.facts
    (ulimit -f "$2" && run --frames 40 --restart "$1" --checkpoint "$1" --every 10 && exit "$status")
    status=$?
    expect "a run whose checkpoint does not fit fails ($1)" is "$status" 1
    expect "with the file's name ($1)" says err.txt "tick_00000030.writing/part_00000: $3"
    expect "and leaves the older sets ($1)" is "$(facts "$1")" "$(cat full.facts)"
    run --frames 40 --restart "$1"
    expect "which can be gone on with ($1)" is "$(content)" "$forty"
}
rm -rf saved
cp -r mine saved
touch saved/.acre_crowd.lock
full saved 10 "File too large"
# A disk of its own where that is allowed: room for two sets.
mkdir disk
if mount -t tmpfs -o size=64k tmpfs disk 2>/dev/null; then
    trap 'umount disk' EXIT
    cp -r mine/tick_* mine/.acre_crowd.lock disk
    full disk unlimited "No space left on device"
    umount disk
    trap - EXIT
fi

# ---- two runs on a folder ----

rm -rf saved
"$acre" crowd --walkers 400 --frames 1000000 --checkpoint saved --every 1 >/dev/null 2>&1 &
first=$!
trap 'kill -9 "$first" 2>/dev/null' EXIT
until [ -n "$(ls saved 2>/dev/null)" ]; do
    kill -0 "$first" 2>/dev/null || break
    sleep 0.05
done
run --frames 10 --checkpoint saved --every 10
expect "a second run on the folder is refused" is "$status" 1
expect "and says why" says err.txt "saved: another run writes its checkpoints there"
run --frames 10 --checkpoint saved/. --every 10
expect "under another name of the folder, too" is "$status" 1
expect "the first run goes on" kill -0 "$first"
kill -9 "$first"
wait "$first" 2>/dev/null
run --frames 1 --restart saved
expect "what it left can be read" is "$status" 0
run --frames 40 --checkpoint saved --every 10
expect "its lock ends with it" is "$status" 0
expect "and the next run has the content" is "$(content)" "$forty"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -ge 70 ]
