#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# readme_example.sh - the programs in README.md and in the manual compile without a warning, run, and
# print what they say.
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
    inside { text = text $0 "\n" }' "$root/README.md" "$root/tools/docs/porting.md" \
    "$root/tools/docs/z_up_and_2d.md" "$root/tools/docs/troubleshooting.md"

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
        echo "FAIL: program $1 of the pages prints:"
        "$work/program$1"
        exit 1
    fi
}
libraries=("$@")
check 1 "1 box is near"
check 2 "frame 0: 1 visible
frame 1: 1 visible
frame 2: 0 visible"
check 3 "15 of 1000 in the area
121 of 1000 in view"
check 4 "12 sprites on the screen
4 sprites within 15"
check 5 "hidden by the maximum distance: by 40, at a distance of 90; in the moving tree
all rules hold"
if [ -e "$work/program6.c" ]; then
    echo "FAIL: the pages have a sixth program, which this test does not know"
    exit 1
fi
echo "readme_example: the programs compile and print what the pages say"
