// SPDX-License-Identifier: MIT
// test_viewer.c - pictures of `acre view`: with culling as without, and as small references have
// them.
//
// References are 64 x 36 means of a picture, so that drivers may differ in single pixels. With
// ACRE_VIEW_WRITE=1 in the environment they are written instead of compared.
#include "picture_file.h"
#include "shown_viewer.h"
#include "test.h"
#include "view_animation.h"
#include "viewer_cameras.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL_WIDTH = 64, SMALL_HEIGHT = 36, SMALL_BYTES = 3 * SMALL_WIDTH * SMALL_HEIGHT };

#define WIDTH 480u
#define HEIGHT 270u
#define MEAN_TOLERANCE 5.0 // of 255, over the whole picture
#define MOST_TOLERANCE 70  // of 255, of one of the means

static view_options small_options(void)
{
    return (view_options){.scene_path = ACRE_VIEW_SCENE,
                          .width = WIDTH,
                          .height = HEIGHT,
                          .cars = 1000,
                          .seed = 1,
                          .samples = 1,
                          .are_shadows_drawn = true};
}

typedef struct test_picture {
    uint8_t *rgb;
    float *depth;
} test_picture;

static test_picture take_picture(void)
{
    return (test_picture){picture_read(&shown.draw.target), picture_read_depth(&shown.draw.target)};
}

static void free_picture(test_picture *picture)
{
    free(picture->rgb);
    free(picture->depth);
}

static bool are_equal(const test_picture *a, const test_picture *b)
{
    const size_t pixels = (size_t)WIDTH * HEIGHT;
    return a->rgb && b->rgb && a->depth && b->depth && memcmp(a->rgb, b->rgb, 3 * pixels) == 0 &&
           memcmp(a->depth, b->depth, pixels * sizeof *a->depth) == 0;
}

// The same frame with culling and without. Returns whether the two pictures are equal.
static bool is_culling_invisible(void)
{
    shown.is_everything = false;
    bool is_good = viewer_draw_again(&shown);
    test_picture with = take_picture();
    shown.is_everything = true;
    is_good = is_good && viewer_draw_again(&shown);
    test_picture without = take_picture();
    shown.is_everything = false;
    is_good = is_good && are_equal(&with, &without);
    free_picture(&with);
    free_picture(&without);
    return is_good;
}

static void frames_drawn_with_culling_equal_those_drawn_without(void)
{
    const view_options options = small_options();
    CHECK(open_viewer(&options));
    const uint32_t frames = 20 * test_scale;
    for (uint32_t i = 0; i < frames; i++) {
        shown.tour = (double)(i * (FLIGHT_FRAMES / frames) + test_seed % 7);
        shown.options.are_shadows_drawn = i % 2 == 0;
        CHECK(viewer_frame(&shown, NULL, 1.0f / 60.0f));
        CHECK(is_culling_invisible());
    }
    close_viewer();
}

// Proves that the case above can fail.
static void one_visible_entity_left_out_is_found(void)
{
    const view_options options = small_options();
    CHECK(open_viewer(&options));
    shown.tour = 250.0; // in a street
    CHECK(viewer_frame(&shown, NULL, 1.0f / 60.0f));
    CHECK(is_culling_invisible());
    // The building on the left.
    acre_ray ray;
    CHECK(acre_camera_ray(&shown.render_camera, 0.08f, 0.5f, &ray) == ACRE_OK);
    const acre_query query = {.shape = ACRE_QUERY_SHAPE_RAY, .ray = &ray};
    acre_query_hit hit;
    size_t count = 0;
    CHECK(acre_culling_query_nearest(shown.city.world.culling, &query, &hit, 1, &count) == ACRE_OK);
    CHECK(count == 1);
    test_picture whole = take_picture();
    shown.dropped_slot = hit.item;
    CHECK(viewer_draw_again(&shown));
    test_picture dropped = take_picture();
    CHECK(!are_equal(&whole, &dropped));
    shown.dropped_slot = UINT32_MAX;
    free_picture(&whole);
    free_picture(&dropped);
    close_viewer();
}

