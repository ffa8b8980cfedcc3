// SPDX-License-Identifier: MIT
// test_run.c - the parts of `acre run`: its command line, its statistics, and above all its check,
// which has to find every kind of wrong visible set.
#include "test.h"

#include "picture_page.h"
#include "run_brute.h"
#include "run_check.h"
#include "run_footprint.h"
#include "run_options.h"
#include "run_picture.h"
#include "run_rays.h"
#include "run_statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool parse(int argc, const char **arguments, run_options *out, char *message, size_t size)
{
    char *argv[16] = {0};
    for (int i = 0; i < argc; i++) {
        memcpy(&argv[i], &arguments[i], sizeof argv[i]); // argv is without const
    }
    return run_options_parse(argc, argv, out, message, size);
}

static void options_have_the_defaults_that_the_help_names(void)
{
    run_options options;
    char message[256];
    CHECK(parse(1, (const char *[]){"run"}, &options, message, sizeof message));
    CHECK(strstr(options.scene_path, "san_francisco.glb"));
    CHECK(options.frames == 600 && options.cars == 2000 && options.check_every == 60);
    CHECK(strcmp(options.svg_path, "out/san_francisco.svg") == 0);
    CHECK(!options.json_path && !options.help);
}

static void options_take_every_flag_before_and_after_the_file(void)
{
    run_options options;
    char message[256];
    CHECK(parse(13,
                (const char *[]){"run", "--frames", "7", "--cars=0", "a.b/city.x.obj", "--seed",
                                 "18446744073709551615", "--check", "0", "--svg", "none", "--json",
                                 "t.json"},
                &options, message, sizeof message));
    CHECK(options.frames == 7 && options.cars == 0 && options.check_every == 0);
    CHECK(options.seed == UINT64_MAX);
    CHECK(strcmp(options.scene_path, "a.b/city.x.obj") == 0);
    CHECK(options.svg_path[0] == '\0' && strcmp(options.json_path, "t.json") == 0);
    CHECK(parse(2, (const char *[]){"run", "a.b/city.x.obj"}, &options, message, sizeof message));
    CHECK(strcmp(options.svg_path, "out/city.x.svg") == 0);
    CHECK(parse(2, (const char *[]){"run", "a.b/city"}, &options, message, sizeof message));
    CHECK(strcmp(options.svg_path, "out/city.svg") == 0);
}

