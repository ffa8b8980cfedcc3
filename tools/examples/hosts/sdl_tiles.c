// SPDX-License-Identifier: MIT
// sdl_tiles.c - SDL2 and the tree alone: a 2D game with its own entity tables, which draws the
// sprites that its window shows.
//     sdl_tiles [FRAMES]
// The arrow keys move the window over the world; FRAMES ends the program, for tests.
//
// A 2D world lies on the ground: its x and y are Acre's x and z. The height is the same for all.
#include <acre/quadtree.h>

#include <SDL.h>

#include <stdio.h>
#include <stdlib.h>

enum { SPRITES = 50000, WIDTH = 800, HEIGHT = 600, WORLD = 20000, MOST_VISIBLE = 4096 };

// The game's own tables, a row for each entity. Row and item number are the same.
static float x[SPRITES], y[SPRITES], x_speed[SPRITES], y_speed[SPRITES];
static uint8_t size[SPRITES], color[SPRITES];
static acre_aabb boxes[SPRITES]; // for the tree, which copies them

static float random_unit(void)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) * 0x1p-24f;
}

static void fill_tables(void)
{
    for (int i = 0; i < SPRITES; i++) {
        x[i] = random_unit() * WORLD;
        y[i] = random_unit() * WORLD;
        x_speed[i] = 4 * random_unit() - 2;
        y_speed[i] = 4 * random_unit() - 2;
        size[i] = (uint8_t)(8 + 24 * random_unit());
        color[i] = (uint8_t)(64 + 191 * random_unit());
    }
}

// The game's own systems write their tables, and at the end the boxes.
static void move(void)
{
    for (int i = 0; i < SPRITES; i++) {
        x_speed[i] = x[i] < 0 || x[i] > WORLD ? -x_speed[i] : x_speed[i];
        y_speed[i] = y[i] < 0 || y[i] > WORLD ? -y_speed[i] : y_speed[i];
        x[i] += x_speed[i];
        y[i] += y_speed[i];
        boxes[i] = (acre_aabb){{x[i], 0, y[i]}, {x[i] + size[i], 0, y[i] + size[i]}};
    }
}

static acre_result make_tree(acre_quadtree **tree)
{
    static uint32_t items[SPRITES];
    for (uint32_t i = 0; i < SPRITES; i++) {
        items[i] = i;
    }
    const acre_quadtree_def def = {.center = {WORLD / 2, WORLD / 2}, .half_size = WORLD / 2};
    const acre_result result = acre_quadtree_create(&def, tree);
    return result == ACRE_OK ? acre_quadtree_insert_many(*tree, items, boxes, SPRITES) : result;
}

// The numbers of the sprites that the window shows.
static acre_result find_visible(const acre_quadtree *tree, const float *corner, uint32_t *visible,
                                size_t *count)
{
    const acre_aabb window = {{corner[0], 0, corner[1]},
                              {corner[0] + WIDTH, 0, corner[1] + HEIGHT}};
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_AABB, .box = &window};
    const acre_result result = acre_quadtree_query(tree, &query, visible, MOST_VISIBLE, count);
    *count = *count < MOST_VISIBLE ? *count : MOST_VISIBLE; // what had room
    return result;
}

static bool draw(SDL_Renderer *renderer, const float *corner, const uint32_t *visible, size_t count)
{
    bool is_good =
        SDL_SetRenderDrawColor(renderer, 20, 30, 20, 255) == 0 && SDL_RenderClear(renderer) == 0;
    for (size_t k = 0; k < count && is_good; k++) {
        const uint32_t i = visible[k];
        const SDL_FRect rectangle = {x[i] - corner[0], y[i] - corner[1], size[i], size[i]};
        is_good = SDL_SetRenderDrawColor(renderer, color[i], 200, 80, 255) == 0 &&
                  SDL_RenderFillRectF(renderer, &rectangle) == 0;
    }
    SDL_RenderPresent(renderer);
    return is_good;
}

// What a loop over the tables finds.
static size_t count_in_window(const float *corner)
{
    size_t count = 0;
    for (int i = 0; i < SPRITES; i++) {
        count += x[i] <= corner[0] + WIDTH && x[i] + size[i] >= corner[0] &&
                 y[i] <= corner[1] + HEIGHT && y[i] + size[i] >= corner[1];
    }
    return count;
}

static bool is_closed(void)
{
    bool is_closed = false;
    for (SDL_Event event; SDL_PollEvent(&event);) {
        is_closed = is_closed || event.type == SDL_QUIT;
    }
    return is_closed;
}

static void scroll(float *corner)
{
    const Uint8 *const keys = SDL_GetKeyboardState(NULL);
    corner[0] += 10.0f * (float)(keys[SDL_SCANCODE_RIGHT] - keys[SDL_SCANCODE_LEFT]);
    corner[1] += 10.0f * (float)(keys[SDL_SCANCODE_DOWN] - keys[SDL_SCANCODE_UP]);
}

// Returns whether all frames could be shown; if not, it says why.
static bool run(SDL_Renderer *renderer, acre_quadtree *tree, int frames)
{
    static uint32_t visible[MOST_VISIBLE];
    float corner[2] = {WORLD / 2, WORLD / 2};
    size_t count = count_in_window(corner);
    for (int i = 0; (i < frames || frames == 0) && !is_closed(); i++) {
        scroll(corner);
        move();
        acre_result result = acre_quadtree_refresh_all(tree, boxes, SPRITES);
        result = result == ACRE_OK ? acre_quadtree_maintain(tree) : result;
        result = result == ACRE_OK ? find_visible(tree, corner, visible, &count) : result;
        if (result != ACRE_OK || !draw(renderer, corner, visible, count)) {
            fprintf(stderr, "sdl_tiles: %s\n",
                    result != ACRE_OK ? acre_result_text(result) : SDL_GetError());
            return false;
        }
    }
    const size_t expected = count_in_window(corner);
    printf("%zu of %d sprites in the window, %zu by a loop\n", count, SPRITES, expected);
    return count == expected;
}

int main(int argc, char **argv)
{
    SDL_Window *window = NULL;
    SDL_Renderer *renderer = NULL;
    if (SDL_Init(SDL_INIT_VIDEO) != 0 ||
        SDL_CreateWindowAndRenderer(WIDTH, HEIGHT, 0, &window, &renderer) != 0) {
        fprintf(stderr, "sdl_tiles: %s\n", SDL_GetError());
        SDL_Quit();
        return 1;
    }
    acre_quadtree *tree = NULL;
    fill_tables();
    move();
    const acre_result result = make_tree(&tree);
    if (result != ACRE_OK) {
        fprintf(stderr, "sdl_tiles: %s\n", acre_result_text(result));
    }
    const bool is_good = result == ACRE_OK && run(renderer, tree, argc > 1 ? atoi(argv[1]) : 0);
    acre_quadtree_destroy(tree);
    SDL_DestroyRenderer(renderer);
    SDL_DestroyWindow(window);
    SDL_Quit();
    return is_good ? 0 : 1;
}
