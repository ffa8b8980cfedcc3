// SPDX-License-Identifier: MIT
// draw_list_build.c - from visible slots to what is drawn.
//
// A build first checks all of its input and makes room, then writes: an error leaves the list as it
// was. The order comes from stable sorts, the least significant key first: slot (among equal
// distances), distance, LOD, key.
#include "draw_list_internal.h"
#include "culling_shared.h"

#include "box_array_internal.h"
#include "float_bits.h"

#include <math.h>
#include <string.h>

enum {
    BOXES_AHEAD = 12,   // how far ahead boxes are prefetched
    DISTANCE_BLOCK = 64 // boxes whose distances are computed together
};

#define KNOWN_DRAW_FLAGS ((uint32_t)(ACRE_DRAW_UNGROUPED | ACRE_DRAW_USER_KEYS))

// One build.
typedef struct draw_job {
    acre_draw_list *list;
    culling_reader reader;
    const acre_draw_input *input;
    uint64_t *groups; // by position in the input: key << 8 | LOD
    uint32_t *slots;  // in drawing order
    draw_records records;
    uint32_t shares; // 1: this thread does all
    size_t range_count;
    uint32_t begun;  // ranges that workers have counted
    uint32_t result; // of workers that gather matrices: acre_result
} draw_job;

static bool wants_distances(const acre_draw_input *input)
{
    return input->order != ACRE_DRAW_AS_GIVEN;
}

static bool draw_arrays_are_valid(const acre_draw_input *input)
{
    const acre_matrix_array *const worlds = input->worlds;
    return (!worlds ||
            (acre_matrix_floats(worlds->form) > 0 && (worlds->first || input->count == 0))) &&
           (!input->boxes || box_array_is_valid(input->boxes, input->count));
}

static bool draw_input_is_valid(const acre_draw_input *input)
{
    const bool is_eye = floats_are_finite(input->eye, 3);
    return (input->slots || input->count == 0) && (input->keys || input->key_count == 0) &&
           !(input->flags & ~KNOWN_DRAW_FLAGS) &&
           !(input->keys && (input->flags & ACRE_DRAW_USER_KEYS)) &&
           (uint32_t)input->order <= ACRE_DRAW_FAR_TO_NEAR && (is_eye || !wants_distances(input)) &&
           (input->matrices == (acre_matrix_form)0 || acre_matrix_floats(input->matrices) > 0) &&
           draw_arrays_are_valid(input);
}

// Whether there is what the input asks for. A host's objects have no user values, and their
// matrices are the host's.
static bool draw_input_fits(const draw_job *job)
{
    const acre_draw_input *const input = job->input;
    const bool wants_scene = (input->matrices != (acre_matrix_form)0 && !input->worlds) ||
                             (input->flags & ACRE_DRAW_USER_KEYS);
    return job->reader.scene || !wants_scene;
}

// Makes room for all but the ranges, whose number is not known yet.
static bool reserve_build(draw_job *job)
{
    acre_draw_list *const list = job->list;
    const acre_allocator *const allocator = &list->allocator;
    const size_t count = job->input->count;
    const size_t each = acre_matrix_floats(job->input->matrices);
    if (!COLUMN_RESERVE(allocator, list->records[0], count) ||
        !COLUMN_RESERVE(allocator, list->records[1], count) ||
        !COLUMN_RESERVE(allocator, list->groups, count) ||
        !COLUMN_RESERVE(allocator, list->slots[!list->front], count) ||
        (each > 0 && count > SIZE_MAX / each) ||
        !COLUMN_RESERVE(allocator, list->matrices, count * each)) {
        return false;
    }
    job->groups = list->groups.data;
    job->slots = list->slots[!list->front].data;
    job->shares = share_count_for(job->reader.tasks, count, DRAW_SHARE);
    const size_t counts = (size_t)DRAW_SORT_RANGES << DRAW_LARGEST_DIGIT;
    if (job->shares > 1 && !COLUMN_RESERVE(allocator, list->counts, counts)) {
        job->shares = 1;
    }
    job->records = (draw_records){.now = list->records[0].data,
                                  .other = list->records[1].data,
                                  .count = count,
                                  .tasks = job->reader.tasks,
                                  .shares = job->shares,
                                  .counts = list->counts.data};
    return true;
}

