#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test.sh - installs what is missing, builds with asserts and sanitizers, runs all tests.
# Ends with a count of passed and failed; exits with 1 if a test failed or none ran.
#     tools/test.sh [arguments of ctest, as -R NAME]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=build/test
jobs="$(nproc)"

./tools/setup.sh test

mkdir -p "$build"
cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Debug -DACRE_CHECK=2 -DACRE_WERROR=ON \
    -DACRE_SANITIZE=address,undefined -DACRE_BUILD_TESTS=ON -DACRE_BUILD_TOOLS=ON \
    >"$build/configure.log" || { cat "$build/configure.log"; exit 1; }
cmake --build "$build" --parallel "$jobs" >"$build/build.log" 2>&1 ||
    { grep -E -A 12 'error|warning|undefined' "$build/build.log" || tail -n 40 "$build/build.log"
      echo "test: the build failed; the whole log is $build/build.log" >&2; exit 1; }

ctest --test-dir "$build" --parallel "$jobs" --timeout 900 --output-on-failure "$@" |
    tee "$build/ctest.log" || true

# Test programs print "N passed, M failed" over their cases; the last line counts tests.
awk '/^[0-9]+ passed, [0-9]+ failed$/ { passed += $1; failed += $3 }
     END { printf "\ncases within the test programs: %d passed, %d failed\n", passed, failed }' \
    "$build/Testing/Temporary/LastTest.log"
awk '/^ *[0-9]+\/[0-9]+ +Test +#/ {
         if (/ Passed /) passed++; else if (/\*\*\*Skipped/) skipped++; else failed++
     }
     END {
         printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
         exit failed > 0 || passed == 0
     }' "$build/ctest.log"
