// SPDX-License-Identifier: MIT
// consumer_quadtree.c - a program of another project that uses the quadtree alone, as C and as C++.
#include <acre/quadtree.h>

#include <stdio.h>
#include <string.h>

#define ITEMS 1000u

// Ends the program's run with a line that says where.
static int fail(const char *what)
{
    fprintf(stderr, "consumer_quadtree: %s\n", what);
    return 1;
}

static acre_aabb box_at(float x, float z)
{
    acre_aabb box;
    box.min[0] = x - 1.0f;
    box.min[1] = 0.0f;
    box.min[2] = z - 1.0f;
    box.max[0] = x + 1.0f;
    box.max[1] = 2.0f;
    box.max[2] = z + 1.0f;
    return box;
}

int main(void)
{
    acre_quadtree_def def;
    memset(&def, 0, sizeof def);
    def.half_size = 512.0f;
    def.node_capacity = 16;
    acre_quadtree *tree = NULL;
    if (acre_quadtree_create(&def, &tree) != ACRE_OK) {
        return fail("create");
    }
    for (uint32_t item = 0; item < ITEMS; item++) {
        const acre_aabb box = box_at((float)item, 0.0f);
        if (acre_quadtree_insert(tree, item, &box) != ACRE_OK) {
            return fail("insert");
        }
    }

    // Everything whose x is at least 499.5: the boxes around 499, 500, ... touch that half-space.
    acre_frustum frustum;
    memset(&frustum, 0, sizeof frustum);
    frustum.planes[0][0] = 1.0f;
    frustum.planes[0][3] = -499.5f;
    frustum.plane_count = 1;
    static uint32_t visible[ITEMS];
    const size_t count = acre_quadtree_query_frustum(tree, &frustum, visible, ITEMS);
    if (count != ITEMS - 499u) {
        return fail("query");
    }
    const acre_aabb moved = box_at(-100.0f, 100.0f);
    if (acre_quadtree_refresh(tree, 999, &moved) != ACRE_OK ||
        acre_quadtree_query_frustum(tree, &frustum, visible, ITEMS) != count - 1) {
        return fail("refresh");
    }
    if (acre_quadtree_insert(tree, 0, &moved) != ACRE_ERROR_EXISTS ||
        strlen(acre_result_text(ACRE_ERROR_EXISTS)) == 0) {
        return fail("result");
    }
    const uint32_t version =
        (ACRE_VERSION_MAJOR << 16) | (ACRE_VERSION_MINOR << 8) | ACRE_VERSION_PATCH;
    if (acre_version() != version) {
        return fail("the headers and the library differ in version");
    }
    acre_quadtree_destroy(tree);
    printf("consumer_quadtree: %zu visible\n", count);
    return 0;
}
