// SPDX-License-Identifier: MIT
// test_run_world.c - a small village through `acre run`'s world and frames, also with a culler that
// has lost an entity: the run has to notice.
#include "test.h"

#include "run_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Two crossing streets and a house in each of the four quarters.
static const char village[] = "o streets\n"
                              "v -60 0 0\nv 0 0 0\nv 60 0 0\nv 0 0 -60\nv 0 0 60\n"
                              "l 1 2 3\nl 4 2 5\n"
                              "o a\nv -35 0 -35\nv -25 0 -35\nv -30 9 -25\nf 6 7 8\n"
                              "o b\nv 25 0 -35\nv 35 0 -35\nv 30 9 -25\nf 9 10 11\n"
                              "o c\nv -35 0 25\nv -25 0 25\nv -30 9 35\nf 12 13 14\n"
                              "o d\nv 25 0 25\nv 35 0 25\nv 30 9 35\nf 15 16 17\n";

static run_options options_for(const char *path)
{
    return (run_options){
        .scene_path = path, .frames = 20, .cars = 30, .seed = test_seed, .check_every = 4};
}

static bool open_village(run_world *world, const run_options *options)
{
    char message[512] = "";
    FILE *const file = fopen(options->scene_path, "w");
    const bool is_written = file && fputs(village, file) >= 0 && fclose(file) == 0;
    if (!is_written || !run_world_create(options, world, message, sizeof message)) {
        printf("%s\n", message);
        return false;
    }
    return true;
}

static void a_file_becomes_a_world_of_houses_streets_and_cars(void)
{
    const run_options options = options_for("test_run_world_1.obj");
    run_world world;
    CHECK(open_village(&world, &options));
    CHECK(world.kind_counts[KIND_SOLID] == 4 && world.kind_counts[KIND_STREET] == 1);
    CHECK(world.kind_counts[KIND_CAR] == 30 && !world.is_openstreetmap);
    CHECK(world.bounds.min[0] == -60.0f && world.bounds.max[2] == 60.0f);
    CHECK(world.streets.node_count == 5 && world.streets.edge_count == 8);
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(acre_culling_tree(world.culling), &stats);
    CHECK(stats.items == 35);
    for (uint32_t i = 0; i < 30; i++) {
        acre_aabb box;
        CHECK(acre_entity_world_bounds(world.scene, world.cars[i], &box) == ACRE_OK);
        const float x = 0.5f * (box.min[0] + box.max[0]), z = 0.5f * (box.min[2] + box.max[2]);
        CHECK(fminf(fabsf(x), fabsf(z)) < TRAFFIC_CORNER + TRAFFIC_LANE_OFFSET);
        uint64_t number;
        const char *const name = run_entity_name(&world, world.cars[i].index1 - 1, &number);
        CHECK(strcmp(name, "car") == 0 && number == i);
    }
    run_world_free(&world);
}

// Writes a hut and a hall as large as told, and opens them.
static bool open_hall(run_world *world, const run_options *options, const char *size, char *message,
                      size_t message_size)
{
    FILE *const file = fopen(options->scene_path, "w");
    if (!file) {
        return false;
    }
    fprintf(file, "o hut\nv 0 0 0\nv 3 0 0\nv 0 2 3\nf 1 2 3\n");
    fprintf(file, "o hall\nv -%s 0 0\nv %s 0 0\nv 0 9 %s\nf 4 5 6\n", size, size, size);
    fclose(file);
    return run_world_create(options, world, message, message_size);
}

static void a_file_too_large_for_floats_is_refused_by_the_name_of_its_node(void)
{
    static const char *const sizes[] = {"1.1e10", "1e20", "1e31", "3e38"};
    static const char *const said[] = {"1.1e+10 m", "1e+20 m", "1e+31 m", "3e+38 m"};
    const run_options options = options_for("test_run_world_large.obj");
    run_world world;
    char message[512] = "";
    for (int i = 0; i < 4; i++) {
        CHECK(!open_hall(&world, &options, sizes[i], message, sizeof message));
        CHECK(strstr(message, options.scene_path) == message && strstr(message, "'hall'"));
        CHECK(strstr(message, said[i]) != NULL);
        run_world_free(&world);
    }
    CHECK(open_hall(&world, &options, "0.9e10", message, sizeof message));
    run_view view;
    for (uint32_t frame = 0; frame < 200; frame++) {
        CHECK(run_view_at(&world, frame, &view));
    }
    run_world_free(&world);
    remove(options.scene_path);
}

