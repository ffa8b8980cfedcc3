#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# module_pages.sh - the pages show the modules as cmake/modules.cmake has them.
#     tests/scripts/module_pages.sh [ROOT]
# engine/README.md: a line of the diagram for each module, with the modules that it uses, on a floor above
# them; and a link to the README of each module. tests/README.md names each module.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cd "${1:-$here/../..}"
failed=0
fail() {
    echo "FAIL $*"
    failed=$((failed + 1))
}

# floor FOLDER: the number at the beginning of its line in the diagram, or of a line above; then the words after "uses".
# Its lines: floor N   FOLDER   what it is   uses NAME, NAME; NAME where it is built
shown="$(awk '
/^floor [0-9]/ { floor = $2; sub(/^floor [0-9]+/, "") }
/^ +(engine|modules)\/[a-z_]+ / {
    uses = ""
    if (match($0, /  uses /))
        uses = substr($0, RSTART + 7)
    print $1 "|" floor "|" uses
}' engine/README.md)"
# words_of TEXT: the names of modules in it, sorted, in one line.
words_of() {
    tr -c 'a-z_\n' ' ' <<<"$1" | tr ' ' '\n' | grep -xF "$names" | sort | tr '\n' ' ' || true
}

graph="$("$here/module_graph.sh" .)"
names="$(sed 's/|.*//; s/.*\///' <<<"$graph")"
declare -A floor
while IFS='|' read -r folder uses where _; do
    name="${folder##*/}"
    [ "$(grep -c "^$folder|" <<<"$shown")" = 1 ] ||
        fail "engine/README.md: the diagram has not one line for $folder"
    IFS='|' read -r _ number text <<<"$(grep "^$folder|" <<<"$shown")"
    floor[$name]="$number"
    always="${text%%;*}"
    sometimes="${text#"$always"}"
    [ "$(words_of "$always")" = "$(words_of "$uses")" ] ||
        fail "engine/README.md: $name uses '$text' in the diagram, and '$uses' in cmake/modules.cmake"
    [ "$(words_of "$sometimes")" = "$(words_of "$where")" ] ||
        fail "engine/README.md: $name uses '$sometimes' in the diagram, and where it is '$where' in cmake/modules.cmake"
    for used in $uses $where; do
        [ "${floor[$used]:-0}" -lt "${number:-0}" ] || fail "engine/README.md: $name stands on no floor above $used"
    done
    case "$folder" in
    modules/*)
        [ -e "$folder/README.md" ] || fail "$folder has no README.md"
        grep -qF "(../$folder/README.md)" engine/README.md || fail "engine/README.md has no link to $folder/README.md"
        ;;
    esac
    grep -qF "\`$name\`" tests/README.md || fail "tests/README.md does not name \`$name\`"
done <<<"$graph"
while IFS='|' read -r folder _; do
    grep -q "^$folder|" <<<"$graph" || fail "engine/README.md shows $folder, which is in no line of cmake/modules.cmake"
done <<<"$shown"

[ "$failed" -eq 0 ] && echo "module_pages: the pages show all of $(wc -l <<<"$names") modules"
