#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# module_graph.sh - the lines of cmake/modules.cmake, for the tests that are scripts.
#     tests/scripts/module_graph.sh [ROOT]
# A line a module: FOLDER|uses|where|all folders that it stands on|these, and what is above them
# where it is built. A user may include the headers of the fourth, and its .c files those of the fifth.
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"
modules="$(sed -n 's/^acre_module(\(.*\)).*$/\1/p' cmake/modules.cmake)"
[ -n "$modules" ] || { echo "module_graph: no acre_module in cmake/modules.cmake" >&2 && exit 1; }
engine=" $(cd engine && echo */) "
awk -v engine="$engine" '
# The words of both lists, each once.
function join(list, more,    words, count, i) {
    count = split(more, words, " ")
    for (i = 1; i <= count; i++)
        if (index(" " list " ", " " words[i] " ") == 0)
            list = list (list == "" ? "" : " ") words[i]
    return list
}
{
    kind = "USES"
    words["USES"] = words["WHERE"] = all = wide = ""
    for (i = 2; i <= NF; i++)
        if ($i ~ /^[A-Z_]+$/)
            kind = $i
        else
            words[kind] = join(words[kind], $i)
    folder[$1] = (index(engine, " " $1 "/ ") ? "engine/" : "modules/") $1
    count = split(words["USES"], used, " ")
    for (i = 1; i <= count; i++)
        all = join(all, below[used[i]] " " folder[used[i]])
    wide = all
    count = split(words["USES"] " " words["WHERE"], used, " ")
    for (i = 1; i <= count; i++)
        wide = join(wide, wide_below[used[i]] " " folder[used[i]])
    below[$1] = all
    wide_below[$1] = wide
    print folder[$1] "|" words["USES"] "|" words["WHERE"] "|" all "|" wide
}' <<<"$modules"
