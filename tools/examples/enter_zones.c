// SPDX-License-Identifier: MIT
// enter_zones.c - triggers: which animals enter and leave a zone, also when one vanishes inside.
#include <acre/entity_pairs.h>

#include <stdio.h>

// Zones meet animals; no other layers meet. No camera asks for the layer of the zones.
enum { LAYER_ANIMALS, LAYER_ZONES };
static const uint32_t meets[32] = {[LAYER_ZONES] = 1u << LAYER_ANIMALS};

enum { NAMED = 6 };

typedef struct forest {
    acre_scene *scene;
    acre_culling *culling;
    acre_entity_contacts *contacts;
    const char *names[NAMED]; // of whoever was created so far
    acre_entity entities[NAMED];
    int count;
} forest;

static acre_result create(forest *it, const char *name, float x, float half, uint32_t layer)
{
    const acre_aabb box = {{-half, 0, -half}, {half, 1, half}};
    const acre_transform at = {{x, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    const acre_entity_def def = {.local = &at,
                                 .bounds = &box,
                                 .layers = 1u << layer,
                                 .flags = layer == LAYER_ZONES ? ACRE_ENTITY_STATIC : 0};
    it->names[it->count] = name;
    return acre_entity_create(it->scene, &def, &it->entities[it->count++]);
}

static acre_result open_forest(forest *it)
{
    acre_result result = acre_scene_create(&(acre_scene_def){0}, &it->scene);
    if (result == ACRE_OK) {
        result =
            acre_culling_create(it->scene, &(acre_culling_def){.register_all = true}, &it->culling);
    }
    if (result == ACRE_OK) {
        result = acre_entity_contacts_create(NULL, &it->contacts);
    }
    if (result == ACRE_OK) {
        result = create(it, "the clearing", 10.0f, 6.0f, LAYER_ZONES);
    }
    if (result == ACRE_OK) {
        result = create(it, "the pond", 18.0f, 4.0f, LAYER_ZONES);
    }
    if (result == ACRE_OK) {
        result = create(it, "fox", 0.0f, 0.5f, LAYER_ANIMALS);
    }
    return result == ACRE_OK ? create(it, "hare", 9.0f, 0.5f, LAYER_ANIMALS) : result;
}

static const char *name_of(const forest *it, acre_entity entity)
{
    for (int i = 0; i < it->count; i++) { // one that is gone still has its own handle
        if (it->entities[i].index1 == entity.index1 &&
            it->entities[i].generation == entity.generation) {
            return it->names[i];
        }
    }
    return "nobody";
}

// Zones were created first, so that in each pair the zone has the smaller slot.
static void tell(const forest *it, const char *what, const acre_entity_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        printf("  %s %s %s\n", name_of(it, pairs[i].b), what, name_of(it, pairs[i].a));
    }
}

static acre_result step(forest *it, const char *when)
{
    acre_result result = acre_scene_commit(it->scene);
    if (result == ACRE_OK) {
        const acre_pairs_rules rules = {.meets = meets};
        result = acre_entity_contacts_update(it->contacts, it->culling, &rules);
    }
    const acre_entity_contacts_lists lists = acre_entity_contacts_get(it->contacts);
    printf("%s: %zu in zones\n", when, lists.now_count);
    tell(it, "enters", lists.began, lists.began_count);
    tell(it, "leaves", lists.ended, lists.ended_count);
    return result;
}

static acre_result walk(forest *it, int animal)
{
    acre_result result = ACRE_OK;
    for (int second = 1; second <= 5 && result == ACRE_OK; second++) {
        const acre_transform at = {{5.0f * (float)second, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
        char when[32];
        (void)snprintf(when, sizeof when, "second %d", second);
        result = acre_entity_set_local(it->scene, it->entities[animal], &at);
        result = result == ACRE_OK ? step(it, when) : result;
    }
    return result;
}

int main(void)
{
    forest it = {.count = 0};
    acre_result result = open_forest(&it);
    result = result == ACRE_OK ? step(&it, "at first") : result;
    result = result == ACRE_OK ? walk(&it, 2) : result;
    if (result == ACRE_OK) {
        result = acre_entity_destroy(it.scene, it.entities[3]);
    }
    result = result == ACRE_OK ? step(&it, "the hare is gone") : result;
    result = result == ACRE_OK ? create(&it, "mouse", 14.5f, 0.1f, LAYER_ANIMALS) : result;
    result = result == ACRE_OK ? step(&it, "a mouse has its slot") : result;
    acre_entity_contacts_destroy(it.contacts);
    acre_culling_destroy(it.culling);
    acre_scene_destroy(it.scene);
    if (result != ACRE_OK) {
        fprintf(stderr, "enter_zones: %s\n", acre_result_text(result));
    }
    return result == ACRE_OK ? 0 : 1;
}
