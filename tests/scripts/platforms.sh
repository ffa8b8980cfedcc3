#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# platforms.sh - every kind of cross.sh, one after the other, as a table.
#     tests/scripts/platforms.sh WORK [write]
# `write` puts the table into tests/README.md in place of the one there. What a kind builds and runs,
# cross.sh says. A kind whose compiler is missing is skipped. The first line of WORK/KIND.log names the
# commit that it is of. A kind that passed in WORK at the commit checked out now, with no file changed,
# is not run again, so that a run that was stopped goes on.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
mkdir -p "$1"
export WINEDEBUG=-all
commit="$("$here/commit_name.sh")"
# has_passed LOG: at this commit. A changed file has no commit to compare with.
has_passed() {
    [[ $commit != *-dirty ]] && [ "$(head -n 1 "$1" 2>/dev/null)" = "commit $commit" ] &&
        grep -q '^[1-9][0-9]* passed, 0 failed$' "$1"
}
{
    printf '| Kind | Date | Commit | Result |\n|---|---|---|---|\n'
    for kind in gcc clang fast musl i686 arm64 armhf riscv64 ppc64 s390x windows msvc; do
        log="$1/$kind.log"
        if ! has_passed "$log"; then
            echo "commit $commit" >"$log"
            "$here/cross.sh" "$kind" "$1/$kind" >>"$log" 2>&1 || true
        fi
        printf '| `%s` | %s | %s | %s |\n' "$kind" "$(date -r "$log" +%F)" "$commit" "$(tail -n 1 "$log")"
    done
} | tee "$1/table"
if [ "${2:-}" = write ]; then
    awk -v table="$1/table" '
        /^\| Kind \| Date/ { inside = 1; while ((getline line < table) > 0) print line }
        inside && !/^\|/ { inside = 0 }
        !inside' "$here/../README.md" >"$1/README.md"
    cp "$1/README.md" "$here/../README.md"
fi
# Every row says that something passed and nothing failed, or that the compiler is missing.
! sed 1,2d "$1/table" | grep -vE '\| ([1-9][0-9]* passed, 0 failed|SKIP: .*) \|$'
