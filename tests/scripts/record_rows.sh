#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# record_rows.sh - a row of the recorded calls that lacks a piece, or has a wrong one, does not compile.
#     tests/scripts/record_rows.sh [COMPILER]
# Each trial changes the list (modules/record/src/record_operations.h) in a copy and compiles what is
# made from it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
compiler="${1:-cc}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
flags=(-std=c17 -Wall -Wextra -Werror -fsyntax-only)
for folder in engine/core/include engine/core/src modules/quadtree/include modules/quadtree/src \
    modules/record/include; do
    flags+=(-I "$folder")
done

# compiles SED: whether the list still compiles when sed has changed it.
compiles() {
    cp modules/record/src/*.[ch] "$work"
    sed -i "$1" "$work/record_operations.h"
    "$compiler" "${flags[@]}" "$work"/record_{format,print,replay}.c 2>"$work/errors"
}

trials=0
# refuses WHAT SED MESSAGE: the change must not compile, and the compiler says the message.
refuses() {
    if compiles "$2"; then
        echo "record_rows: $1: it compiles" && exit 1
    fi
    if cmp -s modules/record/src/record_operations.h "$work/record_operations.h"; then
        echo "record_rows: $1: the trial changed nothing" && exit 1
    fi
    if ! grep -q -- "$3" "$work/errors"; then
        echo "record_rows: $1: the compiler says something else:" && head -5 "$work/errors" && exit 1
    fi
    trials=$((trials + 1))
}

if ! compiles ''; then
    cat "$work/errors" && exit 1
fi
refuses "the number of another call" 's/X(18, REMOVE_MANY/X(17, REMOVE_MANY/' "that of the listener"
refuses "a call that listeners do not know" 's/X(10, TRIM, /X(10, TRIMS,/' "ACRE_QUADTREE_CALL_TRIMS"
refuses "a function that there is not" 's/ remove_many, / remove_more, /' "acre_quadtree_remove_more"
refuses "an argument less" '/REMOVE_MANY/s/ITEMS,   COUNT,  NONE/COUNT,   NONE,   NONE/' "those of the function"
refuses "rows without a count" '/REFRESH_ALL,/s/BOXES,   COUNT,  NONE/BOXES,   NONE,   NONE/' "rows have a count"
refuses "arguments in another order" '/SET_LAYERS,/s/ITEM,    LAYERS/BOX,     ITEM  /' "those of the function"
refuses "an argument that has no name" '/X( 5, REMOVE/s/ITEM, /PLACE,/' "ARG_PLACE"
refuses "an answer that it does not give" '/X( 7, MAINTAIN/s/RESULT, /NOTHING,/' "those of the function"
refuses "an answer that has no name" '/X(23, PAIRS/s/ PAIRS,   RULES/ CELLS,   RULES/' "ANSWER_CELLS"
refuses "a column less" '/X(19, OPTIMIZE/s/NONE,  NONE)/NONE)/' "requires 8 arguments\|too few arguments"
refuses "a row less in the middle" '/X(10, TRIM/d' "each once"
refuses "a row less at the end" '/X(27, SHIFT/d; s/\(X(26.*\) \\$/\1/' "not handled in switch"
echo "record_rows: the list compiles, and none of $trials wrong rows does"
