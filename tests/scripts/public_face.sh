#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# public_face.sh - every public function is stable or experimental; the headers and the manual agree.
#     tests/scripts/public_face.sh [--write]
# Rules, each named in the message of what breaks it:
#     mark       a declaration begins with ACRE_API or ACRE_EXPERIMENTAL_API
#     result     a function that returns acre_result is declared with ACRE_RESULT
#     contract   functions that programs outside of Acre are compiled against are stable
#     limit      at most 140 functions are stable; at most 328 are public (a later release may add
#                experimental ones and raises the second number)
#     head       the first lines of a header say which tiers it has
#     page       tools/docs/stability.md lists the stable functions; --write writes the lists
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export LC_ALL=C
most_stable=140
most_public=328
page=tools/docs/stability.md
contract="acre_result_text acre_frustum_from_matrix acre_frustum_test_aabb acre_quadtree_create
acre_quadtree_destroy acre_quadtree_insert acre_quadtree_refresh acre_quadtree_refresh_many
acre_quadtree_refresh_all acre_quadtree_remove acre_quadtree_clear acre_quadtree_maintain
acre_quadtree_contains acre_quadtree_get_box acre_quadtree_set_layers acre_quadtree_query_frustum
acre_quadtree_query_aabb acre_quadtree_query acre_quadtree_validate acre_quadtree_state_hash
acre_quadtree_get_stats acre_quadtree_set_tasks acre_scene_create acre_scene_destroy
acre_entity_create acre_entity_create_many acre_entity_destroy acre_entity_set_parent
acre_entity_set_local acre_entity_set_local_matrix acre_scene_set_locals acre_entity_set_bounds
acre_entity_set_flags acre_entity_get_local acre_entity_get_bounds acre_entity_world_matrix
acre_entity_world_bounds acre_scene_entity acre_scene_commit acre_scene_attach acre_scene_detach
acre_scene_set_tasks acre_camera_perspective acre_camera_orthographic acre_camera_look_at
acre_camera_frustum acre_camera_ray acre_camera_sub_frustum acre_camera_project acre_culling_create
acre_culling_destroy acre_culling_register acre_culling_unregister acre_culling_refresh
acre_culling_refresh_bounds acre_culling_query acre_culling_set_tasks acre_interest_create
acre_interest_create_for_entities acre_interest_add acre_interest_set acre_interest_remove
acre_interest_update"

headers=(engine/*/include/acre/*.h modules/*/include/acre/*.h)
# Lines `header tier name` of all functions that are declared and not static.
functions="$(awk '
function end_statement() {
    gsub(/[ \t]+/, " ", text)
    sub(/^ /, "", text)
    if (text !~ /^(typedef|static|struct|enum|union|extern)/ && match(text, /acre_[a-z0-9_]+ ?\(/)) {
        name = substr(text, RSTART, RLENGTH - 1)
        sub(/ $/, "", name)
        tier = "none"
        if (text ~ /^ACRE_API /)
            tier = "stable"
        if (text ~ /^ACRE_EXPERIMENTAL_API /)
            tier = "experimental"
        if (text ~ /(^| )acre_result acre_/)
            tier = tier "_unread"
        print FILENAME, tier, name
    }
    text = ""
}
FNR == 1 { text = ""; depth = 0; in_macro = 0 }
in_macro || /^[ \t]*#/ { in_macro = /\\$/; next }
{
    sub(/\/\/.*/, "")
    gsub(/ACRE_EXTERN_C_(BEGIN|END)/, "")
    for (i = 1; i <= length($0); i++) {
        c = substr($0, i, 1)
        if (c == "{") {
            depth++
        } else if (c == "}") {
            depth--
            if (depth == 0 && text ~ /^ *static/)
                text = ""
        } else if (c == ";" && depth == 0) {
            end_statement()
        } else if (depth == 0) {
            text = text c
        }
    }
    text = text " "
}' "${headers[@]}")"

status=0
fail() {
    echo "$1"
    status=1
}
while read -r header tier name; do
    case "$tier" in
    none*) fail "mark: $header: $name is neither stable nor experimental" ;;
    *_unread) fail "result: $header: $name returns acre_result, not ACRE_RESULT" ;;
    esac
done <<<"$functions"

stable="$(grep -c ' stable' <<<"$functions")" || true
public="$(wc -l <<<"$functions")"
[ "$stable" -le $most_stable ] || fail "limit: $stable functions are stable, of at most $most_stable"
[ "$public" -le $most_public ] || fail "limit: $public functions are public, of at most $most_public"
for name in $contract; do
    grep -q " stable $name\$" <<<"$functions" || fail "contract: $name is not stable"
done

declare -A says=(
    [stable]='Stable.'
    [experimental]='Experimental: it may change in any minor version.'
    [both]='Stable, but for what is marked ACRE_EXPERIMENTAL_API, which may change in any minor version.'
)
for header in "${headers[@]}"; do
    head="$(sed -n '/^#ifndef/q; /^\/\/ /p' "$header" | sed 's,^// *,,' | tr '\n' ' ')"
    has_stable="$(grep -c "^$header stable" <<<"$functions")" || true
    has_experimental="$(grep -c "^$header experimental" <<<"$functions")" || true
    want=both
    [ "$has_experimental" -ne 0 ] || want=stable
    [ "$has_stable" -ne 0 ] || want=experimental
    if [ "$has_stable" -eq 0 ] && [ "$has_experimental" -eq 0 ]; then # types or inline functions
        want=stable
        [[ "$head" == *" ${says[stable]} "* ]] || want=experimental
    fi
    [[ "$head" == *" ${says[$want]} "* ]] || fail "head: $header does not say: ${says[$want]}"
done

# The lists of the page: one row for each header with stable functions.
rows="$(awk '$2 ~ /^stable/ {
        header = $1
        sub(/.*\/include\//, "", header)
        if (!(header in names))
            order[++count] = header
        names[header] = names[header] (names[header] ? ", " : "") "`" $3 "`"
        number[header]++
    }
    END {
        print "| Header | Functions | Stable functions |"
        print "|---|---|---|"
        for (i = 1; i <= count; i++)
            print "| `" order[i] "` | " number[order[i]] " | " names[order[i]] " |"
    }' <<<"$functions")"
written="$(sed '/^| Header /,$d' "$page")"
if [ "${1:-}" = --write ]; then
    printf '%s\n\n%s\n' "$written" "$rows" >"$page"
elif [ "$(sed -n '/^| Header /,$p' "$page")" != "$rows" ]; then
    fail "page: $page lists other functions than the headers (tests/scripts/public_face.sh --write)"
fi
[ "$status" -ne 0 ] || echo "public_face: $stable stable and $((public - stable)) experimental functions"
exit "$status"