typedef struct picture_calls {
    uint32_t count, frame;
    bool answer;
} picture_calls;

static bool count_pictures(const run_world *world, const run_view *view, const run_visible *visible,
                           uint32_t frame, char *message, size_t message_size, void *user)
{
    picture_calls *const calls = user;
    (void)world;
    (void)view;
    (void)visible;
    calls->count++;
    calls->frame = frame;
    if (!calls->answer) {
        snprintf(message, message_size, "no picture today");
    }
    return calls->answer;
}

static void every_frame_moves_commits_and_asks_five_cameras(void)
{
    const run_options options = options_for("test_run_world_2.obj");
    run_world world;
    run_record record;
    picture_calls calls = {.answer = true};
    CHECK(open_village(&world, &options));
    CHECK(run_frames(&world, &options, count_pictures, &calls, &record));
    CHECK(record.frames == 20 && record.set.count == 20 && record.query.count == 20);
    CHECK(record.visible[4].count == 20 && record.camera_query[4].count == 20);
    CHECK(samples_summarise(&record.moved).least == 30.0);
    CHECK(samples_summarise(&record.moved).most == 30.0);
    CHECK(record.checked_frames == 5 && record.checked_sets == 25);
    CHECK(record.difference.kind == CHECK_EQUAL && record.error[0] == '\0');
    CHECK(calls.count == 1 && calls.frame == record.picture_frame);
    run_record_free(&record);
    run_world_free(&world);
}

static void a_picture_that_fails_ends_the_run_with_its_message(void)
{
    const run_options options = options_for("test_run_world_3.obj");
    run_world world;
    run_record record;
    picture_calls calls = {.answer = false};
    CHECK(open_village(&world, &options));
    CHECK(!run_frames(&world, &options, count_pictures, &calls, &record));
    CHECK(strcmp(record.error, "no picture today") == 0);
    run_record_free(&record);
    run_world_free(&world);
}

// Writes what print() prints of a report into text.
static bool describe(const run_report *report, void (*print)(const run_report *, FILE *),
                     char *text, size_t size)
{
    FILE *const file = tmpfile();
    if (!file) {
        return false;
    }
    print(report, file);
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
    return true;
}

static void an_entity_that_the_culler_lost_is_named_with_plane_and_margin(void)
{
    run_options options = options_for("test_run_world_4.obj");
    options.check_every = 1;
    options.frames = 600;
    run_world world;
    run_record record;
    CHECK(open_village(&world, &options));
    uint32_t house = 0;
    while (strcmp(world.model->nodes[house].name, "c") != 0) {
        CHECK(++house < world.model->node_count);
    }
    CHECK(acre_culling_unregister(world.culling, world.nodes[house]) == ACRE_OK);
    CHECK(!run_frames(&world, &options, NULL, NULL, &record));
    CHECK(record.difference.kind == CHECK_MISSING);
    CHECK(record.difference.slot == world.nodes[house].index1 - 1);
    CHECK(record.difference.plane >= 0 && record.difference.margin > -1e-3);
    CHECK(record.frames == record.difference_frame && record.frames < 600);
    run_report report = {0};
    char text[512];
    run_report_fill(&report, &options, &world, &record);
    CHECK(describe(&report, run_report_difference, text, sizeof text));
    CHECK(strstr(text, "(c, number ") && strstr(text, "is missing from the set; plane "));
    CHECK(strstr(text, "margin "));
    run_record_free(&record);
    run_world_free(&world);
}

typedef struct wrong_box {
    uint32_t slot;
    acre_aabb box;
} wrong_box;

