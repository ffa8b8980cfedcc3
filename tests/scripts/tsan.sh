#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tsan.sh - builds the test programs whose name ends in _threads with the thread sanitizer and runs
# them. Planted races must be reported.
#     tests/scripts/tsan.sh WORK
set -euo pipefail
work="$1"
source="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
mkdir -p "$work"
if ! { cmake -S "$source" -B "$work" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DACRE_WERROR=ON \
    -DACRE_SANITIZE=thread -DACRE_BUILD_TOOLS=OFF &&
    cmake --build "$work" --target thread_tests; } >"$work/log" 2>&1; then
    cat "$work/log"
    exit 1
fi
for fault in count block; do
    if "$work/tests/planted_race" "$fault" >"$work/race" 2>&1 ||
        ! grep -q 'ThreadSanitizer: data race' "$work/race"; then
        echo "tsan: the planted race '$fault' was not found"
        exit 1
    fi
done
"$work/tests/planted_race" none
export TSAN_OPTIONS="halt_on_error=1 second_deadlock_stack=1"
ctest --test-dir "$work" --tests-regex '_threads$' --no-tests=error --output-on-failure
