#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test.sh - installs what is missing, builds with checks and sanitizers, runs all tests.
# Ends with a count of passed, failed and skipped; exits with 1 if a test failed or none ran.
#     tools/test.sh [arguments of ctest, as -R NAME]
# It builds in ACRE_BUILD, or in the checkout's folder `build`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build="${ACRE_BUILD:-build}/test"
jobs="$(nproc)"

./tools/setup.sh test

if ! mkdir -p "$build" 2>/dev/null || ! [ -w "$build" ]; then
    echo "test: $build cannot be written; name another folder: ACRE_BUILD=/tmp/acre $0" >&2
    exit 1
fi
if [ $# -eq 0 ]; then
    # Measured: 22 minutes on two processors, about 5 of which build: some 40 minutes of processor
    # time, and the last tests leave some processors idle.
    echo "test: builds and runs everything; with $jobs processors about $((40 / jobs + 2)) minutes"
fi
cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Debug -DACRE_CHECK=2 -DACRE_WERROR=ON \
    -DACRE_SANITIZE=address,undefined -DACRE_BUILD_TESTS=ON -DACRE_BUILD_TOOLS=ON \
    >"$build/configure.log" || { cat "$build/configure.log"; exit 1; }
cmake --build "$build" --parallel "$jobs" 2>&1 |
    awk -v name=test -v log_file="$build/build.log" -f tools/build_progress.awk ||
    { grep -E -A 12 'error|warning|undefined' "$build/build.log" || tail -n 40 "$build/build.log"
      echo "test: the build failed; the whole log is $build/build.log" >&2; exit 1; }

ctest --test-dir "$build" --parallel "$jobs" --timeout 900 --output-on-failure "$@" |
    tee "$build/ctest.log" || true

# Test programs print "N passed, M failed" over their cases; the last line counts tests.
awk '/^[0-9]+ passed, [0-9]+ failed$/ { passed += $1; failed += $3 }
     END { printf "\ncases within the test programs: %d passed, %d failed\n", passed, failed }' \
    "$build/Testing/Temporary/LastTest.log"
awk '/^ *[0-9]+\/[0-9]+ +Test +#/ {
         if (/ Passed /) passed++
         else if (/\*\*\*Skipped/) { skipped++; sub(/.*#[0-9]+: /, ""); names = names " " $1 }
         else failed++
     }
     END {
         if (skipped)
             printf "skipped:%s (tools/setup.sh test installs what they need)\n", names
         printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
         exit failed > 0 || passed == 0
     }' "$build/ctest.log"