// Gives an item of the culler's tree another box.
static void give_wrong_box(void *context, acre_quadtree *tree, bool is_static)
{
    (void)is_static;
    const wrong_box *const wrong = context;
    if (acre_quadtree_contains(tree, wrong->slot)) {
        CHECK(acre_quadtree_refresh(tree, wrong->slot, &wrong->box) == ACRE_OK);
    }
}

static void an_entity_whose_box_in_the_tree_is_not_its_own_is_found(void)
{
    run_options options = options_for("test_run_world_5.obj");
    options.check_every = 1;
    options.frames = 600;
    options.cars = 0;
    run_world world;
    run_record record;
    CHECK(open_village(&world, &options));
    uint32_t house = 0;
    while (strcmp(world.model->nodes[house].name, "b") != 0) {
        CHECK(++house < world.model->node_count);
    }
    wrong_box wrong = {world.nodes[house].index1 - 1, {{-500, -500, -500}, {500, 500, 500}}};
    CHECK(acre_culling_set_tree_hook(world.culling, give_wrong_box, &wrong) == ACRE_OK);
    CHECK(acre_culling_set_tree_hook(world.culling, NULL, NULL) == ACRE_OK);
    CHECK(!run_frames(&world, &options, NULL, NULL, &record));
    CHECK(record.difference.kind == CHECK_EXTRA);
    CHECK(record.difference.slot == world.nodes[house].index1 - 1);
    CHECK(record.difference.plane >= 0 && record.difference.margin < 0.0);
    run_record_free(&record);
    run_world_free(&world);
}

// No lattice holds boxes without an end, so that they stay outliers.
static void many_outliers_are_printed(void)
{
    enum { CARS = 100 };
    run_options options = options_for("test_run_world_7.obj");
    options.cars = CARS;
    run_world world;
    run_record record;
    const acre_aabb endless = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    CHECK(open_village(&world, &options));
    CHECK(run_frames(&world, &options, NULL, NULL, &record));
    for (uint32_t endless_cars = 0; endless_cars <= CARS; endless_cars += CARS) {
        for (uint32_t car = 0; car < endless_cars; car++) {
            CHECK(acre_culling_refresh_bounds(world.culling, world.cars[car], &endless) == ACRE_OK);
        }
        run_report report = {0};
        char text[8192];
        run_report_fill(&report, &options, &world, &record);
        CHECK(describe(&report, run_report_print, text, sizeof text));
        CHECK((strstr(text, "MANY OUTLIERS: every query tests each") != NULL) ==
              (endless_cars > 0));
        CHECK((strstr(text, " 100 outliers") != NULL) == (endless_cars > 0));
    }
    run_record_free(&record);
    run_world_free(&world);
}

static void the_bars_compare_equal_sets_of_all_items(void)
{
    const run_options options = options_for("test_run_world_6.obj");
    run_world world;
    run_bars bars;
    CHECK(open_village(&world, &options));
    CHECK(run_bars_measure(&world, test_seed, &bars) == ACRE_OK);
    CHECK(bars.items == 35 && bars.are_sets_equal);
    CHECK(bars.refresh.count > 0 && bars.refresh.least > 0.0);
    for (uint32_t i = 0; i < BAR_DISTANCES; i++) {
        const bar_query *const query = &bars.queries[i];
        CHECK(query->views > 0 && query->visible > 0.0 && query->prepared > 0.0);
        CHECK(query->tree > 0.0 && query->brute > 0.0 && query->ratio > 0.0);
    }
    run_world_free(&world);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(a_file_becomes_a_world_of_houses_streets_and_cars),
        TEST(a_file_too_large_for_floats_is_refused_by_the_name_of_its_node),
        TEST(every_frame_moves_commits_and_asks_five_cameras),
        TEST(a_picture_that_fails_ends_the_run_with_its_message),
        TEST(an_entity_that_the_culler_lost_is_named_with_plane_and_margin),
        TEST(an_entity_whose_box_in_the_tree_is_not_its_own_is_found),
        TEST(many_outliers_are_printed),
        TEST(the_bars_compare_equal_sets_of_all_items),
    };
    return test_run(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
