#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hosts.sh - builds the examples in hosts (tools/examples/hosts) and the benchmark beside engines, and
# runs their tests: a release, and with checks and sanitizers.
#     tests/campaigns/hosts.sh [RECORD]
# tools/setup.sh hosts installs what they need; what is missing is left out with a line. RECORD
# receives the date, the commit and what the tests said; default: hosts.txt beside this script.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
record="${1:-$root/tests/campaigns/hosts.txt}"
commit="$("$root/tests/scripts/commit_name.sh")"
lines="$(mktemp)"
trap 'rm -f "$lines"' EXIT

# run NAME CMAKE_OPTION...: builds and tests.
run() {
    local name="$1" build="$root/build/hosts-$1"
    shift
    mkdir -p "$build"
    { cmake -S "$root" -B "$build" -DACRE_BUILD_HOSTS=ON -DACRE_WERROR=ON "$@" &&
        cmake --build "$build" --target hosts acre --parallel "$(nproc)"; } >"$build/log" 2>&1 || {
        tail -n 40 "$build/log" >&2
        exit 1
    }
    grep -h 'is left out' "$build/log" | sed 's/^-- Acre: //' || true
    echo "$name:"
    ctest --test-dir "$build" -L hosts --no-tests=error --output-on-failure >"$build/tests.log" || {
        cat "$build/tests.log" >&2
        exit 1
    }
    sed -n 's/^ *[0-9]*\/[0-9]* Test *#[0-9]*: \(host_[a-z_]*\) .* \(Passed\|\**Skipped\).*/    \1: \2/p' \
        "$build/tests.log"
}

{
    run release -DCMAKE_BUILD_TYPE=Release
    run sanitizers -DCMAKE_BUILD_TYPE=Debug -DACRE_CHECK=2 -DACRE_SANITIZE=address,undefined
} >"$lines"
{
    echo "# $(date +%F), commit $commit: $(dpkg-query -W -f='${Package} ${Version}, ' libglfw3-dev libsdl2-dev \
        libbullet-dev libogre-1.12-dev libopenscenegraph-dev 2>/dev/null | sed 's/, $//')"
    cat "$lines"
} >"$record"
cat "$record"