// Every method draws the same picture where no rule of size hides or coarsens anything.
static void scans_find_what_the_quadtree_finds(void)
{
    const view_options options = small_options();
    CHECK(open_viewer(&options));
    CHECK(acre_culling_set_rules(shown.city.world.culling, NULL, 0) == ACRE_OK);
    shown.tour = 440.0;
    CHECK(viewer_frame(&shown, NULL, 1.0f / 60.0f));
    test_picture tree = take_picture();
    for (int method = 1; method < METHOD_COUNT_; method++) {
        shown.method = method;
        CHECK(viewer_draw_again(&shown));
        test_picture scan = take_picture();
        CHECK(are_equal(&tree, &scan));
        free_picture(&scan);
    }
    free_picture(&tree);
    close_viewer();
}

// Means of blocks of pixels.
static void shrink(const uint8_t *rgb, uint8_t *out)
{
    for (uint32_t y = 0; y < SMALL_HEIGHT; y++) {
        for (uint32_t x = 0; x < 3 * SMALL_WIDTH; x++) {
            const uint32_t x0 = x / 3 * WIDTH / SMALL_WIDTH, x1 = (x / 3 + 1) * WIDTH / SMALL_WIDTH;
            const uint32_t y0 = y * HEIGHT / SMALL_HEIGHT, y1 = (y + 1) * HEIGHT / SMALL_HEIGHT;
            uint32_t sum = 0;
            for (uint32_t row = y0; row < y1; row++) {
                for (uint32_t column = x0; column < x1; column++) {
                    sum += rgb[3 * (row * WIDTH + column) + x % 3];
                }
            }
            out[3 * SMALL_WIDTH * y + x] = (uint8_t)(sum / ((x1 - x0) * (y1 - y0)));
        }
    }
}

static bool is_like(const uint8_t *a, const uint8_t *b)
{
    double sum = 0.0;
    int most = 0;
    for (int i = 0; i < SMALL_BYTES; i++) {
        const int difference = abs((int)a[i] - (int)b[i]);
        sum += difference;
        most = difference > most ? difference : most;
    }
    if (sum / SMALL_BYTES > MEAN_TOLERANCE || most > MOST_TOLERANCE) {
        printf("  the mean differs by %.2f, one place by %d of 255\n", sum / SMALL_BYTES, most);
    }
    return sum / SMALL_BYTES <= MEAN_TOLERANCE && most <= MOST_TOLERANCE;
}

static bool is_blank_refused(const uint8_t *reference)
{
    uint8_t blank[SMALL_BYTES];
    memset(blank, reference[0], sizeof blank);
    double sum = 0.0;
    for (int i = 0; i < SMALL_BYTES; i++) {
        sum += abs((int)blank[i] - (int)reference[i]);
    }
    return sum / SMALL_BYTES > 2.0 * MEAN_TOLERANCE;
}

static bool read_reference(const char *path, uint8_t *out)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path) || image.width != SMALL_WIDTH ||
        image.height != SMALL_HEIGHT) {
        png_image_free(&image);
        return false;
    }
    image.format = PNG_FORMAT_RGB;
    return png_image_finish_read(&image, NULL, out, 0, NULL) != 0;
}

// Whether the picture is like its reference, and a blank one would not be.
static bool is_as_reference(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.png", ACRE_VIEW_REFERENCES, name);
    uint8_t *const rgb = picture_read(&shown.draw.target);
    uint8_t small[SMALL_BYTES], reference[SMALL_BYTES];
    if (!rgb) {
        return false;
    }
    shrink(rgb, small);
    free(rgb);
    if (getenv("ACRE_VIEW_WRITE")) {
        char message[256];
        return picture_write(path, small, SMALL_WIDTH, SMALL_HEIGHT, message, sizeof message);
    }
    const bool is_read = read_reference(path, reference);
    const bool is_good = is_read && is_like(small, reference) && is_blank_refused(reference);
    if (!is_good) {
        printf("  %s%s\n", path, is_read ? "" : ": not read");
    }
    return is_good;
}

