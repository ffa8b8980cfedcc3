// SPDX-License-Identifier: MIT
// drag_panels.c - drags a panel in a window while a live list shows which panels it overlaps.
//
// A panel must not lie on another: if it is dropped there, it goes back to its last free place. The
// tree holds every panel, also the dragged one, so a step of a drag is one refresh and one query,
// and nothing is built anew. Each list is compared with a loop over all panels.
//     drag_panels [FILE.svg]     draws the window and the tree's cells
#include <acre/debug_svg.h>
#include <acre/quadtree.h>

#include <stdio.h>
#include <string.h>

enum { WIDTH = 1920, HEIGHT = 1080, PANELS = 200, STEPS = 40 };

// Pixels; x to the right, z down, as from the window's upper left corner.
typedef struct panel {
    int x, z, width, height;
} panel;

static panel panels[PANELS];

// What a step of a drag shows.
typedef struct panel_list {
    uint32_t panels[PANELS]; // room for all: a list is never cut short
    size_t count;
} panel_list;

// A number below the limit, the same on every machine: a linear congruential generator.
static int random_below(int limit)
{
    static uint32_t state = 5;
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (uint32_t)limit);
}

// Panels are flat: on the ground of the tree, the x/z plane.
static acre_aabb box_of(const panel *p)
{
    return (acre_aabb){{(float)p->x, 0.0f, (float)p->z},
                       {(float)(p->x + p->width), 0.0f, (float)(p->z + p->height)}};
}

static bool do_overlap(const panel *a, const panel *b)
{
    return a->x <= b->x + b->width && b->x <= a->x + a->width && a->z <= b->z + b->height &&
           b->z <= a->z + a->height;
}

// Looks at every other panel: the work that the tree saves.
static void ask_all(uint32_t dragged, panel_list *list)
{
    list->count = 0;
    for (uint32_t i = 0; i < PANELS; i++) {
        if (i != dragged && do_overlap(&panels[i], &panels[dragged])) {
            list->panels[list->count++] = i;
        }
    }
}

// Lists the panels that overlap a panel, without the panel itself, in ascending order.
static acre_result ask_tree(const acre_quadtree *tree, uint32_t dragged, panel_list *list)
{
    const acre_aabb box = box_of(&panels[dragged]);
    const acre_query query = {
        .shape = ACRE_QUERY_SHAPE_AABB, .box = &box, .flags = ACRE_QUERY_SORTED};
    size_t found = 0;
    const acre_result result = acre_quadtree_query(tree, &query, list->panels, PANELS, &found);
    list->count = 0;
    for (size_t i = 0; i < found; i++) {
        if (list->panels[i] != dragged) {
            list->panels[list->count++] = list->panels[i];
        }
    }
    return result;
}

static bool are_equal(const panel_list *a, const panel_list *b)
{
    return a->count == b->count &&
           memcmp(a->panels, b->panels, a->count * sizeof a->panels[0]) == 0;
}

static acre_result move(acre_quadtree *tree, uint32_t dragged, int x, int z)
{
    panels[dragged].x = x;
    panels[dragged].z = z;
    const acre_aabb box = box_of(&panels[dragged]);
    return acre_quadtree_refresh(tree, dragged, &box);
}

static void show(int step, uint32_t dragged, const panel_list *list)
{
    printf("  step %2d at (%d, %d):", step, panels[dragged].x, panels[dragged].z);
    for (size_t i = 0; i < list->count; i++) {
        printf(" %u", (unsigned)list->panels[i]);
    }
    printf("%s\n", list->count ? "" : " free");
}

// Moves a panel to (x, z) in STEPS steps; prints the list when it changes.
static bool drag(acre_quadtree *tree, uint32_t dragged, int x, int z)
{
    static panel_list list, shown, all;
    const panel start = panels[dragged];
    panel free_place = start;
    shown.count = 0;
    printf("panel %u is dragged to (%d, %d)\n", (unsigned)dragged, x, z);
    for (int step = 1; step <= STEPS; step++) {
        if (move(tree, dragged, start.x + (x - start.x) * step / STEPS,
                 start.z + (z - start.z) * step / STEPS) != ACRE_OK ||
            ask_tree(tree, dragged, &list) != ACRE_OK) {
            return false;
        }
        ask_all(dragged, &all);
        if (!are_equal(&list, &all)) {
            printf("  step %d: the tree's list differs from the loop's\n", step);
            return false;
        }
        if (!are_equal(&list, &shown)) {
            show(step, dragged, &list);
            shown = list;
        }
        if (list.count == 0) {
            free_place = panels[dragged];
        }
    }
    if (list.count > 0) {
        printf("  dropped on others: back to (%d, %d)\n", free_place.x, free_place.z);
        return move(tree, dragged, free_place.x, free_place.z) == ACRE_OK;
    }
    printf("  dropped\n");
    return true;
}

// Puts panels at random places, none on another: the tree says whether a place is free.
static bool fill(acre_quadtree *tree)
{
    static panel_list list;
    for (uint32_t i = 0; i < PANELS;) {
        panel *const p = &panels[i];
        p->width = 20 + random_below(70);
        p->height = 15 + random_below(50);
        p->x = random_below(WIDTH - p->width);
        p->z = random_below(HEIGHT - p->height);
        const acre_aabb box = box_of(p);
        if (ask_tree(tree, i, &list) != ACRE_OK) {
            return false;
        }
        if (list.count == 0) {
            if (acre_quadtree_insert(tree, i, &box) != ACRE_OK) {
                return false;
            }
            i++;
        }
    }
    return true;
}

static bool draw(const acre_quadtree *tree, const char *path)
{
    FILE *const file = fopen(path, "w");
    if (!file) {
        return false;
    }
    const acre_debug_svg_def page = {.write = acre_debug_svg_to_file,
                                     .user = file,
                                     .min = {0, 0},
                                     .max = {WIDTH, HEIGHT},
                                     .title = "Panels and the cells of their tree"};
    acre_debug_svg svg;
    acre_debug_draw draw;
    bool is_good = acre_debug_svg_begin(&svg, &page) == ACRE_OK &&
                   acre_debug_svg_layer(&svg, NULL, &draw) == ACRE_OK;
    if (is_good) {
        acre_quadtree_debug_draw(tree, &draw);
        is_good = acre_debug_svg_end(&svg) == ACRE_OK;
    }
    return fclose(file) == 0 && is_good;
}

int main(int argc, char **argv)
{
    // Four panels to a cell, and no cell smaller than a sixty-fourth of the window.
    const acre_quadtree_def def = {.center = {0.5f * WIDTH, 0.5f * HEIGHT},
                                   .half_size = 0.5f * WIDTH,
                                   .max_depth = 6,
                                   .node_capacity = 4};
    acre_quadtree *tree = NULL;
    // Straight across the window's middle lines, on which the cells of a tree meet.
    const bool is_good = acre_quadtree_create(&def, &tree) == ACRE_OK && fill(tree) &&
                         drag(tree, 0, WIDTH / 2 - 20, HEIGHT / 2 - 15) &&
                         drag(tree, 1, WIDTH / 2, 20) && drag(tree, 2, WIDTH - 200, HEIGHT / 2) &&
                         (argc < 2 || draw(tree, argv[1]));
    acre_quadtree_stats stats;
    if (is_good) {
        acre_quadtree_get_stats(tree, &stats);
        printf("%zu panels; each list of %d was the loop's\n", stats.items, 3 * STEPS);
    }
    acre_quadtree_destroy(tree);
    return is_good ? 0 : 1;
}
