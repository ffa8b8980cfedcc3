// SPDX-License-Identifier: MIT
// hello_quadtree.c - a hundred posts in a field: which of them a view sees, and a picture.
#include <acre/debug_svg.h>
#include <acre/quadtree.h>

#include <stdio.h>

int main(void)
{
    acre_quadtree *tree;
    acre_quadtree_def def = {.half_size = 50.0f, .node_capacity = 8};
    acre_result result = acre_quadtree_create(&def, &tree);
    for (uint32_t i = 0; i < 100 && result == ACRE_OK; i++) {
        float x = 10.0f * (float)(i % 10) - 45.0f, z = 10.0f * (float)(i / 10) - 45.0f;
        result = acre_quadtree_insert(tree, i, &(acre_aabb){{x - 1, 0, z - 1}, {x + 1, 2, z + 1}});
    }
    acre_frustum view = {{{0.6f, 0, -0.8f, 0}, {0.6f, 0, 0.8f, 0}}, 2}; // planes that look inward
    uint32_t items[100];
    size_t count = acre_quadtree_query_frustum(tree, &view, items, 100);
    for (size_t i = 0; i < count; i++) {
        printf("%u\n", (unsigned)items[i]);
    }
    FILE *file = fopen("hello_quadtree.svg", "w");
    acre_debug_svg svg;
    acre_debug_draw draw;
    acre_debug_svg_def page = {acre_debug_svg_to_file, file, {-96, -96}, {96, 96}, 0, 0, 0, 0};
    if (result == ACRE_OK && file && acre_debug_svg_begin(&svg, &page) == ACRE_OK &&
        acre_debug_svg_layer(&svg, NULL, &draw) == ACRE_OK) {
        acre_quadtree_debug_draw(tree, &draw);
        result = acre_debug_svg_end(&svg);
    }
    acre_quadtree_destroy(tree);
    return result == ACRE_OK && file && fclose(file) == 0 ? 0 : 1;
}
