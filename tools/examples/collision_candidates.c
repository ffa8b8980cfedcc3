// SPDX-License-Identifier: MIT
// collision_candidates.c - finds the bodies in a rectangle that may collide, each once.
//
// All pairs of n discs take n (n - 1) / 2 collision tests. A tree finds for each disc the few whose
// boxes touch its own. The collisions of every frame are compared with those of a loop over all
// pairs.
#include <acre/quadtree.h>

#include <stdio.h>

enum { WIDTH = 800, HEIGHT = 600, BODIES = 1000, FRAMES = 100 };

typedef struct disc {
    float x, z, radius;     // pixels
    float speed_x, speed_z; // pixels per frame
} disc;

static disc discs[BODIES];
static acre_aabb boxes[BODIES];
static uint32_t candidates[BODIES]; // room for all

// 0 .. 1, the same on every machine: a linear congruential generator.
static float random_unit(void)
{
    static uint32_t state = 3;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) * 0x1p-24f;
}

static acre_aabb rectangle(float x, float z, float width, float height)
{
    return (acre_aabb){{x, 0.0f, z}, {x + width, 0.0f, z + height}};
}

// The bodies whose boxes touch the rectangle, each once.
static size_t retrieve(const acre_quadtree *tree, const acre_aabb *where, uint32_t *bodies)
{
    return acre_quadtree_query_aabb(tree, where, bodies, BODIES);
}

static void set_box(uint32_t body)
{
    const disc *const d = &discs[body];
    boxes[body] = rectangle(d->x - d->radius, d->z - d->radius, 2.0f * d->radius, 2.0f * d->radius);
}

// Bodies bounce off the window's sides.
static void move(uint32_t body)
{
    disc *const d = &discs[body];
    d->x += d->speed_x;
    d->z += d->speed_z;
    if (d->x < 0.0f || d->x > WIDTH) {
        d->speed_x = -d->speed_x;
    }
    if (d->z < 0.0f || d->z > HEIGHT) {
        d->speed_z = -d->speed_z;
    }
    set_box(body);
}

static bool do_collide(const disc *a, const disc *b)
{
    const float dx = a->x - b->x, dz = a->z - b->z, reach = a->radius + b->radius;
    return dx * dx + dz * dz <= reach * reach;
}

// What a frame found: how many tests it took, how many collisions, and which, summed up.
typedef struct frame_result {
    size_t tests, collisions;
    uint64_t pairs;
} frame_result;

static void test_pair(uint32_t a, uint32_t b, frame_result *result)
{
    result->tests++;
    if (do_collide(&discs[a], &discs[b])) {
        result->collisions++;
        result->pairs += ((uint64_t)a * BODIES + b) * 0x9e3779b97f4a7c15u; // order does not matter
    }
}

static frame_result test_all_pairs(void)
{
    frame_result result = {0};
    for (uint32_t a = 0; a < BODIES; a++) {
        for (uint32_t b = a + 1; b < BODIES; b++) {
            test_pair(a, b, &result);
        }
    }
    return result;
}

static frame_result test_candidates(const acre_quadtree *tree)
{
    frame_result result = {0};
    for (uint32_t a = 0; a < BODIES; a++) {
        const size_t count = retrieve(tree, &boxes[a], candidates);
        for (size_t i = 0; i < count; i++) {
            if (candidates[i] > a) { // each pair once, and no body with itself
                test_pair(a, candidates[i], &result);
            }
        }
    }
    return result;
}

static bool fill(acre_quadtree *tree)
{
    for (uint32_t i = 0; i < BODIES; i++) {
        disc *const d = &discs[i];
        d->x = WIDTH * random_unit();
        d->z = HEIGHT * random_unit();
        d->radius = 1.0f + 5.0f * random_unit();
        d->speed_x = 4.0f * random_unit() - 2.0f;
        d->speed_z = 4.0f * random_unit() - 2.0f;
        set_box(i);
        if (acre_quadtree_insert(tree, i, &boxes[i]) != ACRE_OK) {
            return false;
        }
    }
    return true;
}

// Cases that quadtrees of points get wrong: bodies on the lines where cells meet, more bodies in
// one place than a cell should have, and a body that covers the rectangle with no corner inside.
static bool ask_odd_bodies(acre_quadtree *tree)
{
    const acre_aabb middle = rectangle(WIDTH / 2, HEIGHT / 2, 0.0f, 0.0f);
    const acre_aabb everything = rectangle(0.0f, 0.0f, WIDTH, HEIGHT);
    const acre_aabb corner = rectangle(90.0f, 70.0f, 4.0f, 3.0f);
    acre_result result = ACRE_OK;
    for (uint32_t i = 0; i < 50 && result == ACRE_OK; i++) {
        result = acre_quadtree_insert(tree, i, &middle);
    }
    printf("50 points where four cells meet: %zu found, each once\n",
           retrieve(tree, &middle, candidates));
    if (result == ACRE_OK) {
        result = acre_quadtree_insert(tree, 50, &everything);
    }
    printf("in a corner: %zu, the body as large as the window\n",
           retrieve(tree, &corner, candidates));
    acre_quadtree_clear(tree);
    printf("after clear: %zu\n", retrieve(tree, &everything, candidates));
    return result == ACRE_OK;
}

int main(void)
{
    const acre_quadtree_def def = {.center = {WIDTH / 2, HEIGHT / 2},
                                   .half_size = WIDTH / 2,
                                   .node_capacity = 8,
                                   .item_capacity = BODIES};
    acre_quadtree *tree = NULL;
    bool is_good =
        acre_quadtree_create(&def, &tree) == ACRE_OK && ask_odd_bodies(tree) && fill(tree);
    const acre_aabb box_of_mouse = rectangle(100.0f, 100.0f, 200.0f, 200.0f);
    for (int frame = 0; frame < FRAMES && is_good; frame++) {
        for (uint32_t i = 0; i < BODIES; i++) {
            move(i);
        }
        is_good = acre_quadtree_refresh_all(tree, boxes, BODIES) == ACRE_OK;
        const frame_result all = test_all_pairs(), few = test_candidates(tree);
        is_good = is_good && all.collisions == few.collisions && all.pairs == few.pairs;
        if (frame % 25 == 0) {
            printf("frame %2d: %zu pairs tested of %zu, %zu collide; %zu bodies in the box\n",
                   frame, few.tests, all.tests, few.collisions,
                   retrieve(tree, &box_of_mouse, candidates));
        }
    }
    printf("%s\n", is_good ? "every frame's collisions are those of the loop over all pairs"
                           : "something went wrong");
    acre_quadtree_destroy(tree);
    return is_good ? 0 : 1;
}
