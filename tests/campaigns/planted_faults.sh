#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# planted_faults.sh - plants faults in a copy of the last commit, one at a time: each was once a
# fault of the library, or is of its kind. The test named beside it must pass before and fail with
# it.
#     tests/campaigns/planted_faults.sh WORK [PATTERN] >tests/campaigns/planted_faults.txt
# WORK is a folder for the copy and its build. PATTERN: only faults whose name has it, such as
# "@(one|two)". All faults take some half an hour of two processors.
set -euo pipefail
if [ $# -lt 1 ]; then
    sed -n '6p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
only="${2:-}"
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
mkdir -p "$1"
work="$(cd "$1" && pwd)"
rm -rf "$work/copy" && mkdir "$work/copy"
git -C "$root" archive HEAD | tar -x -m -C "$work/copy" # -m: objects of the last run are older
cd "$work/copy"
for checks in 0 2; do
    cmake -S . -B "$work/build$checks" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O1 \
        -DCMAKE_CXX_FLAGS=-O1 "-DACRE_CHECK=$checks" >"$work/log" 2>&1 || {
        tail -n 20 "$work/log" >&2
        exit 1
    }
done
echo "# $(date -I), commit $(git -C "$root" rev-parse --short HEAD), $(cc --version | head -n 1)"

# run TEST: whether it passes. unchecked:TEST is built without asserts.
run() {
    local target="${1#unchecked:}" build="$work/build2" name
    name="$target"
    [ "$1" = "$target" ] || build="$work/build0"
    [ "$name" != test_crowd_folders ] || target=acre
    cmake --build "$build" --target "$target" --parallel 2 >>"$work/log" 2>&1 || {
        echo "FAIL: $target does not build (see $work/log)"
        exit 1
    }
    timeout 300 ctest --test-dir "$build" -R "^$name\$" --no-tests=error >>"$work/log" 2>&1
}

planted=0 missed=0
declare -A passes
# plant NAME FILE OLD NEW TEST...: OLD stands in the file once.
plant() {
    local name="$1" file="$2" old="$3" new="$4" text test found=""
    shift 4
    [[ "$name" == *$only* ]] || return 0 # unquoted: a pattern
    for test in "$@"; do
        [ -n "${passes[$test]:-}" ] || run "$test" || {
            echo "FAIL: $test fails without a fault"
            exit 1
        }
        passes[$test]=1
    done
    text="$(cat "$file")"
    if [ "$text" = "${text/"$old"/}" ]; then
        echo "FAIL: $file has no \"$old\""
        exit 1
    fi
    if [[ "${text#*"$old"}" == *"$old"* ]]; then
        echo "FAIL: $file has \"$old\" twice"
        exit 1
    fi
    printf '%s\n' "${text/"$old"/"$new"}" >"$file"
    for test in "$@"; do
        run "$test" || found="$found $test"
    done
    printf '%s\n' "$text" >"$file"
    planted=$((planted + 1))
    [ -n "$found" ] || missed=$((missed + 1))
    echo "$name:${found:- NOTHING FOUND IT}"
}

sights=modules/partition/src/partition_sights.c
entities=modules/interest/src/interest_entities.c
plant "each image of a thing has a memory of its own" $sights \
    'images < count && near[images].number == near[0].number' \
    'images < count && near[images].slot == near[0].slot' fuzz_partition test_partition_interest
plant "what is never culled is followed nowhere" $entities \
    '    const acre_aabb box = slot < table->known_count' \
    '    if (culling_flags(table, slot) & ACRE_ENTITY_NEVER_CULL) {
        return false;
    }
    const acre_aabb box = slot < table->known_count' test_interest_entities fuzz_interest
plant "an observer of what has no box stands at the origin of the world" $entities \
    'memcpy(place, matrix + 12, 3 * sizeof *place);' 'memset(place, 0, 3 * sizeof *place);' \
    test_interest_entities fuzz_interest
plant "who is hidden is followed" $entities \
    ' || (culling_flags(table, slot) & ACRE_ENTITY_HIDDEN)' '' test_interest_entities fuzz_interest
plant "update_changed passes over numbers out of range" \
    modules/interest/src/interest_touched.c 'i < count && bits >= INTEREST_ITEMS' \
    'i < count && bits > UINT32_MAX - 1' test_interest fuzz_interest
changed=modules/interest/src/interest_changed.c
sets=modules/interest/src/interest_sets.c
plant "an update of what changed has no ledger" $changed \
    'row->is_dirty || ledger.spent > ledger.searches + credit' \
    'row->is_dirty || ledger.spent > UINT64_MAX - credit' test_interest_changed
plant "many changes are filed" $changed 'count > interest_most_changes(searches)' \
    'count > SIZE_MAX - interest_most_changes(searches)' test_interest_changed
plant "wide things are compared with every observer" modules/interest/src/interest_touched.c \
    'width < interest->usual_reach ? interest->usual_reach' 'width >= 0 ? interest->usual_reach' test_interest_changed
plant "one who sees far widens the grid for all" modules/interest/src/interest_order.c \
    'width_above(&reaches, (listed + 1) / 2)' 'width_above(&reaches, listed)' test_interest_changed
plant "a set forgets what is between the radii" $sets \
    'near[k] & (step->was[k] | ~between[k]);' 'near[k] & ~between[k];' test_interest_random
plant "a set does not know that a number is another thing" $sets \
    'interest->reused.count > 0; // are listed' 'false; // are listed' test_interest_random
plant "a set does not compare bands" $sets 'differs |= (now[k] ^ was[k]) & old[k] &' \
    'differs |= (now[k] ^ now[k]) & was[k] &' test_interest_random
plant "what left stays in a set" $sets 'kind != EVENT_LEFT, event' 'true, event' \
    unchecked:test_interest_random
plant "what was near one observer is near the next" $sets \
    '(size_t)planes->used * planes->count' '(size_t)planes->count' test_interest_random
plant "an update of what changed forgets the rest of a set" $sets \
    '    if (is_partial) {' '    if (is_partial && first > 999) {' test_interest_random
rings=modules/interest/src/interest_rings.c
plant "a ring is outside of its limit alone" modules/interest/src/interest_find.c \
    'low > 0 ? range_of(low * low).low : -1' 'low > 0 ? range_of(high * high).low : -1' test_interest_rings
plant "an observer's way does not widen its rings" $rings 'return (sqrt(sum) + interest' \
    'return (0 * sqrt(sum) + interest' test_interest_rings