static void run_in_blocks(draw_job *job, draw_range_function *run)
{
    acre_draw_run(job->reader.tasks, job->shares, job->input->count, run, job);
}

static acre_result check_draw_slots(const draw_job *job)
{
    const acre_draw_input *const input = job->input;
    uint32_t largest = 0;
    for (size_t i = 0; i < input->count; i++) {
        largest = input->slots[i] > largest ? input->slots[i] : largest;
    }
    if (input->count > 0 && largest >= job->reader.table.slot_count) {
        return ACRE_ERROR_NOT_FOUND;
    }
    const bool lacks_keys = input->keys && largest >= input->key_count;
    return input->count > 0 && (lacks_keys || !draw_input_fits(job)) ? ACRE_ERROR_INVALID_ARGUMENT
                                                                     : ACRE_OK;
}

static void read_groups(void *call, size_t first, size_t end)
{
    const draw_job *const job = call;
    const acre_draw_input *const input = job->input;
    const uint32_t *const slots = input->slots;
    uint64_t *const groups = job->groups;
    ACRE_INVARIANT(first <= end && end <= job->list->groups.capacity);
    if (input->flags & ACRE_DRAW_USER_KEYS) {
        for (size_t i = first; i < end; i++) {
            groups[i] = (job->reader.table.user[slots[i]] & UINT32_MAX) << 8;
        }
    } else if (input->keys) {
        for (size_t i = first; i < end; i++) {
            groups[i] = (uint64_t)input->keys[slots[i]] << 8;
        }
    } else if (first < end) {
        memset(groups + first, 0, (end - first) * sizeof *groups);
    }
    for (size_t i = first; input->lods && i < end; i++) {
        groups[i] |= input->lods[i];
    }
}

static const acre_aabb *box_to_draw(const draw_job *job, uint32_t slot)
{
    ACRE_INVARIANT(slot < job->reader.table.slot_count);
    return &job->reader.table.boxes[slot];
}

// The boxes of a block from the trees, or from the input. @return false: from the table.
static bool read_kept_boxes(const draw_job *job, const uint32_t *slots, size_t count,
                            acre_aabb *boxes)
{
    const culling_reader *const reader = &job->reader;
    const acre_box_array *const given = job->input->boxes;
    for (size_t i = 0; given && i < count; i++) {
        if (i + BOXES_AHEAD < count) {
            box_array_prefetch(given, slots[i + BOXES_AHEAD]);
        }
        boxes[i] = box_array_row(given, slots[i]);
    }
    if (given || reader->table.boxes) {
        return given != NULL;
    }
    for (size_t i = 0; i < count; i++) {
        boxes[i] = acre_aabb_empty();
    }
    for (int tree = 0; tree < TREE_COUNT; tree++) {
        if (reader->tree_counts[tree] > 0) {
            (void)acre_quadtree_get_boxes(reader->trees[tree], slots, count, boxes);
        }
    }
    return true;
}

static inline void write_edges(const acre_aabb *box, size_t i, float rows[6][DISTANCE_BLOCK])
{
    for (int axis = 0; axis < 3; axis++) {
        rows[axis * 2][i] = box->min[axis];
        rows[axis * 2 + 1][i] = box->max[axis];
    }
}

// Reads the boxes of a block, one row for each edge, so that the loops over them vectorize.
static void read_box_edges(const draw_job *job, size_t first, size_t count,
                           float rows[6][DISTANCE_BLOCK])
{
    const uint32_t *const slots = job->input->slots + first;
    const size_t left = job->input->count - first;
    acre_aabb kept[DISTANCE_BLOCK];
    if (read_kept_boxes(job, slots, count, kept)) {
        for (size_t i = 0; i < count; i++) {
            write_edges(&kept[i], i, rows);
        }
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (BOXES_AHEAD < left - i) {
            prefetch_element(job->reader.table.boxes, slots[i + BOXES_AHEAD], sizeof(acre_aabb));
        }
        write_edges(box_to_draw(job, slots[i]), i, rows);
    }
}

