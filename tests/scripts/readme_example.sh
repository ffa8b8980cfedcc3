#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# readme_example.sh - the programs in README.md compile without a warning, run, and print what it
# says.
#     tests/scripts/readme_example.sh WORK FLAGS LIBRARY...
# FLAGS: of the compiler, as -fsanitize=... where the libraries were compiled so.
set -euo pipefail
work="$1"
flags="$2"
shift 2
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
mkdir -p "$work"
rm -f "$work"/program*

# Each block ```c that has a main function.
awk -v work="$work" '
    /^```c$/ { inside = 1; text = ""; next }
    /^```$/ && inside {
        inside = 0
        if (text ~ /int main\(void\)/)
            printf "%s", text > (work "/program" ++count ".c")
        next
    }
    inside { text = text $0 "\n" }' "$root/README.md"

includes=()
for folder in "$root"/engine/*/include "$root"/modules/*/include; do
    includes+=("-I$folder")
done
# check NUMBER TEXT: the program's output.
check() {
    # shellcheck disable=SC2086
    "${CC:-cc}" -std=c17 -Wall -Wextra -Wpedantic -Wconversion -Werror $flags "${includes[@]}" \
        "$work/program$1.c" -Wl,--start-group "${libraries[@]}" -Wl,--end-group -lm \
        -o "$work/program$1"
    if [ "$("$work/program$1")" != "$2" ]; then
        echo "FAIL: program $1 of README.md prints:"
        "$work/program$1"
        exit 1
    fi
}
libraries=("$@")
check 1 "frame 0: 1 visible
frame 1: 1 visible
frame 2: 0 visible"
check 2 "1 found: 7"
if [ -e "$work/program3.c" ]; then
    echo "FAIL: README.md has a third program, which this test does not know"
    exit 1
fi
echo "readme_example: both programs compile and print what README.md says"