plant "what came or went is in no ring and no jumper" $rings '!add_comers(allocator, rings) ||' \
    '(rings->price > 7 && !add_comers(allocator, rings)) ||' test_interest_rings
plant "another thing under a number is no jumper" $rings \
    '!add_marked(allocator, rings, &interest->reused) ||' '' test_interest_rings
plant "an observer that was set has rings" $rings '!row->is_edited &&' '' test_interest_rings
plant "rings pass over layers" $rings '(layers == 0 || layers == UINT32_MAX) &&' \
    '(layers <= UINT32_MAX) &&' test_interest_rings
plant "rings pass over ranges" $rings '!row_minds_ranges(interest, row) &&' '' test_interest_rings
plant "boxes of an update that failed count" modules/interest/src/interest_update.c \
    '        interest->rings.are_noted = false;
' '' test_interest_rings
plant "an update by change leaves old boxes" modules/interest/src/interest_update.c \
    '    interest->rings.are_noted = false; // of what' '    // of what' test_interest_rings
plant "a jumper in a ring is decided twice" $rings \
    'if (!item_is_marked(&rings->jumpers, thing->item)) {' 'if (true) {' test_interest_rings
plant "the last jumper is forgotten" $rings 'i < rings->jumpers.count; i++' \
    'i + 1 < rings->jumpers.count; i++' test_interest_rings
plant "a box that grows has not moved" $rings 'high > above_zero ? high : above_zero;' \
    'high > 1e9f ? high : above_zero;' test_interest_rings
plant "an observer whose bands were set has rings" modules/interest/src/interest.c \
    'memcmp(a->band_limits, b->band_limits, sizeof a->band_limits) == 0 &&' '' test_interest_rings
plant "another place undoes an edit" modules/interest/src/interest.c \
    'row->is_edited = was_edited ||' '(void)was_edited; row->is_edited =' test_interest_rings
plant "a thing that lost its range is no jumper" $rings \
    '!add_marked(allocator, rings, &interest->ranges.anew) ||' '' test_interest_rings
plant "rings in space pass over heights" $rings 'interest->rings.moved[row->def.in_space]' \
    'interest->rings.moved[0]' test_interest_rings
plant "an update by change uses old rings" modules/interest/src/interest_update.c \
    '    interest->rings.are_known = false;
' '' test_interest_rings
plant "a room takes a row twice" modules/interest/src/interest_rooms.c \
    'if (is_twice || ' 'if (' test_interest test_acre_hpp_calls fuzz_interest
plant "tickets begin anew with each recording" engine/scene/src/scene_queue.c \
    '*COLUMN_AT(queue->serials, number) = take_serial(queue);' \
    '*COLUMN_AT(queue->serials, number) = number;' test_edit_queue_tickets fuzz_scene
plant "an exception of a visitor is lost" modules/cpp/include/acre/acre.hpp \
    'if (user.thrown) {' 'if (user.thrown && failed) {' test_acre_hpp_exceptions
plant "an exception of a visitor leaves the tree busy" modules/cpp/include/acre/acre.hpp \
    'catch (...) {' 'catch (const int &) {' test_acre_hpp_exceptions
plant "a visitor may not edit another tree" modules/quadtree/src/ground/quadtree_internal.h \
    '(!acre_innermost_callback || !acre_is_in_callback(tree)) &&' '!acre_innermost_callback &&' \
    test_visitors_threads test_quadtree_queries
plant "an outer visit is forgotten" modules/quadtree/src/ground/quadtree_callbacks.c \
    'at = at->outer;' 'at = NULL;' \
    unchecked:test_visitors_threads unchecked:test_quadtree_queries unchecked:fuzz_quadtree
plant "a visitor may edit" modules/quadtree/src/ground/quadtree_internal.h \
    '(!acre_innermost_callback || !acre_is_in_callback(tree)) &&' '' \
    unchecked:test_visitors_threads unchecked:test_quadtree_queries
plant "another's file with such a name is removed" tools/crowd/crowd_set.c \
    'memcmp(bytes, own, size) == 0' 'true' test_crowd_folders
plant "a whole set of another world counts" tools/crowd/crowd_set.c \
    'put_word(own + 8, world);' 'memcpy(own + 8, bytes + 8, 8); (void)world;' test_crowd_folders