static void wrong_options_are_refused_by_name(void)
{
    static const char *const wrong[][3] = {
        {"--frames", "0", "--frames"},
        {"--frames", "1000001", "--frames"},
        {"--frames", "12x", "12x"},
        {"--frames", "-1", "-1"},
        {"--frames", "", "--frames"},
        {"--cars", "1e3", "1e3"},
        {"--seed", "+1", "+1"},
        {"--seed", "18446744073709551616", "--seed"},
        {"--check", " 1", "--check"},
        {"--speed", "1", "--speed"},
        {"-x", "1", "-x"},
        {"a.glb", "b.glb", "b.glb"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        run_options options;
        char message[256] = "";
        const char *arguments[] = {"run", wrong[i][0], wrong[i][1]};
        CHECK(!parse(3, arguments, &options, message, sizeof message));
        CHECK(strstr(message, wrong[i][2]));
    }
    run_options options;
    char message[256] = "";
    CHECK(!parse(2, (const char *[]){"run", "--json"}, &options, message, sizeof message));
    CHECK(strcmp(message, "--json needs a value") == 0);
}

static void a_summary_has_the_middle_of_odd_and_even_numbers(void)
{
    sample_list list = {0};
    CHECK(samples_summarise(&list).count == 0 && samples_summarise(&list).most == 0.0);
    CHECK(samples_reserve(&list, 4));
    CHECK(samples_add(&list, 5) && samples_add(&list, 1) && samples_add(&list, 3));
    sample_summary summary = samples_summarise(&list);
    CHECK(summary.least == 1 && summary.median == 3 && summary.mean == 3 && summary.most == 5);
    CHECK(samples_add(&list, 11));
    CHECK(!samples_add(&list, 12)); // no room
    summary = samples_summarise(&list);
    CHECK(summary.count == 4 && summary.median == 4 && summary.mean == 5 && summary.most == 11);
    samples_free(&list);
}

// A field of random boxes as a scene view, and a camera that sees a part of it.
enum { BOXES = 500 };

typedef struct field {
    acre_aabb boxes[BOXES];
    uint32_t flags[BOXES], layers[BOXES];
    uint64_t user[BOXES];
    acre_scene_view view;
    acre_camera camera;
    acre_frustum frustum;
    uint32_t visible[BOXES + 1];
    size_t count;
    uint8_t marks[BOXES];
} field;

static void fill_visible(field *out)
{
    out->count = 0;
    for (uint32_t i = 0; i < BOXES; i++) {
        if (acre_frustum_test_aabb(&out->frustum, &out->boxes[i])) {
            out->visible[out->count++] = i;
        }
    }
}

static void make_field(field *out)
{
    test_random random = {test_seed};
    memset(out, 0, sizeof *out);
    for (int i = 0; i < BOXES; i++) {
        for (int k = 0; k < 3; k++) {
            out->boxes[i].min[k] = random_float(&random, -100.0f, 100.0f);
            out->boxes[i].max[k] = out->boxes[i].min[k] + random_float(&random, 0.0f, 20.0f);
        }
        out->layers[i] = UINT32_MAX;
    }
    out->view = (acre_scene_view){.slot_count = BOXES,
                                  .entity_count = BOXES,
                                  .world_bounds = out->boxes,
                                  .flags = out->flags,
                                  .layers = out->layers,
                                  .user = out->user};
    const float eye[3] = {0, 5, 90}, target[3] = {10, 0, -50}, up[3] = {0, 1, 0};
    if (acre_camera_perspective(&out->camera, 0.8f, 1.5f, 1.0f, 150.0f, ACRE_CLIP_ZERO_TO_ONE) !=
            ACRE_OK ||
        acre_camera_look_at(&out->camera, eye, target, up) != ACRE_OK) {
        test_fail(__FILE__, __LINE__, "the camera");
    }
    if (acre_camera_frustum(&out->camera, &out->frustum) != ACRE_OK) {
        test_fail(__FILE__, __LINE__, "the frustum");
    }
    fill_visible(out);
}

static check_difference check(field *in)
{
    memset(in->marks, 0xa5, sizeof in->marks);
    const check_set set = {&in->camera, &in->frustum, in->visible, in->count};
    return check_visible_set(&in->view, &set, in->marks);
}

static void the_check_agrees_with_a_right_set(void)
{
    static field f;
    make_field(&f);
    CHECK(f.count > 20 && f.count < BOXES - 20);
    CHECK(check(&f).kind == CHECK_EQUAL);
}

static void the_check_finds_every_missing_entity_with_its_plane_and_margin(void)
{
    static field f;
    make_field(&f);
    for (size_t i = 0; i < f.count; i++) {
        const uint32_t missing = f.visible[i];
        f.visible[i] = f.visible[--f.count];
        const check_difference found = check(&f);
        CHECK(found.kind == CHECK_MISSING && found.slot == missing);
        CHECK(found.plane >= 0 && found.plane < 6 && found.margin > -1e-3);
        f.visible[f.count++] = f.visible[i];
        f.visible[i] = missing;
    }
}

static void the_check_finds_every_entity_too_much_with_the_plane_that_hides_it(void)
{
    static field f;
    make_field(&f);
    for (uint32_t slot = 0; slot < BOXES; slot++) {
        bool is_visible = false;
        for (size_t i = 0; i < f.count; i++) {
            is_visible = is_visible || f.visible[i] == slot;
        }
        if (!is_visible) {
            f.visible[f.count++] = slot;
            const check_difference found = check(&f);
            CHECK(found.kind == CHECK_EXTRA && found.slot == slot);
            CHECK(found.plane >= 0 && found.plane < 6 && found.margin < 0.0);
            f.count--;
        }
    }
}

static void the_check_finds_doubles_and_slots_that_do_not_exist(void)
{
    static field f;
    make_field(&f);
    f.visible[f.count++] = f.visible[3];
    check_difference found = check(&f);
    CHECK(found.kind == CHECK_TWICE && found.slot == f.visible[3]);
    f.visible[f.count - 1] = BOXES;
    found = check(&f);
    CHECK(found.kind == CHECK_FOREIGN && found.slot == BOXES);
}

static void the_check_knows_hidden_layered_empty_and_never_culled_entities(void)
{
    static field f;
    make_field(&f);
    const uint32_t first = f.visible[0], second = f.visible[1], third = f.visible[2];
    f.flags[first] = ACRE_ENTITY_HIDDEN;
    CHECK(check(&f).kind == CHECK_EXTRA && check(&f).slot == first);
    f.flags[first] = 0;
    f.layers[second] = 2;
    f.camera.layers = 1;
    CHECK(check(&f).kind == CHECK_EXTRA && check(&f).slot == second);
    f.camera.layers = 3;
    CHECK(check(&f).kind == CHECK_EQUAL);
    f.boxes[third] = acre_aabb_empty();
    CHECK(check(&f).kind == CHECK_EXTRA && check(&f).slot == third);
    f.flags[third] = ACRE_ENTITY_NEVER_CULL;
    CHECK(check(&f).kind == CHECK_EQUAL);
    f.visible[2] = f.visible[--f.count];
    CHECK(check(&f).kind == CHECK_MISSING && check(&f).slot == third);
}

static void without_planes_everything_is_visible(void)
{
    static field f;
    make_field(&f);
    f.frustum.plane_count = 0;
    CHECK(check(&f).kind == CHECK_MISSING && check(&f).plane == -1);
    fill_visible(&f);
    CHECK(f.count == BOXES && check(&f).kind == CHECK_EQUAL);
}

// Rays of the field's second of two cascades.
static bool rays_find_all(const field *f, const acre_cascade *cascade, const uint8_t *marks,
                          uint32_t *slot, ray_counts *counts)
{
    static const acre_aabb ground = {{-100, -60, -100}, {100, -60, 100}};
    double distance = -1.0;
    const ray_check asked = {.cascade = cascade,
                             .visible = f->visible,
                             .visible_count = f->count,
                             .ground = &ground,
                             .marks = marks,
                             .rays = 400,
                             .seed = 5};
    const bool has_all = check_rays(&f->view, &asked, counts, slot, &distance);
    *slot = has_all || distance >= 0.0 ? *slot : BOXES;
    return has_all;
}

static void rays_find_every_caster_that_is_lost(void)
{
    static field f;
    const acre_cascades_def def = {
        .light = {0.3f, -1.0f, 0.2f}, .caster_distance = 100.0f, .count = 2, .resolution = 1024};
    acre_cascade cascades[2];
    uint8_t marks[BOXES];
    uint32_t slot = 0;
    ray_counts counts = {0, 0};
    make_field(&f);
    CHECK(acre_cascades_fit(&def, &f.camera, cascades) == ACRE_OK);
    memset(marks, 1, sizeof marks);
    CHECK(rays_find_all(&f, &cascades[1], marks, &slot, &counts));
    CHECK(counts.rays > 400 && counts.shadows > counts.rays); // also from the ground
    memset(marks, 0, sizeof marks);
    uint32_t lost = 0;
    while (lost < BOXES && !rays_find_all(&f, &cascades[1], marks, &slot, &counts)) {
        CHECK(slot < BOXES && !marks[slot]);
        marks[slot] = 1;
        lost++;
    }
    // Every one that a ray meets was named, once; without any of them the check fails again.
    CHECK(lost > 50 && lost < BOXES);
    for (uint32_t i = 0; i < BOXES; i++) {
        if (marks[i]) {
            marks[i] = 0;
            CHECK(!rays_find_all(&f, &cascades[1], marks, &slot, &counts) && slot == i);
            marks[i] = 1;
        }
    }
    f.flags[slot] = ACRE_ENTITY_HIDDEN;
    marks[slot] = 0;
    CHECK(rays_find_all(&f, &cascades[1], marks, &slot, &counts));
}

// Moves a plane inwards until it hides a box that was wholly inside. Returns false without one.
static bool cut_off(field *f, uint32_t plane)
{
    for (size_t i = 0; i < f->count; i++) {
        const acre_aabb *const box = &f->boxes[f->visible[i]];
        float *const p = f->frustum.planes[plane];
        if (acre_frustum_contains_aabb(&f->frustum, box)) {
            float distance = p[3];
            for (int k = 0; k < 3; k++) {
                distance += p[k] * (p[k] >= 0.0f ? box->max[k] : box->min[k]);
            }
            p[3] -= distance + 1.0f;
            return true;
        }
    }
    return false;
}

static void planes_that_cut_into_the_clip_volume_are_found(void)
{
    static field f;
    for (uint32_t plane = 0; plane < 6; plane++) {
        make_field(&f);
        CHECK(cut_off(&f, plane));
        fill_visible(&f);
        const check_difference found = check(&f);
        CHECK(found.kind == CHECK_CUT_OFF && found.margin > 0.0);
    }
}

static void planes_that_leave_room_around_the_clip_volume_are_allowed(void)
{
    static field f;
    make_field(&f);
    for (uint32_t plane = 0; plane < 6; plane++) {
        f.frustum.planes[plane][3] += 0.5f;
    }
    fill_visible(&f);
    CHECK(check(&f).kind == CHECK_EQUAL);
}

static void scalar_brute_force_finds_the_defined_set(void)
{
    static field f;
    make_field(&f);
    brute_boxes boxes;
    uint32_t found[BOXES];
    CHECK(brute_boxes_create(&boxes, BOXES));
    for (uint32_t i = 0; i < BOXES; i++) {
        brute_boxes_set(&boxes, i, i, &f.boxes[i]);
    }
    CHECK(brute_query(&boxes, &f.frustum, found) == f.count);
    CHECK(memcmp(found, f.visible, f.count * sizeof *found) == 0);
    memset(found, 0, sizeof found);
    CHECK(brute_query_prepared(&boxes, &f.frustum, found) == f.count);
    CHECK(memcmp(found, f.visible, f.count * sizeof *found) == 0);
    brute_boxes_free(&boxes);
}

// An L-shaped roof of four triangles at height 3, with a wall and a floor that looks down.
static const float roof_points[] = {0, 3, 0, 0, 3, 2, 2, 3, 2, 2, 3, 1, 1, 3, 1, 1, 3, 0, 0, 0, 0};
static const uint32_t roof_triangles[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 0, 4, 5, 0, 6, 1, 6, 4, 1};

static void a_footprint_is_the_border_of_what_looks_up(void)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const acre_import_mesh mesh = {
        .points = roof_points, .point_count = 7, .triangles = roof_triangles, .triangle_count = 6};
    footprint outline;
    CHECK(footprint_create(&outline, &mesh, identity));
    CHECK(outline.ring_count == 1 && outline.point_count == 6);
    for (uint32_t i = 0; i < 6; i++) { // 0 1 2 3 4 5, from wherever it starts
        CHECK(outline.points[(i + 1) % 6] == (outline.points[i] + 1) % 6);
    }
    footprint_free(&outline);
    // Upside down the roof looks down, and the floor, a single triangle, looks up.
    const float turned[16] = {1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1};
    CHECK(footprint_create(&outline, &mesh, turned));
    CHECK(outline.ring_count == 1 && outline.point_count == 3);
    footprint_free(&outline);
}

