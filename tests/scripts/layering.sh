#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# layering.sh - an arrow never points up: checks what every C file of the libraries includes.
#     tests/scripts/layering.sh [ROOT]
# layers.txt beside it has the tables of single headers, and of floors inside modules.
# Rules, each named in the message of what breaks it:
#     include    <acre/...> and "..." only from the own folder and from what cmake/modules.cmake says
#                that it uses; other packages' headers only where package_allowed says
#     graph      what cmake/modules.cmake says that a module uses is included by it
#     internal   headers in the src of a folder other than its own or engine/core are for tests alone
#     shared     but those that layers.txt shares with the module; each row there is of use
#     floors     inside a module that has floors in layers.txt, nothing is included from a floor above
#     name       engine/ never names a module
#     memory     the C library's heap, and mappings, are called in engine/core/src/alloc.c alone
#     quiet      libraries do not print, exit, abort or start threads; a failed check does
#                (engine/core/src/assert.c)
#     compiler   what a compiler has beside C (attributes, builtins, statements in expressions) stands in
#                the three headers that have a branch for each compiler
#     unique     a file name stands for one file in the whole repository
#     header     a file begins with its license and `// name - one sentence`
set -euo pipefail
root="${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cd "$root"
graph="$("$here/module_graph.sh" .)"

find engine modules tests tools -type f \( -name '*.c' -o -name '*.[ch]pp' -o -name '*.h' \) | LC_ALL=C sort |
    GRAPH="$graph" awk '
