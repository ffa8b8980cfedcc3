#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# package.sh - makes what is handed on.
#     tools/package.sh KIND OUT
# Each kind is a script in tools/package, whose head says what it makes. It builds in a folder of its
# own in ACRE_BUILD, or in the checkout's `build`, and writes into a new folder beside, from which its
# files go to OUT when all are there. What else is in OUT stays: a file of the same name that no earlier
# run wrote gets the name FILE.before. OUT/.acre_KIND lists what was written; files of the last run that
# are not made any more are removed, if they are still as they were.
set -euo pipefail
scripts="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/package"
script="$scripts/$(tr - _ <<<"${1:-}").sh"
if [ $# -ne 2 ] || [ ! -x "$script" ]; then
    {
        echo "usage: tools/package.sh KIND OUT"
        for script in "$scripts"/*.sh; do
            kind="$(basename "$script" .sh)"
            printf '    %-10s %s\n' "${kind//_/-}" "$(sed -n '3s/^# [a-z_]*\.sh - //p' "$script")"
        done
    } >&2
    exit 2
fi
mkdir -p "$2"
out="$(cd "$2" && pwd)"
list="$out/.acre_$1"
new="$(mktemp -d "$out/.acre_new.XXXXXX")"
trap 'rm -rf "$new"' EXIT
"$script" "$new"

# is_own FILE: the last run wrote it, and it is as it was.
is_own() {
    [ -f "$list" ] && [ -f "$out/$1" ] && [ ! -L "$out/$1" ] && (cd "$out" && sha256sum "$1") 2>/dev/null | grep -qxF -f - "$list"
}
# put_aside FILE: under another name.
put_aside() {
    local kept="$1.before"
    while [ -e "$out/$kept" ] || [ -L "$out/$kept" ]; do kept+=_; done
    mv "$out/$1" "$out/$kept"
    echo "package: $out/${1#./} was there already; it is ${kept#./} now"
}
cd "$new"
find . -type f -exec sha256sum {} + | sort -k 2 >"$new.list"
trap 'rm -rf "$new" "$new.list"' EXIT
while read -r _ file; do
    if [ -d "$out/$file" ]; then
        echo "package: $out/${file#./} is a folder; take it away first" >&2
        exit 1
    fi
done <"$new.list"
find . -type d | while read -r folder; do
    if { [ -e "$out/$folder" ] || [ -L "$out/$folder" ]; } && [ ! -d "$out/$folder" ]; then
        echo "package: $out/${folder#./} is no folder; take it away first" >&2
        exit 1
    fi
done
find . -type d -print0 | (cd "$out" && xargs -0 mkdir -p)
while read -r _ file; do
    if { [ -e "$out/$file" ] || [ -L "$out/$file" ]; } && ! is_own "$file"; then
        put_aside "$file"
    fi
    mv -f "$file" "$out/$file"
done <"$new.list"
if [ -f "$list" ]; then
    while read -r _ file; do
        if ! cut -c 67- "$new.list" | grep -qxF -- "$file" && is_own "$file"; then
            rm -f "$out/$file"
            rmdir "$(dirname "$out/$file")" 2>/dev/null || true
        fi
    done <"$list"
fi
mv -f "$new.list" "$list"
