#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_host.sh - runs an example in a host that opens a window, on a display that nobody sees.
#     tests/scripts/test_host.sh PROGRAM [ARGUMENT...]
# Exit status 77: skipped, as there is no Xvfb. SDL needs none.
set -euo pipefail
export SDL_VIDEODRIVER=dummy
suppressions="$(cd "$(dirname "${BASH_SOURCE[0]}")/../view" && pwd)/drivers.supp"
export LSAN_OPTIONS="suppressions=$suppressions:print_suppressions=0"
if [ "$(basename "$1")" != glfw_loop ]; then
    exec "$@"
fi
if ! command -v Xvfb >/dev/null; then
    echo "host: skipped, Xvfb is missing (Debian: xvfb)"
    exit 77
fi
display="$(mktemp)"
exec 5>"$display"
Xvfb -displayfd 5 -screen 0 1024x600x24 -nolisten tcp >/dev/null 2>&1 &
xvfb=$!
trap 'kill "$xvfb" 2>/dev/null || true; rm -f "$display" "$display.out"' EXIT
for _ in $(seq 100); do
    [ -s "$display" ] && break
    sleep 0.1
done
if ! [ -s "$display" ]; then
    echo "host: skipped, Xvfb shows no display here"
    exit 77
fi
# The driver leaves leaks behind, and is unloaded before they are listed; those that name Acre count.
status=0
DISPLAY=":$(cat "$display")" LSAN_OPTIONS="$LSAN_OPTIONS:exitcode=0" "$@" >"$display.out" 2>&1 || status=$?
cat "$display.out"
if grep -qE '^ +#[0-9]+ .* acre_' "$display.out"; then
    status=1
fi
exit "$status"
