// SPDX-License-Identifier: MIT
// read_back.c - an editor's tree view: the scene answers everything, the program remembers nothing.
//
// A small yard is created in one call. Then it is printed from its handles alone: hierarchy, local
// transforms, boxes, flags. An edit is read back before any commit; world boxes need one.
#include <acre/scene.h>

#include <stdio.h>

enum { YARD, SHED, DOOR, TREE, CROWN, COUNT };

static const char *const names[COUNT] = {"yard", "shed", "door", "tree", "crown"};

static acre_result create_yard(acre_scene *scene, acre_entity *out)
{
    static const float places[COUNT][3] = {
        {100, 0, 200}, {5, 0, 0}, {0, 0, 1.5f}, {-8, 0, 3}, {0, 4, 0}};
    static const acre_aabb boxes[COUNT] = {{{0, 0, 0}, {0, 0, 0}},
                                           {{-2, 0, -1.5f}, {2, 2.5f, 1.5f}},
                                           {{-0.5f, 0, 0}, {0.5f, 2, 0.1f}},
                                           {{-0.3f, 0, -0.3f}, {0.3f, 4, 0.3f}},
                                           {{-2, 0, -2}, {2, 3, 2}}};
    static const uint32_t parents[COUNT] = {UINT32_MAX, YARD, SHED, YARD, TREE};
    acre_transform locals[COUNT];
    acre_entity_def defs[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        locals[i] = (acre_transform)ACRE_TRANSFORM_IDENTITY;
        for (int axis = 0; axis < 3; axis++) {
            locals[i].translation[axis] = places[i][axis];
        }
        defs[i] = (acre_entity_def){.local = &locals[i], .user = i};
        defs[i].bounds = i == YARD ? NULL : &boxes[i]; // the yard has nothing to draw
    }
    return acre_entity_create_many(scene, defs, parents, COUNT, out);
}

static void print_entity(const acre_scene *scene, acre_entity entity, int depth)
{
    acre_transform local;
    acre_aabb box;
    uint32_t flags = 0;
    uint64_t user = 0;
    if (acre_entity_get_user(scene, entity, &user) != ACRE_OK ||
        acre_entity_get_flags(scene, entity, &flags) != ACRE_OK) {
        return; // it is no longer there
    }
    printf("%*s%s", 2 * depth, "", names[user]);
    if (acre_entity_get_local(scene, entity, &local) == ACRE_OK) {
        printf(" at %g %g %g", (double)local.translation[0], (double)local.translation[1],
               (double)local.translation[2]);
    } else {
        printf(" by a matrix");
    }
    if (acre_entity_get_bounds(scene, entity, &box) == ACRE_OK) {
        printf(", %g m high", (double)(box.max[1] - box.min[1]));
    }
    printf("%s\n", flags & ACRE_ENTITY_HIDDEN ? ", hidden" : "");
}

// Parents before children, without recursion: down, else to the next sibling, else up.
static void print_tree(const acre_scene *scene, acre_entity top)
{
    acre_entity at = top;
    int depth = 0;
    for (;;) {
        print_entity(scene, at, depth);
        acre_entity next = acre_entity_first_child(scene, at);
        depth++;
        while (next.index1 == 0) {
            depth--;
            if (at.index1 == top.index1) {
                return;
            }
            next = acre_entity_next_sibling(scene, at);
            at = next.index1 == 0 ? acre_entity_parent(scene, at) : at;
        }
        at = next;
    }
}

// Read, change, write: the door opens by a meter, and the crown falls to the ground.
static acre_result edit_yard(acre_scene *scene, const acre_entity *yard)
{
    acre_transform door;
    acre_result result = acre_entity_get_local(scene, yard[DOOR], &door);
    if (result == ACRE_OK) {
        door.translation[0] += 1;
        result = acre_entity_set_local(scene, yard[DOOR], &door);
    }
    if (result == ACRE_OK) {
        result = acre_entity_set_flags(scene, yard[TREE], ACRE_ENTITY_HIDDEN);
    }
    if (result == ACRE_OK) {
        result = acre_entity_set_parent(scene, yard[CROWN], yard[YARD]);
    }
    return result;
}

int main(void)
{
    acre_scene *scene = NULL;
    acre_entity yard[COUNT];
    if (acre_scene_create(&(acre_scene_def){0}, &scene) != ACRE_OK ||
        create_yard(scene, yard) != ACRE_OK) {
        return 1;
    }
    print_tree(scene, yard[YARD]);
    acre_result result = edit_yard(scene, yard);
    printf("after edits:\n");
    print_tree(scene, yard[YARD]);

    acre_aabb world;
    if (result == ACRE_OK) {
        result = acre_scene_commit(scene);
    }
    if (result == ACRE_OK) {
        result = acre_entity_world_bounds(scene, yard[DOOR], &world);
    }
    if (result == ACRE_OK) {
        printf("the door is in the world at x %g to %g\n", (double)world.min[0],
               (double)world.max[0]);
    }
    acre_scene_destroy(scene);
    return result == ACRE_OK ? 0 : 1;
}
