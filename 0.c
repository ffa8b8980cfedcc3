#include "acre.h"

#include <stdio.h>

enum { COUNT = 1000 };
static acre_aabb boxes[COUNT]; // as your program has them already

int main(void)
{
    static uint32_t items[COUNT], visible[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        const float x = 10 * (float)(i % 40), z = 10 * (float)(i / 40);
        boxes[i] = (acre_aabb){{x, 0, z}, {x + 2, 3, z + 2}};
        items[i] = i;
    }
    acre_quadtree *tree = NULL;
    bool ok = acre_quadtree_create(NULL, &tree) == ACRE_OK &&
              acre_quadtree_insert_many(tree, items, boxes, COUNT) == ACRE_OK;

    // Each frame: what has moved ...
    boxes[7].min[0] += 1;
    boxes[7].max[0] += 1;
    ok = ok && acre_quadtree_refresh(tree, 7, &boxes[7]) == ACRE_OK;

    // ... and in place of the loop:
    const acre_aabb area = {{0, 0, 0}, {45, 10, 25}};
    size_t count = ok ? acre_quadtree_query_aabb(tree, &area, visible, COUNT) : 0;
    printf("%zu of %d in the area\n", count, COUNT);

    // With the matrix that you draw with: 16 floats, column-major, projection times view. The last argument says
    // how your renderer maps depth. This one looks straight down at 100 by 100 m from a height of 50.
    const float view_projection[16] = {0.02f, 0, 0, 0, 0, 0, -0.02f, 0, 0, -0.02f, 0, 0, -1, 1, 1, 1};
    acre_frustum frustum;
    ok = ok && acre_frustum_from_matrix(&frustum, view_projection, ACRE_CLIP_ZERO_TO_ONE) == ACRE_OK;
    count = ok ? acre_quadtree_query_frustum(tree, &frustum, visible, COUNT) : 0;
    printf("%zu of %d in view\n", count, COUNT);
    acre_quadtree_destroy(tree);
    return ok ? 0 : 1;
}
