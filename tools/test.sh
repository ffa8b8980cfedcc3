#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test.sh - builds Acre with asserts and sanitizers and runs all tests; ends with a count.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake -S . -B build/test -DCMAKE_BUILD_TYPE=Debug -DACRE_WERROR=ON \
    -DACRE_SANITIZE=address,undefined >/dev/null
cmake --build build/test -j "$(nproc)"
ctest --test-dir build/test --output-on-failure
