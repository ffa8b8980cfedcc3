// SPDX-License-Identifier: MIT
// own_objects.c - an entity system of your own: views, LODs, shadows and a draw list, no scene.
//
// A town of houses and cars. The entity system keeps chunks of rows; a car's row changes when
// another one leaves, its slot does not. Acre is told once a chunk what is new, what is gone and
// where the rest is. In each frame plain loops over the chunks find the same.
#include <acre/casters.h>
#include <acre/draw_list.h>
#include <acre/objects.h>
#include <acre/visible_set.h>

#include <stdio.h>
#include <string.h>

enum { ROWS = 64, CHUNKS = 32, SLOTS = ROWS * CHUNKS + 512, FRAMES = 6, CASCADES = 3 };
enum { HOUSE, CAR, KINDS };

static struct chunk {
    uint32_t kind, count, slots[ROWS];
    float centers[ROWS][3];
} chunks[CHUNKS];

// By slot, but for the ring of free slots. Matrices are what the renderer uploads: three rows each.
static uint32_t free_slots[SLOTS], taken, freed, flags[SLOTS], kinds[SLOTS];
static uint16_t rules[SLOTS];
static float worlds[SLOTS][12];

static const float half_sizes[KINDS][3] = {{6, 4, 6}, {2, 1, 1}};
static const acre_visibility_rule rule_of_kind[KINDS] = {{.lod_pixels = {200, 50}},
                                                         {.max_distance = 300, .lod_pixels = {60}}};

static acre_culling *culling;
static acre_view view;
static acre_receivers *receivers;

static uint32_t spawn(struct chunk *c)
{
    const uint32_t row = c->count++, slot = free_slots[taken++ % SLOTS];
    const float x = (float)(slot * 37 % 1000) - 500, z = (float)(slot * 61 % 1000) - 500;
    const float world[12] = {1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, z};
    memcpy(worlds[slot], world, sizeof world);
    memcpy(c->centers[row], (float[3]){x, half_sizes[c->kind][1], z}, sizeof c->centers[row]);
    c->slots[row] = slot;
    kinds[slot] = c->kind;
    flags[slot] = c->kind == HOUSE ? ACRE_ENTITY_STATIC : 0;
    rules[slot] = (uint16_t)(c->kind + 1); // a rule's place in the table, plus 1
    return slot;
}

// A system of the host, which may run as a job for each chunk. A car beyond the town is gone.
static uint32_t drive(struct chunk *c, uint32_t *gone)
{
    uint32_t gone_count = 0;
    for (uint32_t row = c->count; row-- > 0;) {
        const uint32_t slot = c->slots[row];
        c->centers[row][0] = worlds[slot][3] += 10 + (float)(slot % 8 * 5);
        if (c->centers[row][0] > 500) {
            c->slots[row] = c->slots[--c->count];
            memcpy(c->centers[row], c->centers[c->count], sizeof c->centers[row]);
            gone[gone_count++] = free_slots[freed++ % SLOTS] = slot;
        }
    }
    return gone_count;
}

// When it returns, Acre reads nothing of the chunk any more.
static bool update(struct chunk *c)
{
    uint32_t gone[ROWS], fresh[ROWS];
    acre_objects objects = {.slot_count = SLOTS, .flags = flags, .rules = rules};
    objects.removed = gone;
    objects.added = fresh;
    objects.removed_count = c->kind == CAR ? drive(c, gone) : 0;
    while (c->count < ROWS) {
        fresh[objects.added_count++] = spawn(c);
    }
    objects.boxes = (acre_box_array){c->centers, half_sizes[c->kind], sizeof c->centers[0], 0,
                                     ACRE_BOX_FORM_CENTER_EXTENT};
    objects.box_slots = c->slots;
    objects.box_count = c->count;
    return (c->kind == HOUSE && objects.added_count == 0) ||
           acre_culling_update(culling, &objects, NULL) == ACRE_OK;
}

// Whether a loop over all rows finds the same: LODs in the view, or casters.
static bool agrees(const uint32_t *slots, const uint8_t *lods, size_t count)
{
    uint8_t found[SLOTS] = {0}; // LOD plus 1
    bool is_same = true;
    for (size_t i = 0; i < count; i++) {
        found[slots[i]] = (uint8_t)(lods ? lods[i] + 1 : 1);
    }
    for (const struct chunk *c = chunks; c < chunks + CHUNKS; c++) {
        for (uint32_t row = 0; row < c->count; row++) {
            const acre_aabb box = acre_aabb_from_center(c->centers[row], half_sizes[c->kind]);
            const acre_visibility_rule *const rule = &rule_of_kind[c->kind];
            uint32_t lod = 0;
            const bool is_found = lods ? acre_frustum_test_aabb(&view.frustum, &box) &&
                                             !acre_view_test_rules(&view, rule, &box, NULL, &lod)
                                       : acre_receivers_test_aabb(receivers, &box);
            is_same = is_same && found[c->slots[row]] == (is_found ? lod + 1 : 0);
            count -= is_found;
        }
    }
    return is_same && count == 0;
}