// Distances as acre_aabb_distance computes them; that of an empty box is infinite. The work is in
// two loops: in one, the compiler branches where a gap is 0.
static void find_eye_distances(const float *eye, float rows[6][DISTANCE_BLOCK], float *out)
{
    for (int axis = 0; axis < 3; axis++) {
        float *const low = rows[axis * 2], *const high = rows[axis * 2 + 1];
        for (int i = 0; i < DISTANCE_BLOCK; i++) {
            const float below = low[i] - eye[axis], above = eye[axis] - high[i];
            const float gap = below > above ? below : above;
            low[i] = gap > 0.0f ? gap : 0.0f;
        }
    }
    for (int i = 0; i < DISTANCE_BLOCK; i++) {
        const float x = rows[0][i], y = rows[2][i], z = rows[4][i];
        out[i] = sqrtf(x * x + y * y + z * z);
    }
}

// Positive floats sort as their bits do.
static void record_distances(void *call, size_t begin, size_t end)
{
    const draw_job *const job = call;
    ACRE_INVARIANT(end <= job->records.count && wants_distances(job->input));
    const uint32_t flip = job->input->order == ACRE_DRAW_FAR_TO_NEAR ? UINT32_MAX : 0;
    float rows[6][DISTANCE_BLOCK] = {{0}}, distances[DISTANCE_BLOCK];
    for (size_t first = begin; first < end; first += DISTANCE_BLOCK) {
        const size_t here = end - first < DISTANCE_BLOCK ? end - first : DISTANCE_BLOCK;
        read_box_edges(job, first, here, rows);
        find_eye_distances(job->input->eye, rows, distances);
        for (size_t i = 0; i < here; i++) {
            const uint32_t value = float_magnitude_bits(distances[i]) ^ flip;
            job->records.now[first + i] = draw_record(value, (uint32_t)(first + i));
        }
    }
}

static void record_positions(void *call, size_t first, size_t end)
{
    const draw_job *const job = call;
    ACRE_INVARIANT(end <= job->records.count);
    for (size_t i = first; i < end; i++) {
        job->records.now[i] = (uint64_t)i;
    }
}

// The part of a group by which records are sorted: the low 32 bits of key << key_shift | (LOD &
// lod_mask).
typedef struct group_digits {
    const draw_job *job;
    uint32_t key_shift;
    uint64_t lod_mask;
} group_digits;

static void record_groups(void *call, size_t first, size_t end)
{
    const group_digits *const by = call;
    uint64_t *const records = by->job->records.now;
    const uint64_t *const groups = by->job->groups;
    for (size_t i = first; i < end; i++) {
        const uint32_t position = draw_record_position(records[i]);
        ACRE_INVARIANT(position < by->job->records.count);
        const uint64_t group = groups[position];
        records[i] =
            draw_record((uint32_t)(group >> 8 << by->key_shift | (group & by->lod_mask)), position);
    }
}

static void sort_by(draw_job *job, uint32_t key_shift, uint64_t lod_mask)
{
    group_digits by = {job, key_shift, lod_mask};
    acre_draw_run(job->reader.tasks, job->shares, job->records.count, record_groups, &by);
    acre_draw_records_sort(&job->records);
}

// Sorts by key and LOD as one number if they fit into 32 bits, else by LOD and then by key.
static void sort_by_groups(draw_job *job)
{
    const uint64_t *const groups = job->groups;
    uint64_t used = 0, differ = 0;
    for (size_t i = 0; i < job->input->count; i++) {
        used |= groups[i];
        differ |= groups[i] ^ groups[0];
    }
    uint32_t lod_bits = 0;
    while ((used & UINT8_MAX) >> lod_bits) {
        lod_bits++;
    }
    if (differ == 0) {
        return; // one group
    }
    if (used >> 8 << lod_bits <= UINT32_MAX) {
        sort_by(job, lod_bits, UINT8_MAX);
    } else {
        sort_by(job, 32, UINT8_MAX);
        sort_by(job, 0, 0);
    }
}

static void put_in_order(draw_job *job)
{
    if (wants_distances(job->input)) {
        run_in_blocks(job, record_distances);
        acre_draw_records_sort_with_slots(&job->records, job->input->slots);
    } else {
        run_in_blocks(job, record_positions);
    }
    if (!(job->input->flags & ACRE_DRAW_UNGROUPED)) {
        sort_by_groups(job);
    }
}