static void a_section_of_the_ground_is_what_the_planes_leave(void)
{
    const acre_aabb around = {{-10, 0, -10}, {10, 50, 10}};
    acre_frustum frustum = {{{1, 0, 0, 2}, {0, 1, 0, -1}}, 2}; // x >= -2, y >= 1
    double corners[ACRE_FRUSTUM_MAX_PLANES + 4][2];
    CHECK(ground_section(&frustum, 0.0f, &around, corners) == 0);
    CHECK(ground_section(&frustum, 2.0f, &around, corners) == 4);
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int i = 0; i < 4; i++) {
        least = fmin(least, corners[i][0]);
        most = fmax(most, corners[i][0]);
        CHECK(fabs(fabs(corners[i][1]) - 10.0) < 1e-12);
    }
    CHECK(fabs(least + 2.0) < 1e-12 && most == 10.0);
    // Sixteen planes around a circle leave a polygon of sixteen corners.
    frustum.plane_count = ACRE_FRUSTUM_MAX_PLANES;
    for (int i = 0; i < ACRE_FRUSTUM_MAX_PLANES; i++) {
        const float angle = 0.3926991f * (float)i;
        frustum.planes[i][0] = cosf(angle);
        frustum.planes[i][1] = 0.0f;
        frustum.planes[i][2] = sinf(angle);
        frustum.planes[i][3] = 5.0f;
    }
    CHECK(ground_section(&frustum, 0.0f, &around, corners) == 16);
    for (int i = 0; i < 16; i++) {
        CHECK(fabs(hypot(corners[i][0], corners[i][1]) - 5.0 / cos(0.19634954)) < 1e-5);
    }
}

