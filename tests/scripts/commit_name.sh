#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# commit_name.sh - the commit checked out, short, for dated results; with -dirty if a file is changed.
#     tests/scripts/commit_name.sh [changed]
# `changed` prints the changed and untracked files instead, as git status does. Results are no change:
# tests/results, records of campaigns, and in tests/README.md the table of platforms.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

without_table() {
    sed '/^| Kind | Date/,/^$/d'
}
changed() {
    git status --porcelain -- ':!tests/results' ':!tests/README.md' ':!tests/campaigns/*.txt'
    git show HEAD:tests/README.md | without_table | cmp -s - <(without_table <tests/README.md) ||
        echo " M tests/README.md"
}

list="$(changed)"
if [ "${1:-}" = changed ]; then
    [ -z "$list" ] || echo "$list"
else
    echo "$(git rev-parse --short HEAD)${list:+-dirty}"
fi