static bool draw_frames(int count)
{
    for (int i = 0; i < count; i++) {
        if (!viewer_frame(&shown, NULL, 1.0f / 60.0f)) {
            printf("  %s\n", shown.message);
            return false;
        }
    }
    return true;
}

static void every_sample_looks_as_its_reference(void)
{
    for (size_t i = 0; i < view_sample_count(); i++) {
        char name[64];
        view_options options = small_options();
        options.sample = view_samples[i]->name;
        CHECK(open_viewer(&options));
        CHECK(draw_frames(60));
        CHECK(shown.stage.control_count > 2); // what the panel shows
        snprintf(name, sizeof name, "sample_%s", view_samples[i]->name);
        CHECK(is_as_reference(name));
        close_viewer();
    }
}

static void every_overlay_looks_as_its_reference(void)
{
    char name[64];
    view_options options = small_options();
    options.frame = 440;
    CHECK(open_viewer(&options));
    CHECK(draw_frames(2));
    CHECK(is_as_reference("city"));
    uint8_t *const plain = picture_read(&shown.draw.target);
    CHECK(plain);
    // The graphs show how long things took, and the panel too: they are only looked for.
    for (int i = OVERLAY_COUNT_ - 1; i >= 0; i--) { // freeze last: it moves the camera
        const bool is_timed = i == OVERLAY_GRAPHS || i == OVERLAY_PANEL;
        shown.is_on[i] = true;
        shown.tour = 441.0; // one moment further, so that something entered
        CHECK(draw_frames(1));
        uint8_t *const marked = picture_read(&shown.draw.target);
        CHECK(marked);
        CHECK(memcmp(plain, marked, (size_t)3 * WIDTH * HEIGHT) != 0);
        free(marked);
        snprintf(name, sizeof name, "overlay_%s", view_overlays[i].name);
        CHECK(is_timed || is_as_reference(name));
        shown.is_on[i] = i == OVERLAY_FREEZE;
        shown.tour = 440.0;
        CHECK(draw_frames(1));
    }
    // A frozen camera keeps what is visible, wherever one flies.
    const size_t count = acre_draw_list_get(shown.city.list).count;
    shown.orbit_distance *= 2.0f;
    shown.is_paused = true;
    CHECK(draw_frames(2));
    CHECK(acre_draw_list_get(shown.city.list).count == count);
    free(plain);
    close_viewer();
}

// A sample's tree is shown by the overlays, too: towers are stacked, so that cells have bands.
static void overlays_show_the_cells_of_a_sample(void)
{
    char name[64];
    view_options options = small_options();
    options.sample = "towers";
    CHECK(open_viewer(&options));
    shown.is_on[OVERLAY_BANDS] = true;
    CHECK(draw_frames(2));
    CHECK(shown.stage.tree_count == 1);
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(shown.stage.trees[0], &stats);
    CHECK(stats.bands > 0);
    CHECK(is_as_reference("bands_of_towers"));
    shown.is_paused = true;
    CHECK(draw_frames(1));
    const size_t lines = shown.stage.line_count;
    for (int i = 0; i < 2; i++) { // the same cells, in other colors
        viewer_press(&shown, 'B');
        CHECK(draw_frames(1));
        CHECK(shown.stage.line_count == lines);
        snprintf(name, sizeof name, "bands_by_%s", cell_colors_names[shown.cell_colors]);
        CHECK(is_as_reference(name));
    }
    viewer_press(&shown, 'B'); // from fill back to kind: a sample has no query of the camera
    CHECK(shown.cell_colors == CELLS_BY_KIND);
    close_viewer();
}

// What the library finds is the same with workers, so the picture is.
static void workers_draw_the_same_picture(void)
{
    const view_options options = small_options();
    test_picture pictures[2];
    for (int i = 0; i < 2; i++) {
        CHECK(open_viewer(&options));
        shown.workers = i == 0 ? 1 : 3;
        shown.tour = 440.0;
        CHECK(draw_frames(2));
        pictures[i] = take_picture();
        close_viewer();
    }
    CHECK(are_equal(&pictures[0], &pictures[1]));
    free_picture(&pictures[0]);
    free_picture(&pictures[1]);
}