static bool draw(acre_draw_list *list, const acre_visible *seen)
{
    const acre_matrix_array matrices = {worlds, 0, ACRE_MATRIX_ROWS};
    acre_draw_input input = {.slots = seen->slots, .count = seen->count, .lods = seen->lods};
    input.keys = kinds;
    input.key_count = SLOTS;
    input.matrices = ACRE_MATRIX_ROWS;
    input.worlds = &matrices;
    bool ok = acre_draw_list_build(list, culling, &input) == ACRE_OK;
    const acre_draw drawn = acre_draw_list_get(list);
    for (size_t i = 0; i < drawn.count; i++) {
        ok = ok && !memcmp(drawn.matrices + 12 * i, worlds[drawn.slots[i]], sizeof worlds[0]);
    }
    printf("%zu objects in %zu draws; casters", drawn.count, drawn.range_count);
    return ok && agrees(seen->slots, seen->lods, seen->count);
}

// What may throw a shadow on the ground or on something seen: it is drawn into the shadow map.
static bool cast(const acre_cascade *cascade, const acre_visible *seen)
{
    static uint32_t slots[SLOTS];
    const acre_aabb ground = {{-600, 0, -600}, {600, 0, 600}};
    size_t count = 0;
    const bool ok =
        acre_receivers_begin(receivers, cascade) == ACRE_OK &&
        acre_receivers_add_boxes(receivers, &ground, 1) == ACRE_OK &&
        acre_culling_add_receivers(culling, receivers, seen->slots, seen->count) == ACRE_OK &&
        acre_culling_query_casters(culling, receivers, slots, SLOTS, &count) == ACRE_OK;
    printf(" %zu", count);
    return ok && agrees(slots, NULL, count);
}

static bool look(acre_cascade *cascades)
{
    const float eye[3] = {450, 2, 0}, target[3] = {450, 2, -1}, up[3] = {0, 1, 0};
    // Shadows end at 300 m; what stands up to 200 m toward the sun may throw them.
    const acre_cascades_def sun = {{1, -2, 1}, 300, 200, 0.7f, NULL, CASCADES, 2048, 0};
    acre_camera camera = {0};
    return acre_camera_perspective(&camera, 1, 1.6f, 1, 900, ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK &&
           acre_camera_look_at(&camera, eye, target, up) == ACRE_OK &&
           acre_view_from_camera(&view, &camera) == ACRE_OK &&
           acre_view_set_viewport(&view, &camera, 1080) == ACRE_OK &&
           acre_cascades_fit(&sun, &camera, cascades) == ACRE_OK;
}

int main(void)
{
    acre_visible_set *set = NULL;
    acre_draw_list *list = NULL;
    acre_cascade cascades[CASCADES];
    for (; freed < SLOTS; freed++) {
        free_slots[freed] = freed * 7 % SLOTS; // as if much had come and gone
        chunks[freed % CHUNKS].kind = freed % KINDS;
    }
    const acre_visible_set_def set_def = {.flags = ACRE_VISIBLE_LODS};
    bool ok = acre_culling_create_for_objects(NULL, &culling) == ACRE_OK &&
              acre_culling_set_rules(culling, rule_of_kind, KINDS) == ACRE_OK &&
              acre_visible_set_create(&set_def, &set) == ACRE_OK &&
              acre_draw_list_create(NULL, &list) == ACRE_OK &&
              acre_receivers_create(NULL, &receivers) == ACRE_OK && look(cascades);
    for (int frame = 1; frame <= FRAMES && ok; frame++) {
        for (int i = 0; i < CHUNKS && ok; i++) {
            ok = update(&chunks[i]);
        }
        ok = ok && acre_culling_find_visible(culling, &view, set) == ACRE_OK;
        const acre_visible seen = acre_visible_set_get(set);
        printf("frame %d: ", frame);
        ok = ok && draw(list, &seen);
        for (int i = 0; i < CASCADES && ok; i++) {
            ok = cast(&cascades[i], &seen);
        }
        printf(ok ? "; plain loops agree\n" : "; plain loops differ\n");
    }
    acre_receivers_destroy(receivers);
    acre_draw_list_destroy(list);
    acre_visible_set_destroy(set);
    acre_culling_destroy(culling);
    return ok ? 0 : 1;
}
