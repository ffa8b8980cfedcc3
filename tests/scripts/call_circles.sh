#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# call_circles.sh - no circles of calls: a file that another one calls does not call back, nor does a folder.
#     tests/scripts/call_circles.sh LIBRARY...
# Of the symbols that the files of each static library define and need it makes the graph of files, and of
# the folders in a module's src, and names each set of them that lead to each other. Two files may: x.c and
# x_shares.c, which divides the work of a call among workers.
# Other than by layering.sh, a call is seen where a header of a low floor declares what a high one defines.
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: call_circles.sh LIBRARY..."; exit 2; }
root="${ACRE_CIRCLES_ROOT:-$(dirname "${BASH_SOURCE[0]}")/../..}"

{
    cd "$root"
    find engine modules -path '*/src/*' \( -name '*.c' -o -name '*_part.h' \) | sed 's/^/place /'
    cd "$OLDPWD"
    nm -A "$@" | sed 's/^/symbol /'
} | awk '
# Where a file stands; a kernel that CMake makes stands beside its part.
function folder_of(file,    stem) {
    stem = file
    sub(/\.c$/, "", stem)
    if (file in place)
        return place[file]
    sub(/_(scalar|sse4|avx2|avx512)$/, "", stem)
    return place[stem "_part.h"]
}
function add(graph, from, to, what) {
    if (from == "" || to == "" || from == to)
        return
    if (!((graph, from) in is_known)) { is_known[graph, from]; nodes[graph, ++count[graph]] = from }
    if (!((graph, to) in is_known)) { is_known[graph, to]; nodes[graph, ++count[graph]] = to }
    if (!((graph, from, to) in calls))
        calls[graph, from, to] = what
    leads[graph, from, to]
}
# Whether all of a set of two is x.c and x_shares.c.
function is_pair(members,    two, base) {
    if (split(members, two, " ") != 2)
        return 0
    base = length(two[1]) < length(two[2]) ? two[1] : two[2]
    sub(/\.c$/, "", base)
    return members ~ ("(^| )" base "_shares\\.c( |$)")
}
function report(graph,    n, i, j, k, a, b, c, members, shown) {
    n = count[graph]
    for (k = 1; k <= n; k++)
        for (i = 1; i <= n; i++) {
            if (!((graph, nodes[graph, i], nodes[graph, k]) in leads))
                continue
            for (j = 1; j <= n; j++)
                if ((graph, nodes[graph, k], nodes[graph, j]) in leads)
                    leads[graph, nodes[graph, i], nodes[graph, j]]
        }
    for (i = 1; i <= n; i++) {
        a = nodes[graph, i]
        if (!((graph, a, a) in leads) || a in shown)
            continue
        members = a
        for (j = i + 1; j <= n; j++) {
            b = nodes[graph, j]
            if ((graph, a, b) in leads && (graph, b, a) in leads) { members = members " " b; shown[b] }
        }
        if (is_pair(members))
            continue
        printf "%s: a circle: %s\n", graph, members
        c = split(members, member, " ")
        for (j = 1; j <= c; j++)
            for (k = 1; k <= c; k++)
                if ((graph, member[j], member[k]) in calls)
                    printf "    %s calls %s: %s\n", member[j], member[k], calls[graph, member[j], member[k]]
        circles++
    }
}
$1 == "place" {
    file = folder = $2
    sub(/.*\//, "", file)
    if (sub(/^.*\/src\//, "", folder) && sub(/\/[^\/]*$/, "", folder))
        place[file] = folder
    next
}
{
    split($2, part, ":")
    library = part[1]
    sub(/.*\//, "", library)
    file = part[2]
    sub(/\.(o|obj)$/, "", file)
    # At check level 3 every edit of a tree calls the check of all its rules.
    if ($NF == "acre_check_tree")
        next
    if ($(NF - 1) ~ /^[TDRBVWC]$/) {
        owner[library, $NF] = file
        files[library, file]
    } else if ($(NF - 1) == "U") {
        needs[++needed] = library SUBSEP $NF SUBSEP file
    }
}
END {
    for (i = 1; i <= needed; i++) {
        split(needs[i], need, SUBSEP)
        if (!((need[1], need[2]) in owner))
            continue
        to = owner[need[1], need[2]]
        libraries[need[1]]
        links++
        add(need[1], need[3], to, need[2])
        add(need[1] ", folders", folder_of(need[3]), folder_of(to), need[3] " " to " " need[2])
    }
    for (library in libraries) {
        report(library)
        report(library ", folders")
    }
    for (file in files)
        seen++
    if (links == 0)
        print "call_circles: no file calls another; are these libraries?"
    else
        printf "call_circles: %d circles among %d files\n", circles, seen
    exit circles > 0 || links == 0
}'
