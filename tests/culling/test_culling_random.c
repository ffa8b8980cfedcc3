// SPDX-License-Identifier: MIT
// test_culling_random.c - random streams of scene edits, registrations and refreshes: after every
// one of them a query answers exactly what testing every entity answers.
#include "culling_counts.h"
#include "culling_stream.h"
#include "frustum_kinds.h"

#include <string.h>

// The definition of what a query answers.
static bool is_visible(const culling_stream *stream, int index, const acre_frustum *frustum,
                       uint32_t layers)
{
    const oracle_entity *const entity = &stream->oracle.entities[index];
    if (!culling_stream_sees(stream, index) || !(entity->seen_layers & layers)) {
        return false;
    }
    if (entity->seen_flags & ACRE_ENTITY_NEVER_CULL) {
        return true;
    }
    const acre_aabb box = culling_stream_box(stream, index);
    return !acre_aabb_is_empty(&box) && acre_frustum_test_aabb(frustum, &box);
}

// Both trees are sound, and each holds what belongs there.
static const char *check_trees(const culling_stream *stream)
{
    static char message[160];
    const acre_scene_view view = acre_scene_get_view(stream->oracle.scene);
    const acre_quadtree *const trees[2] = {acre_culling_tree(stream->culling),
                                           acre_culling_static_tree(stream->culling)};
    for (uint32_t i = 0; i < 2 && trees[i]; i++) {
        if (acre_quadtree_validate(trees[i], message, sizeof message) != ACRE_OK) {
            return message;
        }
        for (uint32_t slot = 0; slot < view.slot_count; slot++) {
            const bool is_static = (view.flags[slot] & ACRE_ENTITY_STATIC) != 0;
            if (acre_quadtree_contains(trees[i], slot) && is_static != (i == 1)) {
                return "an item of the wrong tree";
            }
        }
    }
    return NULL;
}

static const char *stream_check(culling_stream *stream)
{
    scene_oracle *const oracle = &stream->oracle;
    test_random *const random = &oracle->random;
    const test_view view = random_view(
        random, &projection_kinds[random_below(random, PROJECTION_KIND_COUNT)], all_clips[0], 0);
    double matrix[16];
    acre_frustum frustum;
    view_projection_matrix(&view, matrix);
    if (acre_frustum_from_matrix_double(&frustum, matrix, view.clip) != ACRE_OK) {
        return "frustum";
    }
    const uint32_t layers = random_below(random, 9);
    const size_t count =
        count_in_frustum(stream->culling, &frustum, layers, stream->found, stream->found_capacity);
    memset(stream->times, 0, stream->found_capacity);
    for (size_t i = 0; i < count; i++) {
        stream->times[stream->found[i]]++;
    }
    size_t expected = 0;
    for (int i = 0; i < oracle->count; i++) {
        if (is_visible(stream, i, &frustum, layers ? layers : UINT32_MAX)) {
            expected++;
            if (stream->times[oracle->entities[i].handle.index1 - 1] != 1) {
                return "a visible entity is lost or named twice";
            }
        }
    }
    const char *const fault = check_trees(stream);
    return fault ? fault : expected == count ? NULL : "a hidden entity is named";
}

static const char *run_stream(uint64_t seed, bool register_all, int limit, int steps, int every)
{
    culling_stream stream;
    const char *fault =
        culling_stream_init(&stream, register_all, limit, seed) ? NULL : "memory of the test";
    int step = 0;
    for (; !fault && step < steps; step++) {
        fault = culling_stream_grow(&stream);
        fault = fault ? fault : culling_stream_step(&stream);
        fault = fault ? fault : culling_stream_grow(&stream);
        if (!fault && step % every == 0) {
            fault = stream_check(&stream);
        }
    }
    fault = fault ? fault : scene_oracle_check(&stream.oracle);
    if (fault) {
        printf("stream %llu, step %d: %s\n", (unsigned long long)seed, step, fault);
    }
    culling_stream_free(&stream);
    return fault;
}

static void small_streams_equal_brute_force_after_every_step(void)
{
    for (uint32_t i = 0; i < 40 * test_scale; i++) {
        CHECK(run_stream(test_seed + i, i % 2, 10, 300, 1) == NULL);
    }
}

static void large_streams_equal_brute_force(void)
{
    for (uint32_t i = 0; i < 4 * test_scale; i++) {
        CHECK(run_stream(test_seed + 1000 + i, i % 2, 300, 3000, 7) == NULL);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(small_streams_equal_brute_force_after_every_step),
        TEST(large_streams_equal_brute_force),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
