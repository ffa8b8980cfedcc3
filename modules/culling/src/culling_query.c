// SPDX-License-Identifier: MIT
// culling_query.c - which slots a camera or any other convex volume sees.
#include "culling_internal.h"

#include "float_bits.h"

// Slots written and found so far.
typedef struct slot_output {
    uint32_t *slots;
    size_t capacity, count;
} slot_output;

static uint32_t lowest_bit(uint64_t bits)
{
#if defined(__GNUC__) || defined(__clang__)
    return (uint32_t)__builtin_ctzll(bits);
#else
    uint32_t position = 0;
    while (!(bits & 1)) {
        bits >>= 1;
        position++;
    }
    return position;
#endif
}

static void list_word(uint64_t bits, uint32_t first, uint32_t layers, const uint32_t *slot_layers,
                      slot_output *output)
{
    for (; bits; bits &= bits - 1) {
        const uint32_t slot = first + lowest_bit(bits);
        if (slot_layers[slot] & layers) {
            if (output->count < output->capacity) {
                output->slots[output->count] = slot;
            }
            output->count++;
        }
    }
}

// Cost: one summary word for 4096 slots, then the set's members.
static void list_never_culled(const acre_culling *culling, uint32_t layers, slot_output *output)
{
    if (culling->never_count == 0) {
        return;
    }
    const uint32_t *const slot_layers = acre_scene_get_view(culling->scene).layers;
    if (!slot_layers) {
        return; // someone commits meanwhile
    }
    const uint64_t *const words = culling->never.data;
    const uint64_t *const summary = culling->never_summary.data;
    for (size_t block = 0; block < culling->never_summary.capacity; block++) {
        for (uint64_t bits = summary[block]; bits; bits &= bits - 1) {
            const size_t word = block * 64 + lowest_bit(bits);
            list_word(words[word], (uint32_t)(word * 64), layers, slot_layers, output);
        }
    }
}

// The tree's full query refuses NaN; a plane with NaN hides nothing, so it is left out.
static acre_frustum without_nan(const acre_frustum *frustum)
{
    acre_frustum kept;
    kept.plane_count = 0;
    for (uint32_t i = 0; i < frustum->plane_count && i < ACRE_FRUSTUM_MAX_PLANES; i++) {
        const float *const plane = frustum->planes[i];
        if (float_is_nan(plane[0]) || float_is_nan(plane[1]) || float_is_nan(plane[2]) ||
            float_is_nan(plane[3])) {
            continue;
        }
        for (int k = 0; k < 4; k++) {
            kept.planes[kept.plane_count][k] = plane[k];
        }
        kept.plane_count++;
    }
    return kept;
}

size_t acre_culling_query_frustum(const acre_culling *culling, const acre_frustum *frustum,
                                  uint32_t layers, uint32_t *slots, size_t capacity)
{
    if (!culling || !frustum || !access_begin_read(&culling->access)) {
        return 0;
    }
    slot_output output = {slots, slots ? capacity : 0, 0};
    const acre_frustum planes = without_nan(frustum);
    const acre_query query = {
        .shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &planes, .layers = layers};
    (void)acre_quadtree_query(culling->tree, &query, slots, output.capacity, &output.count);
    list_never_culled(culling, layers ? layers : UINT32_MAX, &output);
    access_end_read(&culling->access);
    return output.count;
}

acre_result acre_culling_query_spans(const acre_culling *culling, const acre_frustum *frustum,
                                     uint32_t layers, acre_item_span *spans, size_t span_capacity,
                                     uint32_t *slots, size_t capacity, acre_span_totals *totals)
{
    if (!culling || !frustum) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    if (!access_begin_read(&culling->access)) {
        return ACRE_ERROR_BUSY;
    }
    const acre_frustum planes = without_nan(frustum);
    const acre_query query = {
        .shape = ACRE_QUERY_SHAPE_FRUSTUM, .frustum = &planes, .layers = layers};
    const acre_result result = acre_quadtree_query_spans(culling->tree, &query, spans,
                                                         span_capacity, slots, capacity, totals);
    if (result == ACRE_OK) {
        slot_output output = {slots, capacity, totals->copied};
        list_never_culled(culling, layers ? layers : UINT32_MAX, &output);
        const size_t added = output.count - totals->copied;
        if (added > 0 && output.count <= capacity && totals->spans < span_capacity) {
            spans[totals->spans] = (acre_item_span){slots + totals->copied, added};
        }
        totals->spans += added > 0;
        totals->copied += added;
        totals->items += added;
    }
    access_end_read(&culling->access);
    return result;
}

size_t acre_culling_query(const acre_culling *culling, const acre_camera *camera, uint32_t *slots,
                          size_t capacity)
{
    if (!camera) {
        return 0;
    }
    acre_frustum frustum;
    (void)acre_camera_frustum(camera, &frustum); // an error leaves no planes: all is visible
    return acre_culling_query_frustum(culling, &frustum, camera->layers, slots, capacity);
}
