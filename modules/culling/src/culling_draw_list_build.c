// SPDX-License-Identifier: MIT
// culling_draw_list_build.c - from visible slots to what is drawn.
//
// A build first reads all that can be refused and makes room, then writes: an error leaves the last
// content as it was. The order is made of stable sorts, the least significant first: slot (among
// equal distances), distance, LOD, key.
#include "culling_draw_list_internal.h"
#include "culling_internal.h"

#include "lanes_one.h"
#include "shape_lanes.h"

#include "float_bits.h"
#include "prefetch_internal.h"

// So many boxes ahead one is fetched.
#define BOXES_AHEAD 12

#define KNOWN_FLAGS ((uint32_t)(ACRE_DRAW_UNGROUPED | ACRE_DRAW_USER_KEYS))

// One build.
typedef struct draw_job {
    acre_draw_list *list;
    const acre_culling *culling;
    const acre_draw_input *input;
    acre_scene_view scene;
    uint32_t *keys;  // by position in the input
    uint32_t *slots; // in drawing order
    draw_records records;
    size_t range_count;
} draw_job;

static bool wants_distances(const acre_draw_input *input)
{
    return input->order != ACRE_DRAW_AS_GIVEN;
}

static bool input_is_valid(const acre_draw_input *input)
{
    const bool is_eye = float_is_finite(input->eye[0]) && float_is_finite(input->eye[1]) &&
                        float_is_finite(input->eye[2]);
    return (input->slots || input->count == 0) && (input->keys || input->key_count == 0) &&
           !(input->flags & ~KNOWN_FLAGS) &&
           !(input->keys && (input->flags & ACRE_DRAW_USER_KEYS)) &&
           (uint32_t)input->order <= ACRE_DRAW_FAR_TO_NEAR && (is_eye || !wants_distances(input)) &&
           (input->matrices == (acre_matrix_form)0 || acre_matrix_floats(input->matrices) > 0);
}

// Room for all but the ranges, whose number is not known yet.
static bool reserve(draw_job *job)
{
    acre_draw_list *const list = job->list;
    const acre_allocator *const allocator = &list->allocator;
    const size_t count = job->input->count;
    const size_t each = acre_matrix_floats(job->input->matrices);
    if (!acre_column_reserve(allocator, &list->records[0], count, sizeof(uint64_t)) ||
        !acre_column_reserve(allocator, &list->records[1], count, sizeof(uint64_t)) ||
        !acre_column_reserve(allocator, &list->keys, count, sizeof(uint32_t)) ||
        !acre_column_reserve(allocator, &list->slots[!list->front], count, sizeof(uint32_t)) ||
        (each > 0 && count > SIZE_MAX / each) ||
        !acre_column_reserve(allocator, &list->matrices, count * each, sizeof(float))) {
        return false;
    }
    job->keys = list->keys.data;
    job->slots = list->slots[!list->front].data;
    job->records = (draw_records){list->records[0].data, list->records[1].data, count};
    return true;
}

static acre_result read_keys(const draw_job *job)
{
    const acre_draw_input *const input = job->input;
    const bool is_user = (input->flags & ACRE_DRAW_USER_KEYS) != 0;
    for (size_t i = 0; i < input->count; i++) {
        const uint32_t slot = input->slots[i];
        if (slot >= job->scene.slot_count) {
            return ACRE_ERROR_NOT_FOUND;
        }
        if (input->keys && slot >= input->key_count) {
            return ACRE_ERROR_INVALID_ARGUMENT;
        }
        job->keys[i] = is_user       ? (uint32_t)job->scene.user[slot]
                       : input->keys ? input->keys[slot]
                                     : 0;
    }
    return ACRE_OK;
}

static const acre_aabb *box_of(const draw_job *job, uint32_t slot)
{
    const acre_culling *const culling = job->culling;
    return culling->own_box_count > 0 && slot < culling->slots.capacity
               ? acre_culling_box(culling, &job->scene, slot)
               : &job->scene.world_bounds[slot];
}

// As acre_aabb_distance. An empty box is at no distance that a float can hold.
static float distance_from(const float *eye, const acre_aabb *box)
{
    const floats from[6] = {eye[0], eye[0], eye[1], eye[1], eye[2], eye[2]};
    const floats rows[6] = {box->min[0], box->max[0], box->min[1],
                            box->max[1], box->min[2], box->max[2]};
    return box_distance(from, rows);
}

