#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test.sh - installs what is missing, builds with checks and sanitizers, runs the tests.
# Ends with a count of passed, failed and skipped; exits with 1 if a test failed or none ran.
#     tools/test.sh [--all] [arguments of ctest, as -R NAME]
# With --all also those labeled `long`: other compilers and processors, races, long random streams,
# programs of other projects, Acre as two files. CI runs them.
# It builds in ACRE_BUILD, or in the checkout's folder `build`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build="${ACRE_BUILD:-build}/test"
jobs="$(nproc)"
# Messages and decimal points of the programs that tests call are the same everywhere.
export LC_ALL=C

chosen=(-LE '^long$')
minutes=$((16 / jobs + 1))
if [ "${1:-}" = --all ]; then
    chosen=()
    minutes=$((40 / jobs + 2))
    shift
fi

./tools/setup.sh test

if ! mkdir -p "$build" 2>/dev/null || ! [ -w "$build" ]; then
    echo "test: $build cannot be written; name another folder: ACRE_BUILD=/tmp/acre $0" >&2
    exit 1
fi
if [ $# -eq 0 ]; then
    # Measured on two processors, the build included.
    echo "test: builds and runs; with $jobs processors about $minutes minutes, on a slow machine thrice that"
fi

# The sanitizers of some compilers stop now and then where the kernel scatters addresses more widely
# than they know, and leaks are not found where a process may not look into another one.
ask_sanitizers() {
    local try
    echo 'int main(void) { return 0; }' |
        "${CC:-cc}" -fsanitize=address,undefined -x c - -o "$build/small" 2>"$build/small.log" || return 0
    for try in {1..30}; do
        "$@" "$build/small" >"$build/small.log" 2>&1 || return 1
    done
}
steady=()
if ! ask_sanitizers; then
    if ask_sanitizers setarch -R; then
        steady=(setarch -R)
    elif ASAN_OPTIONS=detect_leaks=0 ask_sanitizers; then
        echo "test: leaks are not looked for: $(tail -n 1 "$build/small.log")"
        [ -z "${CI:-}" ] || exit 1
        export ASAN_OPTIONS="detect_leaks=0"
    fi
fi

# With -O1 the tests take two fifths of the time; with lines alone in place of all variables the build
# is not much longer than with -O0. Beside sanitizers two of gcc's warnings are wrong; other builds
# have them.
flags="-O1 -g1 -Wno-maybe-uninitialized -Wno-stringop-overflow"
# gold links the 280 programs in half the time.
linker=""
! echo 'int main(void) { return 0; }' | "${CC:-cc}" -fuse-ld=gold -x c - -o "$build/small" 2>/dev/null ||
    linker=-fuse-ld=gold
cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS_DEBUG=$flags" \
    "-DCMAKE_CXX_FLAGS_DEBUG=$flags" -DACRE_CHECK=2 -DACRE_WERROR=ON \
    "-DCMAKE_EXE_LINKER_FLAGS=$linker" -DACRE_SANITIZE=address,undefined -DACRE_BUILD_TESTS=ON -DACRE_BUILD_TOOLS=ON \
    >"$build/configure.log" || { cat "$build/configure.log"; exit 1; }
cmake --build "$build" --parallel "$jobs" 2>&1 |
    awk -v name=test -v log_file="$build/build.log" -f tools/build_progress.awk ||
    { grep -E -A 12 'error|warning|undefined' "$build/build.log" || tail -n 40 "$build/build.log"
      echo "test: the build failed; the whole log is $build/build.log" >&2; exit 1; }

"${steady[@]}" ctest --test-dir "$build" --parallel "$jobs" --timeout 1800 --output-on-failure \
    "${chosen[@]}" "$@" | tee "$build/ctest.log" || true

# Test programs print "N passed, M failed" over their cases; the last line counts tests.
awk '/^[0-9]+ passed, [0-9]+ failed$/ { passed += $1; failed += $3 }
     END { printf "\ncases within the test programs: %d passed, %d failed\n", passed, failed }' \
    "$build/Testing/Temporary/LastTest.log"
awk -v all="${chosen[*]}" '/^ *[0-9]+\/[0-9]+ +Test +#/ {
         if (/ Passed /) passed++
         else if (/\*\*\*Skipped/) { skipped++; sub(/.*#[0-9]+: /, ""); names = names " " $1 }
         else failed++
     }
     END {
         if (skipped)
             printf "skipped:%s (tools/setup.sh test installs what they need)\n", names
         if (passed + skipped + failed == 0 && all != "")
             print "no test of the short form has such a name; --all has more"
         printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
         exit failed > 0 || passed == 0
     }' "$build/ctest.log"