static void a_click_names_what_is_under_the_mouse(void)
{
    const view_options options = small_options();
    CHECK(open_viewer(&options));
    shown.tour = 560.0;
    CHECK(draw_frames(1));
    shown.is_paused = true;
    surface_input input = {.x = WIDTH / 2.0, .y = HEIGHT * 0.8, .dx = 1.0};
    input.clicked[0] = input.buttons[0] = true;
    CHECK(viewer_frame(&shown, &input, 1.0f / 60.0f));
    CHECK(shown.picked.entity.index1 != 0);
    CHECK(shown.picked.why.hidden_by == ACRE_HIDDEN_BY_NOTHING);
    input.y = 2.0; // the sky
    CHECK(viewer_frame(&shown, &input, 1.0f / 60.0f));
    CHECK(shown.picked.entity.index1 == 0);
    close_viewer();
}

static void pause_stops_the_world_and_a_step_moves_it(void)
{
    view_options options = small_options();
    CHECK(open_viewer(&options));
    CHECK(draw_frames(2));
    viewer_press(&shown, ' ');
    const acre_transform *const car = traffic_transforms(shown.city.world.traffic);
    const acre_transform before = *car;
    CHECK(draw_frames(3));
    CHECK(memcmp(&before, car, sizeof before) == 0);
    viewer_press(&shown, '.');
    CHECK(draw_frames(1));
    const acre_transform after = *car;
    CHECK(memcmp(&before, &after, sizeof before) != 0);
    CHECK(draw_frames(1));
    CHECK(memcmp(&after, car, sizeof after) == 0);
    close_viewer();
    options.sample = "crowd";
    CHECK(open_viewer(&options));
    viewer_press(&shown, ' ');
    CHECK(draw_frames(2));
    CHECK(shown.stage.time == 0.0);
    viewer_press(&shown, '.');
    CHECK(draw_frames(2));
    CHECK(fabs(shown.stage.time - 1.0 / 60.0) < 1e-6);
    close_viewer();
}

static void flight_does_not_depend_on_the_frame_rate(void)
{
    surface_input input = {.is_shift = true};
    input.keys_down['W'] = input.keys_down['D'] = input.keys_down['E'] = true;
    view_camera slow = {.yaw = 0.4f, .pitch = -0.2f}, fast = slow;
    for (int i = 0; i < 10; i++) {
        view_camera_fly(&slow, &input, 0.1f, 25.0f);
    }
    for (int i = 0; i < 144; i++) {
        view_camera_fly(&fast, &input, 1.0f / 144.0f, 25.0f);
    }
    for (int k = 0; k < 3; k++) {
        CHECK(fabsf(slow.eye[k]) > 1.0f);
        CHECK(fabsf(slow.eye[k] - fast.eye[k]) < 1e-2f);
    }
}

static bool write_text(const char *path, const char *text)
{
    FILE *const file = fopen(path, "w");
    const bool is_good = file && fputs(text, file) >= 0;
    return file && fclose(file) == 0 && is_good;
}

// What a drop onto the window does.
static void another_file_takes_the_place_of_the_scene_or_a_note_says_why_not(void)
{
    view_options options = small_options();
    options.sample = "idea";
    CHECK(write_text("viewer_wall.obj", "v 0 0 0\nv 9 0 0\nv 9 9 0\nf 1 2 3\n"));
    CHECK(write_text("viewer_broken.glb", "this is no model"));
    CHECK(open_viewer(&options));
    CHECK(viewer_open_file(&shown, "viewer_wall.obj"));
    CHECK(shown.has_city && !shown.sample && shown.note_frames == 0);
    CHECK(draw_frames(2));
    CHECK(viewer_open_file(&shown, "viewer_broken.glb"));
    CHECK(!shown.has_city && shown.sample == view_samples[0]);
    CHECK(shown.note_frames > 0 && strstr(shown.note, "viewer_broken.glb"));
    CHECK(draw_frames(2));
    close_viewer();
    CHECK(remove("viewer_wall.obj") == 0 && remove("viewer_broken.glb") == 0);
}