// Positive floats are in the order of their bits.
static void record_distances(draw_job *job)
{
    const acre_draw_input *const input = job->input;
    const size_t count = input->count;
    const uint32_t flip = input->order == ACRE_DRAW_FAR_TO_NEAR ? UINT32_MAX : 0;
    for (size_t i = 0; i < count; i++) {
        if (BOXES_AHEAD < count - i) {
            prefetch_element(job->scene.world_bounds, input->slots[i + BOXES_AHEAD],
                             sizeof(acre_aabb));
        }
        const float distance = distance_from(input->eye, box_of(job, input->slots[i]));
        job->records.now[i] = draw_record(float_magnitude_bits(distance) ^ flip, (uint32_t)i);
    }
}

static void record_positions(draw_job *job)
{
    for (size_t i = 0; i < job->records.count; i++) {
        job->records.now[i] = (uint64_t)i;
    }
}

static void sort_by_lod(draw_job *job)
{
    uint64_t *const records = job->records.now;
    for (size_t i = 0; i < job->records.count; i++) {
        const uint32_t position = draw_record_position(records[i]);
        records[i] = draw_record(job->input->lods[position], position);
    }
    acre_draw_records_sort(&job->records);
}

static void sort_by_key(draw_job *job)
{
    uint64_t *const records = job->records.now;
    for (size_t i = 0; i < job->records.count; i++) {
        const uint32_t position = draw_record_position(records[i]);
        records[i] = draw_record(job->keys[position], position);
    }
    acre_draw_records_sort(&job->records);
}

static void put_in_order(draw_job *job)
{
    const acre_draw_input *const input = job->input;
    if (wants_distances(input)) {
        record_distances(job);
        acre_draw_records_sort(&job->records);
        acre_draw_records_sort_ties(&job->records, input->slots);
    } else {
        record_positions(job);
    }
    if (input->flags & ACRE_DRAW_UNGROUPED) {
        return;
    }
    if (input->lods) {
        sort_by_lod(job);
    }
    if (input->keys || (input->flags & ACRE_DRAW_USER_KEYS)) {
        sort_by_key(job);
    }
}

// Slots in drawing order; what told positions apart becomes key << 32 | LOD.
static void write_slots(draw_job *job)
{
    const acre_draw_input *const input = job->input;
    uint64_t *const groups = job->records.other;
    for (size_t i = 0; i < input->count; i++) {
        const uint32_t position = draw_record_position(job->records.now[i]);
        job->slots[i] = input->slots[position];
        groups[i] = draw_record(job->keys[position], input->lods ? input->lods[position] : 0);
        job->range_count += i == 0 || groups[i] != groups[i - 1];
    }
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
        *range = (acre_draw_range){.key = (uint32_t)(groups[first] >> 32),
                                   .lod = (uint32_t)groups[first],
                                   .first = (uint32_t)first,
                                   .count = (uint32_t)(end - first)};
    }
}

// A slot whose entity is gone keeps its zero matrix.
static acre_result gather(const draw_job *job)
{
    acre_draw_list *const list = job->list;
    if (job->input->matrices == (acre_matrix_form)0 || job->input->count == 0) {
        return ACRE_OK;
    }
    list->count = list->range_count = 0; // until the matrices are those of the slots again
    const acre_result result =
        acre_scene_gather_matrices(job->culling->scene, job->slots, job->input->count,
                                   job->input->matrices, list->matrices.data, 0);
    return result == ACRE_ERROR_NOT_FOUND ? ACRE_OK : result;
}

static acre_result build(draw_job *job)
{
    acre_draw_list *const list = job->list;
    if (!reserve(job)) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    acre_result result = read_keys(job);
    if (result != ACRE_OK) {
        return result;
    }
    put_in_order(job);
    write_slots(job);
    if (!acre_column_reserve(&list->allocator, &list->ranges, job->range_count,
                             sizeof(acre_draw_range))) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    result = gather(job);
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
    if (!list || !culling || !input || !input_is_valid(input)) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if ((uint64_t)input->count > UINT32_MAX) {
        return ACRE_ERROR_CAPACITY;
    }
    if (!access_begin_read(&culling->access)) {
        return ACRE_ERROR_BUSY;
    }
    draw_job job = {.list = list, .culling = culling, .input = input};
    job.scene = acre_scene_get_view(culling->scene);
    const bool is_busy = culling->scene &&
                         acre_scene_gather_matrices(culling->scene, NULL, 0, ACRE_MATRIX_ROWS, NULL,
                                                    0) == ACRE_ERROR_BUSY; // the view is empty then
    const acre_result result = is_busy ? ACRE_ERROR_BUSY : build(&job);
    access_end_read(&culling->access);
    return result;
}