function fail(file, line, rule, text) {
    printf "%s:%d: %s: %s\n", file, line, rule, text
    bad++
}
function folder_of(file,    parts) {
    split(file, parts, "/")
    return (parts[1] == "engine" || parts[1] == "modules") ? parts[1] "/" parts[2] : parts[1]
}
function base_of(file) {
    sub(/.*\//, "", file)
    return file
}
function allows(list, word) {
    return index(" " list " ", " " word " ") > 0
}
# What a library may include of other packages: a prefix of the path between < and >.
function package_allowed(folder, name, path) {
    if (path ~ /^cglm\//)
        return folder == "engine/camera"
    if (path ~ /^simde\//)
        return folder == "modules/quadtree" && name ~ /^quadtree_kernel_/ ||
               folder == "engine/scene" && name ~ /^scene_kernel_/ ||
               folder == "modules/interest" && name ~ /^interest_kernel_/ ||
               folder == "modules/occlusion" && name ~ /^horizon_kernel_/ ||
               folder == "engine/core" && name ~ /^(lanes_four|lanes_eight|exact_lanes)\.h$/
    if (path ~ /^(cassert|cstddef|cstdint|cstdio|exception|memory|type_traits|utility)$/)
        return folder == "modules/cpp"
    if (path == "intrin.h")
        return name == "compiler_internal.h"
    if (path == "mpi.h")
        return folder == "modules/partition_mpi"
    if (path ~ /^(assimp|cjson)\// || path == "meshoptimizer.h")
        return folder == "modules/import"
    if (path == "sys/mman.h")
        return folder == "engine/core" && name == "alloc.c" # on Linux, where the C library has it
    return allows(libc, path)
}
function check_include(file, line, text,    folder, path, name) {
    folder = folder_of(file)
    name = base_of(file)
    if (match(text, /<[^>]*>/)) {
        path = substr(text, RSTART + 1, RLENGTH - 2)
        if (path ~ /^acre\//) {
            if (!(path in owner))
                fail(file, line, "include", "<" path "> is in no folder")
            else if (is_library)
                included[folder, owner[path]] = 1
            if (path in owner && is_library && !allows(below[folder] " " folder, owner[path]))
                fail(file, line, "include", folder " may not use " owner[path])
        } else if (is_library && !package_allowed(folder, name, path)) {
            fail(file, line, "include", "<" path "> is not for " file)
        }
    } else if (match(text, /"[^"]*"/)) {
        path = substr(text, RSTART + 1, RLENGTH - 2)
        name = base_of(path)
        if (name in place && is_library)
            included[folder, folder_of(place[name])] = 1
        if (!(name in place)) {
            if (is_library)
                fail(file, line, "include", "\"" path "\" is in no folder")
        } else if (is_library && !allows(below[folder] " " folder, folder_of(place[name]))) {
            fail(file, line, "include", folder " may not use " folder_of(place[name]))
        } else if (name in shared_with) {
            check_shared(file, line, name)
        } else if (folder != "tests" && !allows(folder " engine/core tests", folder_of(place[name]))) {
            fail(file, line, "internal", name " belongs to " folder_of(place[name]) " alone")
        } else if (is_library && folder in floors && folder_of(place[name]) == folder) {
            check_floor(file, line, name)
        }
    } else if (is_library) {
        fail(file, line, "include", "the name of an included file stands in the line itself")
    }
}
function check_shared(file, line, name,    folder) {
    folder = folder_of(file)
    if (folder != "tests" && folder != folder_of(place[name]) &&
        !allows(shared_with[name], substr(folder, index(folder, "/") + 1)))
        fail(file, line, "shared", name " is not shared with " folder)
}
# The folder inside src, or nothing.
function room_of(file) {
    return match(file, /\/src\/.*\//) ? substr(file, RSTART + 5, RLENGTH - 6) : ""
}
# The number of the floor on which a room stands, 1 the lowest; 0: on none.
function floor_of(folder, room,    count, rooms, i) {
    count = split(floors[folder], rooms, "<")
    for (i = 1; i <= count; i++)
        if (room != "" && allows(rooms[i], room))
            return i
    return 0
}
function check_floor(file, line, name,    folder, from, to) {
    folder = folder_of(file)
    from = room_of(file)
    to = room_of(place[name])
    if (from != to && floor_of(folder, from) <= floor_of(folder, to))
        fail(file, line, "floors", folder ": " from " may not use " to " (" name ")")
}
# A row of layers.txt: KIND NAME: what follows.
function read_row(row, number,    kind, name) {
    kind = row
    sub(/ .*/, "", kind)
    name = row
    sub(/^[^ ]* /, "", name)
    sub(/:.*/, "", name)
    sub(/^[^:]*: */, "", row)
    if (kind == "floors")
        floors["modules/" name] = row
    else if (kind == "shared")
        shared_with[name] = row
    else
        fail(layers, number, kind, "no table of this name")
    row_of[kind, name] = number
}
function read_layers(    row, number) {
    while ((getline row < layers) > 0) {
        number++
        if (row != "" && row !~ /^#/)
            read_row(row, number)
    }
    if (number == 0)
        fail(layers, 0, "include", "the tables are missing")
    close(layers)
}
# The rows of module_graph.sh.
function read_graph(    rows, count, i, row) {
    count = split(ENVIRON["GRAPH"], rows, "\n")
    for (i = 1; i <= count; i++) {
        split(rows[i], row, "|")
        below[row[1]] = row[5]
        uses[row[1]] = row[2]
        long_name[substr(row[1], index(row[1], "/") + 1)] = row[1]
    }
}
# A module that is used is used by an include: what nothing needs is not linked.
function check_uses(    folder, used, count, i) {
    for (folder in uses) {
        count = split(uses[folder], used, " ")
        for (i = 1; i <= count; i++)
            if (!((folder, long_name[used[i]]) in included))
                fail("cmake/modules.cmake", 1, "graph", folder " includes nothing of " used[i])
    }
}
# What a row names is there.
function check_rows(    name, folder, i) {
    for (name in shared_with)
        if (!(name in place))
            fail(layers, row_of["shared", name], "shared", "there is no " name)
    for (i = 1; i <= count; i++) {
        folder = folder_of(files[i])
        name = base_of(files[i])
        if (files[i] ~ /_shared\.h$/ && files[i] ~ /\/src\// && !(name in shared_with))
            fail(files[i], 1, "shared", name " has no row in " layers)
        else if (folder in floors && files[i] ~ /\/src\// && files[i] !~ /src\/[^\/]*_shared\.h$/ &&
                 !floor_of(folder, room_of(files[i])))
            fail(files[i], 1, "floors", "it stands on no floor of " folder)
    }
}
BEGIN {
    layers = "tests/scripts/layers.txt"
    read_layers()
    read_graph()
    beside_c = "__builtin_|__attribute|__declspec|__atomic_|__sync_|__asm|__extension__|__typeof|" \
               "__int128|__forceinline|_Interlocked|_Atomic|[(][{]|[[]static "
    libc = "assert.h ctype.h errno.h fenv.h float.h inttypes.h limits.h math.h stdalign.h " \
           "stdarg.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h"
    heap = "(^|[^A-Za-z0-9_])(malloc|calloc|realloc|reallocarray|aligned_alloc|posix_memalign|free|strdup|mmap|mremap|munmap)[ ]*\\("
    loud = "(^|[^A-Za-z0-9_])(printf|vprintf|puts|putchar|perror|exit|_Exit|quick_exit|abort|" \
           "thrd_create|pthread_create)[ ]*\\(|(^|[^A-Za-z0-9_])(stdout|stderr)([^A-Za-z0-9_]|$)"
}
# Headers with a branch for each compiler.
function knows_compilers(file) {
    return file ~ /^engine\/core\/(include\/acre\/base|src\/(compiler|atomic)_internal)\.h$/
}
# First all names, then all lines: an include may point to a file that is listed later.
{
    files[++count] = $0
    name = base_of($0)
    if (name in place)
        fail($0, 1, "unique", name " is also " place[name])
    place[name] = $0
    if (match($0, /include\/acre\//))
        owner["acre/" substr($0, RSTART + RLENGTH)] = folder_of($0)
    if ($0 ~ /^modules\//)
        modules[substr(folder_of($0), 9)] = 1
}
END {
    for (i = 1; i <= count; i++) {
        file = files[i]
        folder = folder_of(file)
        is_library = file ~ /^(engine|modules)\//
        if (is_library && !(folder in below)) {
            fail(file, 1, "include", folder " has no line in cmake/modules.cmake")
            below[folder] = ""
        }
        number = 0
        while ((getline line < file) > 0) {
            number++
            if (number == 1 && line != "// SPDX-License-Identifier: MIT")
                fail(file, 1, "header", "the first line is the license")
            if (number == 2 && index(line, "// " base_of(file) " - ") != 1)
                fail(file, 2, "header", "the second line is: // " base_of(file) " - one sentence")
            if (line ~ /^[ \t]*#[ \t]*include/)
                check_include(file, number, line)
            if (folder ~ /^engine\//)
                for (module in modules)
                    if (line ~ ("(^|[^A-Za-z])(acre[_/]" module "|modules/" module ")([^A-Za-z]|$)"))
                        fail(file, number, "name", "engine/ names the module " module)
            if (!is_library)
                continue
            code = line
            sub(/\/\/.*/, "", code)
            if (code ~ heap && file != "engine/core/src/alloc.c")
                fail(file, number, "memory", "memory comes from acre_resize alone")
            if (code ~ beside_c && !knows_compilers(file))
                fail(file, number, "compiler", "this is not C17: see engine/core/src/compiler_internal.h")
            if (code ~ loud && file != "engine/core/src/assert.c")
                fail(file, number, "quiet", "a library does not print, exit or start threads")
        }
        close(file)
    }
    check_rows()
    check_uses()
    if (count < 10)
        fail(".", 0, "include", "only " count " files found; is this the root?")
    if (bad)
        printf "layering: %d of the rules'"'"' lines are broken\n", bad
    else
        printf "layering: %d files keep the rules\n", count
    exit bad > 0
}'
