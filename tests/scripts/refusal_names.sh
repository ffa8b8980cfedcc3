#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# refusal_names.sh - every stable function that returns an acre_result answers with ACRE_ANSWER, and
# names its arguments there as its header does, in the header's order; told_calls.h watches them all.
#     tests/scripts/refusal_names.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cat engine/*/include/acre/*.h modules/*/include/acre/*.h | tr '\n' ' ' | grep -oE 'ACRE_API ACRE_RESULT +acre_[a-z_]+\([^;]*\);' |
    sed -E 's/^ACRE_API ACRE_RESULT +//' >"${TMPDIR:-/tmp}/refusal_names.$$"
trap 'rm -f "${TMPDIR:-/tmp}/refusal_names.$$"' EXIT
cat engine/*/src/*.c modules/*/src/*.c modules/quadtree/src/*/*.c |
    awk -v declared="${TMPDIR:-/tmp}/refusal_names.$$" -v watched="$(grep -o '^#define acre_[a-z_]*' tests/support/told_calls.h | tr '\n' ' ')" '
function word(text) { # the first word, behind what it was cast to
    sub(/^[ &]*(\([a-z0-9_ *]*\))?/, "", text)
    match(text, /^[A-Za-z0-9_]+/)
    return substr(text, 1, RLENGTH)
}
function check(call,    letters, names, n, i, at, k, order) {
    match(call, /"[^"]*"/)
    letters = substr(call, RSTART + 1, RLENGTH - 2)
    n = split(substr(call, RSTART + RLENGTH + 1), names, ",")
    k = 1
    order = 0
    for (i = 1; i <= length(letters); i++) {
        at = substr(letters, i, 1)
        if (index("[?!", at))
            continue
        if (at == "r") {
            k += 2
            continue
        }
        order++
        if (word(names[k]) != parameter[function_name, order]) {
            printf "%s: argument %d is %s, not %s\n", function_name, order, parameter[function_name, order], word(names[k])
            bad++
        }
        k += at == "A" ? 2 : 1
    }
    answered[function_name]++
}
BEGIN {
    while ((getline line < declared) > 0) {
        name = line
        sub(/\(.*/, "", name)
        stable[name] = 1
        sub(/^[^(]*\(/, "", line)
        sub(/\);.*/, "", line)
        count = split(line, parts, ",")
        for (i = 1; i <= count; i++) {
            match(parts[i], /[A-Za-z0-9_]+ *$/)
            parameter[name, i] = substr(parts[i], RSTART, RLENGTH)
            sub(/ *$/, "", parameter[name, i])
        }
    }
}
/^[a-z].*acre_[a-z_]+\(/ { match($0, /acre_[a-z_]+\(/); function_name = substr($0, RSTART, RLENGTH - 1); call = "" }
/^static/ { function_name = "" }
call == "" && /ACRE_ANSWER_OF\(/ { # the name of the function that ends so, then as the others
    match($0, /"acre_[a-z_]+"/)
    function_name = substr($0, RSTART + 1, RLENGTH - 2)
    call = substr($0, RSTART + RLENGTH)
    found = 1
}
call == "" && /ACRE_ANSWER(_RULE)?\(/ && (function_name in stable) { call = substr($0, match($0, /ACRE_ANSWER/)) ; found = 1 }
call != "" { if (!found) call = call " " $0; found = 0
    if (call ~ /\)(;|$| *:)/ || call ~ /;/) { rest = call
        check(call); call = "" } }
END {
    for (name in stable) {
        if (!(name in answered)) { print name ": does not answer with ACRE_ANSWER"; bad++ }
        if (index(watched " ", "#define " name " ") == 0) { print name ": told_calls.h does not watch it"; bad++ }
        count_stable++
    }
    printf "refusal_names: %d functions, %d wrong\n", count_stable, bad
    exit bad > 0 || count_stable < 80
}'