// With freeze the culling camera flies on, and the camera that draws stays.
static void an_animation_of_a_frozen_camera_stays_where_it_is(void)
{
    char message[256], *words[] = {"view",      "--frames", "440:442", "--apng", "viewer_movie.png",
                                   "--overlay", "freeze",   "--size",  "96x64",  "--samples",
                                   "1",         "--cars",   "100",     NULL};
    view_options options;
    CHECK(view_options_parse(13, words, &options, message, sizeof message));
    CHECK(open_viewer(&options));
    CHECK(view_animation_write(&shown, message, sizeof message));
    const view_camera first = shown.render;
    shown.tour = 440.0;
    const view_camera begin = viewer_tour_camera(&shown);
    shown.tour = 442.0;
    const view_camera end = viewer_tour_camera(&shown);
    CHECK(memcmp(&shown.culling, &end, sizeof end) == 0);
    CHECK(memcmp(&begin, &end, sizeof end) != 0);
    shown.culling = begin;
    viewer_freeze(&shown); // from where the animation began
    CHECK(fabsf(shown.render.eye[1] - first.eye[1]) < 1e-3f);
    close_viewer();
    png_image image = {.version = PNG_IMAGE_VERSION};
    CHECK(png_image_begin_read_from_file(&image, "viewer_movie.png"));
    CHECK(image.width == 96 && image.height == 64);
    png_image_free(&image);
    CHECK(remove("viewer_movie.png") == 0);
}

static void a_bad_command_line_is_refused(void)
{
    char message[256];
    view_options options;
    char *good[] = {"view", "--size", "320x200", "--overlay", "map,freeze", "--frame", "7", NULL};
    CHECK(view_options_parse(7, good, &options, message, sizeof message));
    CHECK(options.width == 320 && options.height == 200 && options.frame == 7);
    CHECK(options.overlays == (1u << OVERLAY_MAP | 1u << OVERLAY_FREEZE));
    char *bad[][3] = {{"view", "--size", "320"},      {"view", "--size", "9x9"},
                      {"view", "--overlay", "maps"},  {"view", "--frame", "-1"},
                      {"view", "--shadows", "maybe"}, {"view", "--samples", "9"},
                      {"view", "--frames", "9:3"},    {"view", "--frames", "0:9"},
                      {"view", "--apng", "a.png"},    {"view", "--rise", "yes"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char *arguments[] = {bad[i][0], bad[i][1], bad[i][2], NULL};
        CHECK(!view_options_parse(3, arguments, &options, message, sizeof message));
        CHECK(strstr(message, bad[i][2]) || strstr(message, bad[i][1]));
    }
    char *sample[] = {"view", "--sample", "nothing", NULL};
    CHECK(!view_options_parse(3, sample, &options, message, sizeof message));
    CHECK(strstr(message, "idea") && strstr(message, "towns")); // those that there are
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(frames_drawn_with_culling_equal_those_drawn_without),
        TEST(one_visible_entity_left_out_is_found),
        TEST(scans_find_what_the_quadtree_finds),
        TEST(every_sample_looks_as_its_reference),
        TEST(every_overlay_looks_as_its_reference),
        TEST(overlays_show_the_cells_of_a_sample),
        TEST(workers_draw_the_same_picture),
        TEST(a_click_names_what_is_under_the_mouse),
        TEST(pause_stops_the_world_and_a_step_moves_it),
        TEST(flight_does_not_depend_on_the_frame_rate),
        TEST(another_file_takes_the_place_of_the_scene_or_a_note_says_why_not),
        TEST(an_animation_of_a_frozen_camera_stays_where_it_is),
        TEST(a_bad_command_line_is_refused)};
    char message[256];
    static hidden_surface *surface; // stays open, so that leaks of drivers keep their names
    if (!surface_hidden_open(&surface, message, sizeof message)) {
        printf("skipped: %s\n", message);
        return getenv("CI") ? 1 : 77;
    }
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