plant "get_stats writes to NULL" modules/quadtree/src/tree/quadtree_debug.c \
    'if (!out) {
        return;' 'if (!tree) {
        return;' test_refusals
plant "a size that is NaN is none" modules/partition/src/partition.c \
    'def->half_size >= 0 && half' '!(def->half_size < 0) && half' test_partition
plant "a limit that a query does not read is taken" modules/quadtree/src/query/quadtree_query.c \
    'query->max_distance == 0.0f;' 'true;' test_refusals
plant "a sentence names the next field" engine/core/src/refusal_text.c \
    '"u is_parallel,l' '"l' test_refusals
plant "a sentence tells another range" engine/core/src/refusal_text.c \
    "letter == 'a' ? 3.14159265f" "letter == 'a' ? 5.0f" test_refusals
plant "the rows of a batch are not counted" engine/scene/src/scene_edit_internal.h \
    'result != ACRE_OK && refused->count++ == 0' 'result != ACRE_OK && refused->count == 0' \
    test_refusals test_scene
plant "what Acre itself asks is told" engine/core/src/refusal.c \
    '!current_hook || held > 0' '!current_hook' test_culling test_refusals
ray=modules/quadtree/src/query/quadtree_kernel_ray_part.h
plant "a ray drops nodes as far as its hit" $ray \
    'if (stack.enters[top] > limit)' 'if (stack.enters[top] >= limit)' test_quadtree_rays
plant "a ray drops groups as far as its hit" $ray \
    'groups->enters[nearest] > limit' 'groups->enters[nearest] >= limit' test_quadtree_rays
plant "a ray misses the second block" $ray \
    '(second == NONE ? 0 : 0xf0)' '0' test_quadtree_rays
plant "a ray takes the farthest sibling first" $ray \
    'stack->enters[at - 1] < enters[slot]' 'stack->enters[at - 1] > enters[slot]' test_quadtree_rays
plant "a ray goes down by another layer" modules/quadtree/src/query/quadtree_nearest.c \
    '.layers = walk->filter.layers,' '.layers = 1,' test_quadtree_rays
plant "a swept box shrinks" engine/core/src/shape_lanes.h \
    'vector##_add(in, shift)' 'vector##_sub(in, shift)' test_quadtree_rays
plant "an endless ray reaches what begins nowhere" engine/core/src/shape_prepare.c \
    'length < (double)LARGEST_OF_SLAB ? length : (double)LARGEST_OF_SLAB' 'length' \
    test_quadtree_rays
plant "of two at a learned limit the nearer comes first" \
    modules/quadtree/src/query/quadtree_neighbors_nearest.c \
    'return is_whole || beyond_root(farthest * farthest) <= touch;' \
    'return is_whole || farthest * farthest <= touch;' test_quadtree_neighbors
plant "a list that overflows is left empty" modules/quadtree/src/query/quadtree_neighbor_groups.c \
    'fitting = count < room ? count : room;
    for' 'fitting = count < room ? count : 0;
    for' test_quadtree_neighbors
plant "a look for a lattice each frame" modules/quadtree/src/batch/quadtree_lattice.c \
    'tree->reach_misses < LATTICE_MISSES' 'tree->reach_misses < UINT32_MAX' test_quadtree_lattice
plant "comparisons of an observer have no end" $changed \
    'acre_interest_meet(interest, world, row, search)' \
    'acre_interest_meet(interest, world, row, UINT64_MAX)' test_interest_changed
objects=modules/culling/src/culling_objects.c
plant "a removed object stays in its tree" $objects \
    'acre_culling_release_slot(update->culling, slot);' '*own = (culling_slot){0, 0};' \
    test_objects_random unchecked:test_objects_random
plant "the next object of a slot has the handle of the last" $objects \
    'return generation < UINT16_MAX ? (uint16_t)(generation + 1) : 1;' 'return generation;' \
    test_objects_random
plant "a word of moved_bits is passed over" $objects \
    'for (size_t first = 0; first < in->slot_count' 'for (size_t first = 64; first < in->slot_count' \
    test_objects_random
plant "an array of slots has no room for one more" modules/culling/src/culling_memory.c \
    'roomy = count + count / 8' 'roomy = count' test_culling_memory
light=modules/shadows/src/casters_light.c
plant "the camera's planes are those of another side" $light \
    'n[3] = fabs(s) < LIGHT_MARGIN ? LIGHT_MARGIN : s;' 'n[3] = s > 0.0 ? s : LIGHT_MARGIN;' \
    test_light_casters
plant "a plane bounds only the middle of a cell" $light \
    'const double spread = (fabs(n[1]) + fabs(n[2])) * half + (double)CELL_MARGIN;' \
    'const double spread = 0.0 * half;' test_light_casters
plant "a cell beside the cone's side is dark" $light \
    'asin(sqrt(2.0) / (double)cube->side) + CONE_MARGIN' '0.0 * (double)cube->side' \
    test_light_casters
plant "a face is the other way round" $light \
    'out[k] = k == 0 && (face & 1) ? -vector[axes[k]] : vector[axes[k]];' \
    'out[k] = (face & 1) ? -vector[axes[k]] : vector[axes[k]];' test_light_casters
plant "a caster ends before what it shadows" $light 'if (marks[x] >= begin && begin' \
    'if (marks[x] >= end_in_cell(row, x) && begin' test_light_casters
plant "the faces of a caster are the first alone" $light '(all_faces || faces == 0)' \
    'faces == 0' test_light_casters
plant "a box around the light is beside it" $light 'low / (low < 0.0 ? near : far)' \
    'low / far' test_light_casters
plant "workers fill the faces of a light" modules/shadows/src/casters_grid.c \
    'acre_light_lay_faces(receivers); // workers share' '; // workers share' \
    test_casters_threads
plant "a slot that is seen has its LOD computed anew" modules/culling/src/visible_lods.c \
    'seen ? seen->lod : ' '' test_lods
plant "workers spin" tools/workers.c 'LOOKS = 20000,' 'LOOKS = 10000000,' test_workers
# Casters behind a horizon.
behind=modules/shadows/src/casters_horizon.c
plant "shadows behind a horizon have no soft edge" $behind '(double)receivers->filter + space->margin' \
    'space->margin' test_horizon_casters
plant "the last piece of a shadow's way is not asked about" $behind 'i < SHADOW_PIECES; i++' \
    'i < SHADOW_PIECES - 1; i++' test_horizon_casters
plant "the first piece of a shadow's way is not asked about" $behind 'i = 0; i < SHADOW_PIECES' \
    'i = 1; i < SHADOW_PIECES' test_horizon_casters
plant "pieces of a shadow's way are half as long" $behind 'way * (i + 1) / SHADOW_PIECES' \
    'way * (i + 0.5) / SHADOW_PIECES' test_horizon_casters
plant "a piece of a shadow's way does not reach its end" $behind 'high + fmax(first, last) + grown' \
    'high + fmin(first, last) + grown' test_horizon_casters
plant "a shadow ends before its last receiver" $behind 'double way = end - begin' \
    'double way = 0.9 * (end - begin)' test_horizon_casters
plant "a shadow ends at its first receiver" modules/shadows/src/casters_boxes.c \
    '(double)last_receiver(receivers, box)' '(double)mark + 0 * (double)last_receiver(receivers, box)' \
    test_horizon_casters
# Views with a horizon.
walk=modules/culling/src/view_walk.c
near=modules/quadtree/src/query/quadtree_near.c
gives_up=modules/occlusion/src/horizon_walk.c
plant "a walk does not ask once more" $walk 'acre_view_ask_again(find, first);' ';' test_view_horizon_threads
plant "a walk asks again about what is never culled" $walk 'acre_view_ask_again(find, first);' \
    'acre_view_ask_again(find, 0);' test_view_horizon_threads
plant "a walk begins with what moves" $walk '{TREE_STATIC, TREE_MOVING}' '{TREE_MOVING, TREE_STATIC}' \
    test_view_horizon_threads
plant "a sum counts what is hidden at last" $walk 'find->sum = NULL;' ';' test_view_horizon_threads
plant "a walk that gives up keeps what it found" $walk \
    '    if (result != ACRE_OK) {
        find->count = find->tested = 0;' '    if (result != ACRE_OK) {
        ;' test_view_horizon_threads
plant "a walk takes the first sibling for all" $near 'bounds->row[row][lane]' 'bounds->row[row][0]' \
    test_view_horizon_threads
plant "a walk forgets the second block of a group" $near 'lanes = left >> first & block' \
    'lanes = first > 0 ? 0 : left & block' \
    test_view_horizon_threads
plant "a walk goes on with the horizon of the last one" $gives_up 'acre_horizon_clear(horizon);' ';' \
    test_view_horizon_threads
plant "a horizon may stand beside the eye" $gives_up ': !is_in_region(horizon, eye) ?' ': eye == NULL ?' \
    test_view_horizon_threads
plant "a horizon forgets that it gave up" $gives_up 'LEAST_WAIT = 15' 'LEAST_WAIT = 14' \
    test_view_horizon_threads
plant "a horizon stays off while the eye sinks" $gives_up 'eye[1] >= walk->off_height &&' '' \
    test_view_horizon_threads
plant "a horizon never gives up where nothing rises" $gives_up 'walk->owners >= MOST_OWNERS_BELOW' \
    'walk->owners > 10000' test_view_horizon_threads
plant "a horizon never gives up where little is hidden" $gives_up \
    'stats->gave_up = !walk->goes_on' 'stats->gave_up = false' test_view_horizon_threads
plant "a horizon gives up one question later" $gives_up 'MOST_LOST = 2048' 'MOST_LOST = 2049' test_horizon
plant "what a horizon hides is worth less" $gives_up 'HIDDEN_WORTH = 20' 'HIDDEN_WORTH = 19' test_horizon
plant "an occluder costs a horizon less" $gives_up 'OCCLUDER_COST = 10' 'OCCLUDER_COST = 9' test_horizon
plant "a group that a horizon hides is one object" $gives_up \
    'stats->dropped += dropped * objects;' 'stats->dropped += dropped;' test_horizon
plant "a horizon counts findings that had no memory" $walk \
    'acre_horizon_set_walk(find->horizon, &before);' ';' test_view_horizon_threads
plant "a parallel view has a horizon" $walk '!find->view->is_parallel &&' '' \
    test_view_horizon_threads
plant "two views share a horizon" modules/culling/src/view_many.c 'views[k].horizon == horizon' \
    'false && views[k].horizon == horizon' test_view_horizon_threads
plant "a set forgets where its horizon stood" modules/culling/src/visible_find.c \
    'memcmp(&set->horizon_place, &now, sizeof now) == 0' 'now.is_begun > 0' test_view_horizon_threads
plant "a frozen set is found without its horizon" modules/culling/src/visible_find.c \
    'set->is_frozen && find.horizon && !is_other' 'set->is_frozen && !find.horizon' test_view_horizon_threads
plant "a set that has no memory for changes counts its walk" modules/culling/src/visible_find.c \
    '            acre_horizon_set_walk(find.horizon, &walk); // it forgets the finding' \
    '            (void)walk;' test_horizon_memory
plant "an eye outside its region is told as a range" modules/culling/src/view_rules_internal.h \
    '? ACRE_REFUSED_OUTSIDE' '? ACRE_REFUSED_NOTHING' test_refusals
explains=modules/culling/src/explain_walk.c
plant "an explanation names whom it does not take" $explains 'for (size_t i = by->count; i-- > 0' \
    'for (size_t i = 0; i-- > 0' test_explain_horizon
plant "an explanation names those in another order" $explains 'distance < distances[at - 1]' \
    'distance > distances[at - 1]' test_explain_horizon
plant "an explanation leaves a part of the horizon" $explains \
    '            result = acre_view_walk_again(find);' '' test_explain_horizon
plant "an explanation changes what a horizon has done" $explains \
    '    acre_horizon_set_walk(find->horizon, &before);
    return' '    return' test_explain_horizon
plant "an explanation knows no last question" $walk 'if (find->is_recorded && !record_met(find)) {' \
    'if (find->is_recorded) { return record_met(find) ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY; } if (false) {' \
    test_explain_horizon
finds=modules/import/src/find_occluders.c
encloses=modules/import/src/find_solid.c
plant "found occluders are 0.1 % wider" $finds '*to = prism->occluder;' \
    '*to = prism->occluder;
        for (uint32_t k = 0; k < to->point_count; k++) {
            to->points[k][0] *= 1.001f;
        }' test_find_occluders
plant "found occluders are 1 % higher" $finds '*to = prism->occluder;' \
    '*to = prism->occluder;
        to->top *= 1.01f;' test_find_occluders
plant "found occluders are two-sided wherever the material is" $finds \
    'scale * prism->thickness <= thin' 'scale * prism->thickness <= 1e9' test_find_occluders
plant "found occluders may hang above the ground" $finds \
    'job->lowest + fmin(' 'job->lowest + 1e9 + fmin(' test_find_occluders
plant "found occluders are in meshes with holes" $encloses 'if (open != UINT32_MAX && ' \
    'if (open == UINT32_MAX && ' test_find_occluders
plant "found occluders reach below an open rim" $encloses 'f->rim = f->parts.data[root].rim;' \
    'f->rim = fminf(f->whole.min[1], f->parts.data[root].rim);' test_find_occluders
plant "found occluders are cut beyond the walls" modules/import/src/find_prism.c \
    'dot_2(outward, o->points[k]) - margin' 'dot_2(outward, o->points[k]) + margin' \
    test_find_occluders
plant "found occluders of a part need the ground of another" $finds \
    'count += prism->rim == -INFINITY || is_grounded;' 'count += is_grounded;' test_find_occluders
plant "parts of a mesh that touch are one" $encloses 'if (f->parts.data[root].balance != 0) {' \
    'if (true) {' test_find_occluders
moves=modules/occlusion/src/occluder_move.c
plant "a small occluder far away keeps corners that rounding moves together" $moves \
    '(double)facts->turn * area > 8 * norm * rounding &&' '' test_occluder_move
plant "an occluder that grows is pulled as one that does not" $moves \
    '(double)facts->pull * norm / area' '(double)facts->pull / sqrt(area)' test_occluder_move
ground=modules/occlusion/src/occluder_heights.c
plant "a square of terrain forgets its last row" $ground 'row <= last_row' 'row < last_row' \
    test_occluder_heights
plant "a hole of terrain is passed over" $ground 'return -INFINITY;' 'continue;' test_occluder_heights
plant "a prism under terrain is rounded outward" $ground 'first) + rounding)' 'first) - rounding)' \
    test_occluder_heights
plant "a prism under terrain takes its last row as the lowest" $ground \
    'fminf(shape.top, heights[end - 1])' 'heights[end - 1]' test_occluder_heights
plant "a diagonal outline of terrain is another" $ground ': x + SIDE - z_end;' ': x + SIDE - z;' \
    test_occluder_heights
# Horizons: each clause of the rule and each margin of modules/occlusion/README.md.
adding=modules/occlusion/src/horizon_add.c
columns=modules/occlusion/src/horizon_kernel_part.h
margins=modules/occlusion/src/horizon_margins.h
solids=modules/occlusion/src/occluder.c
plant "a horizon takes columns that are covered in part" $adding \
    'part->first += part->first < from; // rounded up' '' occluded_rays
plant "a horizon bridges gaps" $columns \
    'choice_and(floats_not_above(slopes->low, before.high),' \
    'choice_or(floats_not_above(before.low, before.high),' occluded_rays test_horizon
plant "a roof below the eye stands as high as its front for a horizon" $columns \
    'part->bottom == -INFINITY && part->top >= 0' 'part->bottom == -INFINITY' occluded_rays
plant "the lower of two that stand brings its depth into a horizon" $columns \
    'floats_choose(put, entry, inverse)' 'floats_choose(where, floats_max(entry, inverse), inverse)' \
    occluded_rays
plant "a horizon merges at the nearer depth" $columns \
    'floats_choose(b_holds_a, b->inverse, farther)' 'floats_choose(b_holds_a, b->inverse, nearer)' \
    occluded_rays
plant "a horizon drops what is nearer to level" $columns \
    'floats_less(away_from_level(slopes), away_from_level(&before))' 'choice_of(false)' occluded_rays
plant "a roof stops at the entry for a horizon" $columns \
    'floats_choose(is_deep, entry.least, leave.least)' 'entry.least' occluded_rays
plant "an exit is rounded the wrong way in a horizon" $columns \
    'floats_choose(is_deep, entry.most, leave.most)' 'floats_choose(is_deep, entry.most, leave.least)' \
    occluded_rays
plant "a long bridge counts to its end in a horizon" $columns \
    'floats_choose(is_deep, entry.most, leave.most)' 'leave.most' occluded_rays
plant "a horizon hides boxes that stick out of the floor" $columns \
    'floats_less(floats_load(edges + 3 * stride), floats_all(columns->floor_top))' 'choice_of(true)' \
    occluded_rays test_horizon
plant "a horizon hides boxes that stick out of the ceiling" $columns \
    'floats_less(floats_all(columns->ceiling_bottom), floats_load(edges + 2 * stride))' \
    'choice_of(true)' occluded_rays test_horizon
plant "a wall beyond its floor closes the gap for a horizon" $columns \
    'floats_not_above(floats_load(columns->floor + at), entry)' 'choice_of(true)' \
    occluded_rays test_horizon
plant "a wall beyond its ceiling closes the gap for a horizon" $columns \
    'floats_not_above(floats_load(columns->ceiling + at), entry)' 'choice_of(true)' occluded_rays
plant "a wall over its floor closes the gap for a horizon" $adding \
    'whole->bottom <= columns->floor_top && whole->bottom' \
    'columns->floor_top > -INFINITY && whole->bottom' occluded_rays test_horizon
plant "a wall on a floor leaves a gap in a region's horizon" $adding \
    'raise_prism(horizon, &seen, whole)' 'raise_prism(horizon, &seen, &shrunk)' test_horizon
plant "a horizon hides what the eye is over" $columns \
    'hidden &= ~(here[side] & choice_bits(floats_not_above(turned.near_d, floats_all(0))));' '' test_horizon
plant "a horizon takes the farthest depth of a box" $columns \
    'floats_max(d0, least_beside(boxes, side))' 'floats_max(d1, least_beside(boxes, side))' occluded_rays test_horizon
plant "a horizon takes what comes near" $adding \
    ' ||
        !is_clear(horizon, &prism)) {' ') {' occluded_rays test_horizon
plant "a horizon forgets the region beside a wall" modules/occlusion/src/horizon.c \
    'horizon->near_radius + sqrt(x * x + z * z)' 'horizon->near_radius + 0 * sqrt(x * x + z * z)' \
    test_horizon
plant "a horizon forgets the region over a deck" $adding \
    '-prism->top - half > horizon->near_radius' '-prism->top > horizon->near_radius' test_horizon
plant "a horizon forgets the near radius over a deck" $adding \
    '-prism->top - half > horizon->near_radius' '-prism->top - half > 0' test_horizon
plant "a horizon takes one-sided objects around the eye" $adding \
    '(!is_two_sided && is_in_box(horizon, object)) ||' '' test_horizon
plant "a horizon does not shrink solids" $adding \
    'acre_occluder_shrink(&shrunk, whole, horizon->region)' \
    'acre_occluder_shrink(&shrunk, whole, (const float[3]){0, 0, 0})' occluded_rays
plant "a floor that some eyes are beside is one for a horizon" $adding \
    '{horizon->region[0], 0, horizon->region[2]}' '{0, 0, 0}' occluded_rays
plant "the highest eye does not count for a horizon's floor" $adding \
    '((prism->top - half) *' '(prism->top *' occluded_rays
plant "the lowest eye does not count for a horizon's ceiling" $adding \
    '((prism->bottom + half) *' '(prism->bottom *' occluded_rays
plant "a face does not turn with the eye of a horizon" $adding \
    '? (end - half) / (1 + kappa)' '? (end - half)' occluded_rays
plant "an end behind the foot of a horizon's face moves the wrong way" $adding \
    ': (end - half) / (1 - kappa)' ': (end - half) / (1 + kappa)' occluded_rays
plant "a face does not move with the eye of a horizon" $adding \
    '? (end - half) / (1 + kappa)' '? end / (1 + kappa)' occluded_rays
plant "a face beside its floor closes the gap for a horizon" $adding \
    'if (!(cross_2(edge, to_end) >= 0)) {
            return false;' 'if (!(cross_2(edge, to_end) >= 0)) {
            return true;' occluded_rays test_horizon
plant "an eye comes close to a face of a horizon" $adding 'out->kappa <= 0.5 && ' '' \
    occluded_rays test_horizon
plant "a shrunk occluder keeps its top" $solids '(double)in->top - (double)half[1]' '(double)in->top' \
    occluded_rays test_occluder
plant "a shrunk occluder rounds outward" $solids '0x1p-23 * fmax(x, z)' '-0x1p-23 * fmax(x, z)' test_occluder
plant "an occluder goes around twice" $solids 'is_twice || !' '!' test_occluder
plant "a horizon rounds lines outward" $margins \
    'EDGE_LINE_MARGIN 0x1p-19' 'EDGE_LINE_MARGIN -0x1p-17' occluded_rays
plant "a horizon takes the middle of a column for all of it" $adding \
    'fabs(slope) * width' '0.5 * fabs(slope) * width' occluded_rays
plant "a horizon rounds slopes outward" $margins \
    'SLOPE_MARGIN 0x1p-20' 'SLOPE_MARGIN -0x1p-18' occluded_rays
plant "a box touches too few columns of a horizon" $margins '(1.0f / 256)' '(-1.0f / 256)' occluded_rays
plant "a horizon takes the columns at an outline" $margins \
    'COVER_MARGIN 0x1p-12' 'COVER_MARGIN -0x1p-6' occluded_rays
plant "the numbers of a horizon's region are rounded inward" $margins \
    'REGION_MARGIN 0x1p-20' 'REGION_MARGIN -0x1p-2' occluded_rays test_horizon
plant "edges that are seen from their end count for no side of a horizon" $margins \
    'LEAST_CROSS 1e-8' 'LEAST_CROSS 1e-2' occluded_rays
plant "a horizon asks about endless boxes" $margins \
    'FARTHEST_TARGET 1e18f' 'FARTHEST_TARGET 3e38f' test_horizon
# Occluders that move, clauses of horizons and walks, and what a culler adds to them.
plant "a moved occluder is pulled for its last edge alone" $moves \
    'greater_of(pull, length_of(leaving) / room)' 'length_of(leaving) / room' test_occluder_move
plant "a moved occluder is pulled less than half as far" $moves 'const double rounding = ROUNDED_SHARE * largest;' \
    'const double rounding = 0.4 * ROUNDED_SHARE * largest;' test_occluder_move
plant "a moved occluder knows its last corner alone" $moves 'turn = bend < turn ? bend : turn;' \
    'turn = bend;' test_occluder_move
plant "a moved occluder forgets where it is" $moves \
    'norm * (double)facts->reach + greater_of(fabs(x), fabs(z))' 'norm * (double)facts->reach' \
    test_occluder_move
plant "a moved occluder forgets how far its own corners are" $moves \
    'norm * (double)facts->reach + greater_of(fabs(x), fabs(z))' 'greater_of(fabs(x), fabs(z))' \
    test_occluder_move
plant "a tilted occluder does not swing" $moves 'fabs(cross_2(edge, swing)) + ' '' test_occluder_move
plant "a tilted occluder keeps its lowest corner's bottom" $moves '(scale * lower + most)' \
    '(scale * lower + least)' test_occluder_move
plant "an occluder without a bottom stands any tilt" $moves 'if (!is_upright(matrix)) {' \
    'if (false && !is_upright(matrix)) {' test_occluder_move
plant "a shrunk occluder takes the region's width for its depth" $solids \
    'fabs(edge[1]) * ((double)half[0] + rounding)' 'fabs(edge[0]) * ((double)half[0] + rounding)' \
    test_occluder occluded_rays
plant "a horizon forgets the near radius under a deck" $adding 'prism->bottom - half > horizon->near_radius' \
    'prism->bottom - half > 0' test_horizon
plant "a horizon forgets the region around an object" $adding \
    'horizon->near_radius + (double)horizon->region[axis];' 'horizon->near_radius;' test_horizon
plant "a horizon forgets the near radius around an object" $adding \
    'horizon->near_radius + (double)horizon->region[axis];' '(double)horizon->region[axis];' test_horizon
plant "a horizon takes what looks small" $adding '(double)horizon->least_angle * distance' \
    '0 * (double)horizon->least_angle * distance' test_horizon
plant "a wall under its ceiling closes the gap for a horizon" $adding \
    'whole->top >= columns->ceiling_bottom;' 'columns->ceiling_bottom < INFINITY;' occluded_rays
plant "a lower floor takes the place of a higher one in a horizon" $adding \
    'whole->top <= columns->floor_top : ' 'false : ' test_horizon
plant "a higher ceiling takes the place of a lower one in a horizon" $adding \
    'whole->bottom >= columns->ceiling_bottom)' 'false)' test_horizon
plant "a horizon forgets on which floor its faces stand" $adding '        horizon->floor = *whole;' '' \
    test_horizon occluded_rays
plant "a face over its floor closes the gap for a horizon" $adding \
    'whole->bottom <= horizon->columns.floor_top &&' 'horizon->columns.floor_top > -INFINITY &&' \
    test_horizon
plant "the top of a face does not sink for a horizon's eyes" $adding \
    'double top = shrink_end(prism->top, half, face->kappa);' 'double top = prism->top;' occluded_rays
plant "a region is as deep across a horizon's face as along it" $adding \
    '(fabs(out->edge[1]) * x + fabs(out->edge[0]) * z)' '(fabs(out->edge[0]) * x + fabs(out->edge[1]) * z)' \
    test_horizon occluded_rays
plant "a horizon takes one occluder more" $adding 'horizon->taken >= horizon->max_occluders' \
    'horizon->taken > horizon->max_occluders' test_horizon
plant "a horizon hides what ends beyond its last column" $columns \
    'floats_less(middle, part->end)' 'floats_less(floats_all(-1), part->end)' \
    test_horizon occluded_rays
plant "a horizon does not ask about a box's last column" $columns '(2u << (box->last - at)) - 1' \
    '(1u << (box->last - at)) - 1' test_horizon occluded_rays
plant "a horizon asks about a box's first column alone" $columns '~0u << (box->first - at) : ~0u' \
    '~0u << (box->first - at) : 0u' test_horizon occluded_rays
plant "a horizon does not look around its corners" $columns 'floats_all(1 + (float)SLOPE_MARGIN));
    return choice_bits' 'floats_all(1 - 64 * (float)SLOPE_MARGIN));
    return choice_bits' test_horizon occluded_rays
plant "a box that is inside out is hidden by a horizon" $columns \
    'choice_and(floats_not_above(min, max), is_near)' 'is_near' test_horizon
plant "a horizon asks about what begins without an end" $columns \
    'choice_and(floats_not_above(max, farthest), floats_not_above(negated(farthest), min))' \
    'floats_not_above(max, farthest)' test_horizon
plant "a horizon rounds the slopes of boxes inward" $columns '.high = scaled_by_sign(high, more, less)' \
    '.high = scaled_by_sign(high, less, more)' test_horizon
plant "a horizon rounds the depth of boxes inward" $columns 'floats_mul(near_q, floats_all(more))' \
    'floats_mul(near_q, floats_all(less))' test_horizon
plant "what stands before what hangs lets a horizon forget it" $columns \
    'choice_or(floats_not_above(low, lowest), floats_less(high, low))' 'choice_of(true)' test_horizon
plant "the nearer of two that stand is as high as the other for a horizon" $columns \
    'choice_and(floats_not_above(high, raised), floats_less(inverse, entry))' 'floats_less(inverse, entry)' \
    test_horizon
plant "an outline ends on the side where it begins for a horizon" $adding 'if (part->side == last) {' \
    'if (part->side <= HORIZON_SIDES) {' occluded_rays test_horizon
plant "the sides of an outline go the other way around for a horizon" $adding \
    'part->side = (part->side + 1) % HORIZON_SIDES;' 'part->side = (part->side + 3) % HORIZON_SIDES;' \
    occluded_rays test_horizon
begins=modules/occlusion/src/horizon.c
plant "a horizon names boxes by their number in a block" $begins '(uint32_t)first + lowest_bit(seen)' \
    'lowest_bit(seen)' test_horizon
plant "a horizon begins beyond what it can measure" $begins \
    'fmax(fabs(horizon->eye[axis]), half) <= FARTHEST_OCCLUDER' 'true' test_horizon
plant "a horizon that begins anew keeps its columns" $begins '    acre_horizon_clear(horizon);
    set_eye' '    set_eye' test_horizon
plant "a walk adds nothing that is under the eye" $gives_up 'square == 0 || (rises' '(rises' \
    test_horizon
plant "a walk adds what rises no more" $gives_up 'horizon->eye[1] + RISE_SLOPE' \
    'horizon->eye[1] - RISE_SLOPE' test_horizon
plant "a walk waits for owners that never come" $gives_up ' || walk->stats.kept >= MOST_BELOW' '' \
    test_horizon
plant "a walk remembers what rose in the last one" $gives_up 'walk->goes_on = walk->rises = false' \
    'walk->goes_on = false' test_horizon
plant "a horizon stays off for 16 queries once" $gives_up '    walk->plain_queries = 0;
' '' test_view_horizon_threads
plant "a horizon that gives up again waits no longer" $gives_up '2 * walk->wait + 1' 'walk->wait' \
    test_view_horizon_threads
plant "a horizon asks before the eye has sunk to where something rises" $gives_up \
    'walk->owners > 0 ? walk->least_sink : 0' '0' test_view_horizon_threads
plant "a walk leaves out what covers one column" $gives_up 'whole + (whole < first) <' 'whole + 1 + (whole < first) <' \
    test_horizon
plant "a walk may begin above its region" $gives_up 'for (int axis = 0; axis < 3; axis++) {
        is_inside' 'for (int axis = 0; axis < 3; axis += 2) {
        is_inside' test_view_horizon_threads
plant "a set forgets the near radius of its horizon" $gives_up '.near_radius = (float)horizon->near_radius' \
    '.near_radius = 0' test_view_horizon_threads
plant "a set forgets the region of its horizon" $gives_up 'out.region[axis] = horizon->region[axis];' \
    'out.region[axis] = 0;' test_view_horizon_threads
given=modules/culling/src/culling_occluders.c
plant "an occluder rises above its object's box" $given 'if (occluder->top > box->max[1]) {' 'if (false) {' \
    test_culling_occluders
plant "an occluder reaches below its object's box" $given \
    'occluder->bottom > -INFINITY && occluder->bottom < box->min[1]' 'false' test_culling_occluders
plant "an occluder sticks out of its object's box" $given 'if (!is_held) {' 'if (false && !is_held) {' \
    test_culling_occluders
plant "a one-sided occluder needs no box" $given ': out->flags & ACRE_OCCLUDER_TWO_SIDED;' ': true;' \
    test_culling_occluders
plant "what is never culled hides nothing" $walk '    add_occluders(&walk, 0, false);' '' \
    test_culling_occluders
plant "what is never culled counts as kept in a walk" $walk 'add_occluders(&walk, 0, false);' \
    'add_occluders(&walk, 0, true);' test_culling_occluders
plant "levels of detail stay where they were before the last question" $walk \
    'find->lods[count] = find->lods[from];' '' test_view_horizon_threads
plant "the second half of a group is not asked about once more" $walk 'first += ACRE_NEAR_BLOCK) {' \
    'first += 2 * ACRE_NEAR_BLOCK) {' test_view_horizon_threads
camera=modules/culling/src/horizon_camera.c
plant "a horizon begins at a camera whose lines meet elsewhere" $camera ' && p[12] == 0.0f && p[13] == 0.0f' \
    '' test_horizon_camera
plant "a horizon measures the near plane in the camera's space" $camera 'dot3(from->rows[k], ray)' 'ray[k]' \
    test_horizon_camera
plant "a horizon forgets a corner of the near plane" $camera 'corner = 0; corner < 4' \
    'corner = 0; corner < 3' test_horizon_camera
lists=modules/culling/src/culling_occluder_lists.c
plant "an object that moved keeps its occluders" $lists \
    '        drop_listed(culling, in->moved, in->moved_count);' '' test_culling_occluders
plant "an object whose box was set keeps its occluders" $lists \
    '    drop_listed(culling, in->box_slots, in->box_count);' '' test_culling_occluders
plant "an object that is marked as moved keeps its occluders" $lists '        drop_marked(culling, in);' '' \
    test_culling_occluders
plant "an object of another kind keeps its occluders" $lists \
    'drop_listed(culling, in->relabeled, in->relabeled_count);' '' test_culling_occluders
plant "occluders that were dropped are lost" $lists '    culling->free_occluders = *first1;' '' \
    test_culling_occluders test_horizon_memory
plant "a field of heights knows no rounding" $ground 'return 0x1p-22 *' 'return 0x1p-60 *' \
    test_occluder_heights
proves=modules/import/src/find_proof.c
plant "a proof sees no triangle" $proves 'return least < top && most > bottom;' 'return false;' \
    test_find_occluders
plant "a proof takes what lies over a prism for what is in it" $proves \
    'return least < top && most > bottom;' 'return most > bottom;' test_find_occluders
plant "a proof takes what lies under a prism for what is in it" $proves \
    'return least < top && most > bottom;' 'return least < top;' test_find_occluders
plant "a proof forgets the open rim" $proves 'o->bottom >= f->rim && ' '' test_find_occluders
plant "a proof takes the outside for the inside" $proves 'return winding > 0;' 'return winding >= 0;' \
    test_find_occluders
plant "a proof knows one direction of corners" $proves 'acre_find_measure(o, NULL) < 0.0 ? -1.0 : 1.0' '1.0' \
    test_find_occluders
plant "a proof sees triangles beyond a side by one corner" $proves \
    'for (int i = 0; i < 3 && is_outside; i++) {' 'for (int i = 0; i < 1 && is_outside; i++) {' \
    test_find_occluders
plant "a proof loses where a triangle leaves a side" modules/import/src/find_polygon.c \
    '(high_a < 0.0 && high_b > 0.0) || (high_a > 0.0 && high_b < 0.0)) {
            const double t = high_a / (high_a - high_b);
            for' 'high_a < 0.0 && high_b > 0.0) {
            const double t = high_a / (high_a - high_b);
            for' test_find_occluders
plant "a proof counts what is under the prism, too" $proves 'i < count && met[i].where > middle[1]' 'i < count' \
    test_find_occluders
plant "a proof gives up where its line meets an edge" $proves 'const double part = 0.0625 * (double)k;' \
    'const double part = 0 * (double)k;' test_find_occluders
scene=engine/scene/src/scene_shift.c
tree=modules/quadtree/src/batch/quadtree_shift.c
culler=modules/culling/src/culling_shift.c
watch=modules/interest/src/interest.c
plant "a shift forgets a translation" $scene 'floats_store(&place[axis], sum);' \
    'floats_store(&place[axis], choice_bits(low) == 99 ? sum : old);' test_scene_random test_world_shift
plant "a shift forgets local matrices" $scene \
    'is_rounded |= shift_number(&place[axis * stride], shift->offset[axis]);' \
    'is_rounded |= bits & ROW_MATRIX ? 0 : shift_number(&place[axis * stride], shift->offset[axis]);' \
    test_scene_random test_world_shift
plant "a shift moves children" $scene '} else if (!head_has_parent(head)) {' '} else {' test_scene_random
plant "a shift forgets a world box that was set" $scene \
    'if ((bits & ROW_BOX_MASK) == ROW_BOX_WORLD) {' \
    'if ((bits & ROW_BOX_MASK) == ROW_BOX_WORLD && bits == 0) {' test_scene_random test_world_shift
plant "a shift rounds a world box inward" engine/core/src/float_bits.h \
    'min[axis] = float_add_down(min[axis]' 'min[axis] = float_add_up(min[axis]' test_scene_random
plant "a second shift takes the place of the first" $scene \
    'scene->shift[axis] += offset[axis];' 'scene->shift[axis] = offset[axis];' test_world_shift
plant "a commit tells of a shift twice" $scene '    scene->has_shift = false;' '' test_world_shift
plant "the origin of doubles stays" $scene \
    'memcpy(scene->origin, shift.origin, sizeof shift.origin);' '' test_world_doubles
plant "a slot keeps the place of an entity that is gone" engine/scene/src/scene_handles.c \
    '->at[0] = (double)NAN;' '->at[0] += 0;' test_world_doubles
plant "floats do not name a place" engine/scene/src/scene_doubles.c \
    'counts &= (float)' 'counts |= (float)' test_world_doubles
plant "a shift leaves the lattice" $tree \
    'memcpy(tree->grid.origin, to->origin, sizeof to->origin);' '' test_quadtree_shift
plant "a shift leaves the square of the def" $tree \
    'memcpy(tree->def.center, to->center, sizeof to->center);' '' test_quadtree_shift
plant "a shift leaves a stale limit" $tree \
    'for (uint32_t slot = 0; slot < 4; slot++) {' 'for (uint32_t slot = 0; slot < 3; slot++) {' \
    test_quadtree_shift
plant "a shift leaves the bands of heights" $tree \
    'float_is_finite(base) ? base : 0.0f;' 'float_is_finite(base) ? bands->base : 0.0f;' test_quadtree_shift
plant "a shift rounds a tree's box inward" modules/quadtree/src/kernels/quadtree_kernel_refresh_part.h \
    'new_low[slot] = float_add_down(' 'new_low[slot] = float_add_up(' test_quadtree_shift
plant "a shift leaves a box that leaves its cell" modules/quadtree/src/batch/quadtree_batch.c \
    'box.row[i] = float_add_down(box.row[i], state->offset[i / 2], is_rounded);' '' test_quadtree_shift
plant "a shift moves one tree of two" $culler \
    'for (int i = 0; i < TREE_COUNT; i++) {' 'for (int i = 0; i < 1; i++) {' test_world_shift test_objects_random
plant "a tree that is made later stands where the world was" $culler \
    '*center = (float)((double)*center + offset[2 * axis]);' '*center = (float)((double)*center);' test_world_shift
plant "a culler believes in boxes that its tree refused" $culler \
    'culling->has_new_boxes = shifted == ACRE_OK;' 'culling->has_new_boxes = shifted != ACRE_ERROR_BUSY;' \
    test_world_shift test_culling_random
plant "a host's shift forgets its occluders" $culler '    shift_occluders(culling, offset);' '' \
    test_culling_occluders
plant "a rounded occluder stays" $culler 'is_exact &= shift_occluder(' 'is_exact |= shift_occluder(' \
    test_culling_occluders
plant "a shift leaves a view's planes" $culler \
    'at -= (double)plane[axis] * offset[axis];' '' test_world_shift
plant "a view's planes go inward" $culler 'at += outward * 0x1p-20 * size;' \
    'at -= outward * 0x1p-13 * size;' test_world_shift
plant "a shift leaves a view's eye" $culler \
    'view->eye[axis] = (float)((double)view->eye[axis] + offset[axis]);' '' test_world_shift
plant "a shift leaves a view's depth" $culler 'view->depth[3] = (float)depth;' '' test_world_shift
plant "a frozen set keeps its view" $culler 'acre_view_shift(&set->view, offset);' '' test_world_shift
plant "a frozen set keeps its second volume" $culler \
    'shift_planes(&set->include, offset, 1.0);' '' test_world_shift
plant "a frozen set keeps what it leaves out" $culler \
    'shift_planes(&set->exclude, offset, -1.0);' '' test_world_shift
plant "a set keeps the box of its sum" $culler \
    'float_shift_box(set->last.sum.box.min, set->last.sum.box.max, offset, &is_rounded);' \
    'is_rounded++;' test_world_shift
plant "an observer stays behind" $watch \
    'row->def.place[axis] = (float)((double)row->def.place[axis] + offset[axis]);' '' \
    test_interest_shift
plant "the tree of ranges stays behind" $watch \
    'ranges->tree ? acre_quadtree_shift(ranges->tree, offset, NULL, 0, NULL)' \
    'ranges->tree && offset[0] > 1e99 ? ACRE_ERROR_BUSY' test_interest_shift
echo "$planted faults planted, $missed that nothing found"
[ "$missed" -eq 0 ]