static void a_page_makes_its_folders_and_escapes_texts(void)
{
    picture_page page;
    const acre_aabb world = {{-5, 0, -5}, {5, 9, 5}};
    char text[4096];
    CHECK(page_open(&page, "test_run_out/deep/page.svg", &world, "a < b & \"c\"\n"));
    page_begin_layer(&page, "lines", "stroke:red");
    page_move(&page, -5, -5);
    page_line(&page, 5, 5);
    page_line(&page, 1e30, (double)NAN);
    page_rectangle(&page, &world);
    page_end_layer(&page);
    CHECK(page_close(&page));
    CHECK(!page_close(&page));
    FILE *const file = fopen("test_run_out/deep/page.svg", "r");
    CHECK(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    CHECK(strncmp(text, "<svg ", 5) == 0 && strstr(text, "</svg>\n"));
    CHECK(strstr(text, "<title>a &lt; b &amp; &quot;c&quot; </title>"));
    CHECK(strstr(text, "M0 0l30000 30000"));
    CHECK(!page_open(&page, "test_run_out/deep/page.svg/no.svg", &world, ""));
    CHECK(!page_close(&page));
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(options_have_the_defaults_that_the_help_names),
        TEST(options_take_every_flag_before_and_after_the_file),
        TEST(wrong_options_are_refused_by_name),
        TEST(a_summary_has_the_middle_of_odd_and_even_numbers),
        TEST(the_check_agrees_with_a_right_set),
        TEST(the_check_finds_every_missing_entity_with_its_plane_and_margin),
        TEST(the_check_finds_every_entity_too_much_with_the_plane_that_hides_it),
        TEST(the_check_finds_doubles_and_slots_that_do_not_exist),
        TEST(the_check_knows_hidden_layered_empty_and_never_culled_entities),
        TEST(without_planes_everything_is_visible),
        TEST(planes_that_cut_into_the_clip_volume_are_found),
        TEST(planes_that_leave_room_around_the_clip_volume_are_allowed),
        TEST(rays_find_every_caster_that_is_lost),
        TEST(scalar_brute_force_finds_the_defined_set),
        TEST(a_footprint_is_the_border_of_what_looks_up),
        TEST(a_section_of_the_ground_is_what_the_planes_leave),
        TEST(a_page_makes_its_folders_and_escapes_texts),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