// Slots and groups in drawing order.
static void write_slots(void *call, size_t first, size_t end)
{
    draw_job *const job = call;
    const uint32_t *const slots = job->input->slots;
    const uint64_t *const records = job->records.now;
    uint64_t *const groups = job->records.other;
    uint64_t last =
        first > 0 ? job->groups[draw_record_position(records[first - 1])] : UINT64_MAX; // none
    uint32_t begun = 0;
    for (size_t i = first; i < end; i++) {
        const uint32_t position = draw_record_position(records[i]);
        ACRE_INVARIANT(position < job->input->count);
        const uint64_t group = job->groups[position];
        job->slots[i] = slots[position];
        groups[i] = group;
        begun += group != last;
        last = group;
    }
    (void)atomic_add_relaxed(&job->begun, begun);
}

static void write_ranges(const draw_job *job)
{
    const uint64_t *const groups = job->records.other;
    acre_draw_range *range = job->list->ranges.data;
    for (size_t first = 0, end; first < job->records.count; first = end, range++) {
        end = first + 1;
        while (end < job->records.count && groups[end] == groups[first]) {
            end++;
        }
        *range = (acre_draw_range){.key = (uint32_t)(groups[first] >> 8),
                                   .lod = (uint32_t)(groups[first] & UINT8_MAX),
                                   .first = (uint32_t)first,
                                   .count = (uint32_t)(end - first)};
    }
    ACRE_INVARIANT((size_t)(range - job->list->ranges.data) == job->range_count);
}

// A slot whose entity is gone keeps its zero matrix.
static void gather_some(void *call, size_t first, size_t end)
{
    draw_job *const job = call;
    float *const matrices = job->list->matrices.data;
    const acre_matrix_form form = job->input->matrices;
    if (job->input->worlds) {
        acre_draw_gather(job->input->worlds, job->slots + first, end - first, form,
                         matrices + first * acre_matrix_floats(form));
        return;
    }
    const acre_result result =
        acre_scene_gather_matrices(job->reader.scene, job->slots + first, end - first, form,
                                   matrices + first * acre_matrix_floats(form), 0);
    if (result != ACRE_OK && result != ACRE_ERROR_NOT_FOUND) {
        atomic_write_relaxed(&job->result, (uint32_t)result);
    }
}

static acre_result gather_build_matrices(draw_job *job)
{
    if (job->input->matrices == (acre_matrix_form)0 || job->input->count == 0) {
        return ACRE_OK;
    }
    // Until the matrices are those of the slots again.
    job->list->count = job->list->range_count = 0;
    run_in_blocks(job, gather_some);
    return (acre_result)job->result;
}

static acre_result run_build(draw_job *job)
{
    acre_draw_list *const list = job->list;
    if (!reserve_build(job)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    acre_result result = check_draw_slots(job);
    if (result != ACRE_OK) {
        return result;
    }
    run_in_blocks(job, read_groups);
    put_in_order(job);
    run_in_blocks(job, write_slots);
    job->range_count = job->begun;
    if (!COLUMN_RESERVE(&list->allocator, list->ranges, job->range_count)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    result = gather_build_matrices(job);
    if (result == ACRE_OK) {
        write_ranges(job);
        list->front = !list->front;
        list->form = job->input->matrices;
        list->count = job->input->count;
        list->range_count = job->range_count;
    }
    return result;
}

acre_result acre_draw_list_build(acre_draw_list *list, const acre_culling *culling,
                                 const acre_draw_input *input)
{
    if (!list || !culling || !input || !draw_input_is_valid(input)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (input->count >= UINT32_MAX) { // positions are 32 bits
        return ACRE_ERROR_CAPACITY;
    }
    draw_job job = {.list = list, .input = input};
    if (!acre_culling_begin_reading(culling, &job.reader)) {
        return ACRE_ERROR_BUSY;
    }
    const acre_scene *const scene = job.reader.scene;
    const bool is_busy = scene && acre_scene_gather_matrices(scene, NULL, 0, ACRE_MATRIX_ROWS, NULL,
                                                             0) == ACRE_ERROR_BUSY;
    const acre_result result = is_busy ? ACRE_ERROR_BUSY : run_build(&job);
    acre_culling_end_reading(&job.reader);
    return result;
}
