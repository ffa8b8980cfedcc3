#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# world_places.sh - everything that knows a place says how it moves when the world is shifted.
#     tests/scripts/world_places.sh
# Finds the members of all objects that users create (struct acre_NAME { in engine and modules), but
# for plain numbers, and compares them with the list below. A member that is new, gone or of another
# object fails until the list says what becomes of it:
#     none       knows no place
#     scratch    means nothing between calls
#     anew       made anew, from what has moved, before it is read: by the frame or by the caller
#     FUNCTION   moves it; there must be such a function
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
list() {
    sed 's/#.*//' <<'LIST'
acre_scene kernel modules none
acre_scene slots links heads published none
acre_scene dirty boxed toggled labeled destroyed misplaced none
acre_scene locals matrices origin acre_scene_shift_origin
acre_scene places none # the origin moves in their place
acre_scene shift shift_report acre_scene_tell_shift
acre_scene worlds world_boxes anew # by the commit, which computes every row
acre_scene share_words share_blocks scratch
acre_edit_queue edits creates handles none
acre_edit_queue locals boxes anew # what is recorded after a shift is in new coordinates
acre_quadtree grid def acre_quadtree_shift
acre_quadtree home listener listener_context none # a cell of the lattice, which moves
acre_quadtree quads headers acre_pull_shifted # bounds and limits
acre_quadtree cold move_ground # bases of bands
acre_quadtree boxes acre_pull_shifted
acre_quadtree ids def_cell report none
acre_contacts now last began ended scratch none
acre_horizon kernel none
acre_horizon walk scratch
acre_horizon columns rows eye region near_radius clearance least_angle floor anew
acre_interest kernel tree front front_state none
acre_interest rows ranges acre_interest_shift
acre_interest lists usual_reach room_map rooms member_map room_members epoch_map reused none
acre_interest rings anew # what is far from its old place is searched for
acre_interest most_reach touched cost outputs inverse report none
acre_interest share more_shares touched_boxes grids met scratch
acre_draw_list form ranges none
acre_draw_list matrices anew
acre_entity_contacts found now began none
acre_partition data phase rounds none
acre_partition ground boxes tree riders anew # a part stays on its ground: move its things by hand
acre_partition messages fresh_boxes arrived rider rider_places pairs number_pairs packed scratch
acre_partition_interest part interest observers sights new_sights near ranges given given_ranges anew
acre_partition_interest outputs none
acre_receivers space levels slice marks most origin cell cells_per_meter slope along corner anew
acre_receivers unbounded cube share_marks horizon anew
acre_receivers filter none
acre_visible_set view include exclude last acre_visible_set_shift
acre_visible_set many_result culling history none
acre_visible_set horizon_place anew # a horizon begins anew, and then stands elsewhere
acre_culling scene module tree_hook tree_hook_context slots rules edit_result none
acre_culling trees tree_def shift_trees
acre_culling occluders shift_occluders # of a host's objects; those of entities are in their space
acre_partition_mpi part requests bytes none
LIST
}
found="$(awk '
    FNR == 1 { object = "" }
    /^struct acre_[a-z_]+ \{/ { object = $2; next }
    /^\};?$/ { object = ""; next }
    object && /COLUMN_OF\(/ {
        line = $0
        while (line !~ /;/ && (getline more) > 0)
            line = line " " more
        match(line, /COLUMN_OF\([^)]*\)/)
        kind = substr(line, RSTART + 10, RLENGTH - 11)
        rest = substr(line, RSTART + RLENGTH)
        match(rest, /[a-z_0-9]+/)
        print object, substr(rest, RSTART, RLENGTH), kind
        next
    }
    object && /^ *[a-z][^()]*;/ {
        sub(/;.*/, "")
        sub(/,.*/, "") # the first name says it for all
        sub(/\[.*/, "")
        gsub(/\*/, "")
        name = $NF
        sub(/ *[a-z_0-9]+ *$/, "")
        sub(/^ */, "")
        print object, name, $0
    }' $(grep -lE '^struct acre_[a-z_]+ \{' -r engine modules --include='*.[ch]') |
    grep -vE ' (const )?(u?int(8|16|32|64)_t|bool|size_t|int|acre_(allocator|access|tasks))$' |
    cut -d' ' -f1,2 | sort -u)"
listed="$(list | awk 'NF { for (i = 2; i < NF; i++) print $1, $i }' | sort)"
failed=0
while read -r name; do
    [ -z "$name" ] && continue
    echo "world_places: $name: how does it move when the world is shifted? See this script's list"
    failed=1
done < <(comm -23 <(echo "$found") <(echo "$listed"))
while read -r name; do
    [ -z "$name" ] && continue
    echo "world_places: $name is listed twice, or there is no such member"
    failed=1
done < <(comm -13 <(echo "$found") <(echo "$listed"))
for how in $(list | awk 'NF { print $NF }' | sort -u); do
    case $how in
    none | scratch | anew) ;;
    *)
        grep -qE "\b$how\(" -r engine modules --include='*.[ch]' && continue
        echo "world_places: no function $how moves anything"
        failed=1
        ;;
    esac
done
[ "$failed" = 0 ] && echo "world_places: $(wc -l <<<"$found") members of objects say how they move"
exit "$failed"
