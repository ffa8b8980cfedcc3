#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# header_check.sh - each public header compiles alone, as C17 and as C++17, strictly and in programs
# compiled with -ffast-math; including it twice is harmless. acre.hpp is C++ alone, and compiles without
# exceptions and RTTI, also where there is no culling.h.
#     tests/scripts/header_check.sh [ROOT]
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

strict=(-fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wdouble-promotion
    -Wshadow -Wcast-align -Wundef -Werror)
as_c=(-x c -std=c17 -Wstrict-prototypes -Wmissing-prototypes)
as_cpp=(-x c++ -std=c++17 -Wold-style-cast -Wzero-as-null-pointer-constant)

# Only the include roots of the header's own module and of those that it uses: a header that needs another
# does not compile.
declare -A roots
while IFS='|' read -r folder _ _ below _; do
    roots[$folder]="-I$folder/include"
    for used in $below; do
        roots[$folder]+=" -I$used/include"
    done
done < <(tests/scripts/module_graph.sh .)

passed=0
failed=0
compilers=()
for compiler in "gcc g++" "clang clang++"; do
    if command -v ${compiler% *} >/dev/null && command -v ${compiler#* } >/dev/null; then
        compilers+=("$compiler")
    elif [ -n "${CI:-}" ]; then
        echo "FAIL ${compiler% *} or ${compiler#* } is missing (tools/setup.sh test installs it)"
        failed=$((failed + 1))
    fi
done

# compile COMPILER HEADER FLAGS...
compile() {
    local compiler="$1" header="$2" name output
    shift 2
    name="${header#*/include/}"
    # shellcheck disable=SC2086
    if output="$(printf '#include <%s>\n#include <%s>\nextern int acre_header_check;\n' \
        "$name" "$name" | "$compiler" "$@" ${roots[${header%/include/*}]} - 2>&1)"; then
        passed=$((passed + 1))
    else
        echo "FAIL $header with $compiler $*"
        echo "$output"
        failed=$((failed + 1))
    fi
}

for header in engine/*/include/acre/*.h modules/*/include/acre/*.h; do
    as_cpp_here=("${as_cpp[@]}")
    mpi=()
    if [ "${header##*/}" = glm.h ]; then
        if ! pkg-config --exists cglm; then
            echo "skip $header: cglm is missing"
            continue
        fi
        # Its inline functions follow cglm's own C style.
        as_cpp_here=(-x c++ -std=c++17)
    fi
    if [ "${header##*/}" = partition_mpi.h ]; then
        if ! command -v mpicc >/dev/null; then
            echo "skip $header: MPI is missing"
            continue
        fi
        # Warnings of MPI's own header are not Acre's; its C++ classes are left out.
        mpi=(-DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX)
        for folder in $(mpicc --showme:incdirs 2>/dev/null); do
            mpi+=(-isystem "$folder")
        done
    fi
    for compiler in "${compilers[@]}"; do
        for fast in "" -ffast-math; do
            compile "${compiler% *}" "$header" "${as_c[@]}" "${strict[@]}" "${mpi[@]}" $fast
            compile "${compiler#* }" "$header" "${as_cpp_here[@]}" "${strict[@]}" "${mpi[@]}" $fast
        done
    done
done
header=modules/cpp/include/acre/acre.hpp
for compiler in "${compilers[@]}"; do
    for fast in "" -ffast-math; do
        for culling in modules/culling/include engine/camera/include; do
            compile "${compiler#* }" "$header" -x c++ -std=c++17 -fno-exceptions -fno-rtti \
                -Wold-style-cast -Wzero-as-null-pointer-constant "${strict[@]}" $fast \
                -Iengine/camera/include -Imodules/shadows/include -Imodules/drawing/include \
                -Imodules/contacts/include -Imodules/occlusion/include "-I$culling"
        done
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
