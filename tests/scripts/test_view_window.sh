#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_view_window.sh - the window of `acre view` on a display of its own: keys, the mouse, leaving.
#     test_view_window.sh ACRE FOLDER [DROP_FILE]
# DROP_FILE drops a file onto a window; without it nothing is dropped.
# Exit status 77: Xvfb or xdotool is missing, or no display begins; with CI set that fails.
set -euo pipefail
acre="$1"
folder="$2"
drop_file="${3:-}"
# lacks WHAT: ends the test, which fails where CI is set.
lacks() {
    echo "skipped: $1"
    [ -z "${CI:-}" ] || exit 1
    exit 77
}
for program in Xvfb xdotool; do
    command -v "$program" >/dev/null || lacks "$program is missing (tools/setup.sh test installs it)"
done
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# A display that nobody else has.
exec 5>display.txt
Xvfb -displayfd 5 -screen 0 800x600x24 -nolisten tcp >xvfb.txt 2>&1 &
xvfb=$!
view=0
stop() {
    [ "$view" = 0 ] || kill "$view" 2>/dev/null || true
    kill "$xvfb" 2>/dev/null || true
}
trap stop EXIT
for _ in $(seq 100); do
    [ -s display.txt ] && break
    sleep 0.1
done
[ -s display.txt ] || lacks "Xvfb shows no display here: $(tail -n 1 xvfb.txt)"
DISPLAY=":$(cat display.txt)"
export DISPLAY XDG_CONFIG_HOME="$folder/config"
mkdir -p "$XDG_CONFIG_HOME"

echo "this is no model" >broken.glb
printf 'v %s\n' '0 0 0' '2 0 0' '2 2 0' '0 2 0' '0 0 2' '2 0 2' '2 2 2' '0 2 2' >box.obj
printf 'f %s\n' '1 4 3 2' '5 6 7 8' '1 2 6 5' '2 3 7 6' '3 4 8 7' '4 1 5 8' >>box.obj
# The names after "the samples are".
samples="$("$acre" view --sample nothing 2>&1 | sed 's/.*samples are //; s/,//g' || true)"

fail() {
    echo "FAIL $1"
    cat out.txt err.txt
    exit 1
}
[ "$(wc -w <<<"$samples")" -ge 13 ] || fail "the samples are not listed: $samples"
run_view() {
    "$acre" view --samples 1 --cars 100 "$@" >out.txt 2>err.txt &
    view=$!
    window=""
    for _ in $(seq 1200); do
        window="$(xdotool search --onlyvisible --pid "$view" 2>/dev/null || true)"
        [ -z "$window" ] || break
        kill -0 "$view" 2>/dev/null || fail "it ended before its window opened"
        sleep 0.1
    done
    [ -n "$window" ] || fail "no window opened"
    xdotool windowfocus "$window" mousemove --window "$window" 250 120
}
press() {
    local key
    for key in "$@"; do
        kill -0 "$view" 2>/dev/null || fail "it ended before the key $key"
        xdotool key --window "$window" "$key"
        sleep 0.15
    done
}
drag() {
    xdotool mousemove 200 100 mousedown "$1" mousemove 230 120 sleep 0.1 \
        mousemove 260 90 sleep 0.1 mouseup "$1"
}
leave() {
    press ctrl+q
    local status=0
    for _ in $(seq 1200); do
        kill -0 "$view" 2>/dev/null || break
        sleep 0.1
    done
    ! kill -0 "$view" 2>/dev/null || fail "Ctrl+Q did not end it after $1"
    wait "$view" || status=$?
    view=0
    [ "$status" = 0 ] || fail "exit status $status after $1"
    [ ! -s err.txt ] || fail "something was written to stderr after $1"
}

# Waits until the window is so large.
size_is() {
    for _ in $(seq 200); do
        [ "$(xdotool getwindowgeometry "$window" | sed -n 's/.*Geometry: //p')" != "$1" ] || return 0
        sleep 0.1
    done
    fail "the window is not $1"
}

run_view --sample idea --size 320x180
press F1 p F12 equal
size_is 320x180
press F11
size_is 800x600
press F11
size_is 320x180
for _ in $samples; do
    drag 1
    drag 3
    press n
done
leave "all samples"
[ -s acre_view.png ] || fail "F12 wrote no picture"
grep -q '^window 320 180 scale 1.25$' config/acre/view || fail "not remembered: $(cat config/acre/view)"

# A window without --size is as large as the last one.
sed -i 's/^window 320 180/window 400 300/' config/acre/view
run_view
size_is 400x300
press 1 2 3 4 5 6 7 8 9 b b b m g p F1 0 0 0 0 space period c c c c
drag 1
if [ -n "$drop_file" ]; then # a box of 2 m, and what is no model
    "$drop_file" "$window" "$folder/box.obj" || fail "a model was not taken"
    press 1 g
    "$drop_file" "$window" "$folder/broken.glb" || fail "a broken file was not taken"
    press n
fi
leave "all overlays"
# A picture, with its figures.
"$acre" view --sample idea --png idea.png --size 64x64 --json idea.json >out.txt 2>err.txt ||
    fail "no picture: $(cat err.txt)"
[ -s idea.png ] && grep -q '"draw_calls":[[:space:]]*[1-9]' idea.json || fail "no figures of a picture"
# Where it cannot, it says so in one line.
refuses() {
    local sentence="$1" wanted="$2" status=0
    shift 2
    "$acre" view "$@" >out.txt 2>err.txt </dev/null || status=$?
    [ "$status" = "$wanted" ] || fail "exit status $status, not $wanted: $sentence"
    [ "$(wc -l <err.txt)" = 1 ] || fail "not one line: $sentence"
}
refuses "a broken file" 1 broken.glb --png no.png --size 64x64
refuses "no such file" 1 nothing.glb --png no.png --size 64x64
refuses "a picture that cannot be" 1 --sample idea --png /proc/none/no.png --size 64x64
refuses "a file for figures that cannot be" 1 --sample idea --png no.png --json /proc/none/x.json --size 64x64
refuses "no such sample" 2 --sample nothing
refuses "no such overlay" 2 --overlay nothing
DISPLAY="" refuses "no display" 1 --sample idea
for version in 2.1 3.2; do
    MESA_GL_VERSION_OVERRIDE=$version refuses "a window without OpenGL 3.3" 1 --sample idea
    MESA_GL_VERSION_OVERRIDE=$version refuses "a picture without OpenGL 3.3" 1 --sample idea \
        --png no.png
done
echo "window: keys and the mouse through all samples and overlays; clean messages"
