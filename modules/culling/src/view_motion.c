// SPDX-License-Identifier: MIT
// view_motion.c - answers for the static tree from what the last views saw of it.
#include "view_motion_internal.h"

#include "vector_internal.h"

#ifdef ACRE_HAS_LANES_FOUR
#include "lanes_four.h"
#else
#include "lanes_one.h"
#endif

#include <math.h>
#include <string.h>

// A tree of fewer items is asked in no time.
#define LEAST_ITEMS 256

// Inner and edge are made for planes that are wider and narrower by this part of what can be seen
// at all, and for this many findings at least: a faster camera asks the tree.
#define WIDER 0.003
#define LEAST_STEPS 20
#define MOST_STEPS 1024

// After a failed try, so many findings ask the tree; after each further one twice as many.
#define FIRST_WAIT 8
#define LONGEST_WAIT 64

// Distances of floats are wrong by at most 5 * 2^-24 of |d| + |p| (frustum.h).
#define ROUNDING (1.0 / (1 << 20))

// Unlike fmax and fmin these need no call.
static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

// @return whether every plane has a direction and finite numbers.
static bool make_unit(const acre_frustum *frustum, unit_planes *out)
{
    out->count = frustum->plane_count;
    bool is_valid = out->count > 0 && out->count <= VIEW_MOTION_PLANES;
    for (uint32_t i = 0; is_valid && i < frustum->plane_count; i++) {
        const float *const plane = frustum->planes[i];
        for (int k = 0; k < 4; k++) {
            out->plane[i][k] = (double)plane[k];
        }
        const double length = length3(out->plane[i]), factor = 1.0 / length;
        for (int k = 0; k < 4; k++) {
            out->plane[i][k] *= factor;
        }
        is_valid = length > 1e-18 && length < 1e18 && isfinite(out->plane[i][3]);
    }
    return is_valid;
}

// How far planes moved: the greatest turn, and the greatest shift at a point.
static void measure(const unit_planes *from, const unit_planes *to, const double *center,
                    double *turn, double *shift)
{
    double turn2 = 0.0;
    *shift = 0.0;
    for (uint32_t i = 0; i < from->count; i++) {
        double difference[4];
        for (int k = 0; k < 4; k++) {
            difference[k] = to->plane[i][k] - from->plane[i][k];
        }
        turn2 = larger(turn2, dot3(difference, difference));
        *shift = larger(*shift, fabs(dot3(difference, center) + difference[3]));
    }
    *turn = sqrt(turn2);
}

static double distance3(const double *a, const double *b)
{
    const double between[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return length3(between);
}

static double inside_by(const double *plane, const double *p)
{
    return dot3(plane, p) + plane[3];
}

// Where three planes meet. @return whether they do in one point.
static bool meet(const double *a, const double *b, const double *c, double *p)
{
    double point[4];
    meet_planes(a, b, c, point);
    for (int k = 0; k < 3; k++) {
        p[k] = point[k] / point[3];
    }
    return fabs(point[3]) > 1e-12 && isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

// Planes, and those of the tree's bounds.
typedef struct polytope {
    double plane[VIEW_MOTION_PLANES + 6][4];
    uint32_t count;
} polytope;

static void cut_bounds(const unit_planes *planes, double outwards, const acre_aabb *bounds,
                       polytope *out)
{
    memcpy(out->plane, planes->plane, sizeof planes->plane);
    out->count = planes->count;
    for (uint32_t i = 0; i < out->count; i++) {
        out->plane[i][3] += outwards;
    }
    for (int axis = 0; axis < 3; axis++) {
        double *const low = out->plane[out->count++], *const high = out->plane[out->count++];
        memset(low, 0, 3 * sizeof *low);
        memset(high, 0, 3 * sizeof *high);
        low[axis] = 1.0;
        low[3] = -(double)bounds->min[axis];
        high[axis] = -1.0;
        high[3] = (double)bounds->max[axis];
    }
}

static bool holds(const polytope *all, const double *p, double slack)
{
    for (uint32_t i = 0; i < all->count; i++) {
        if (!(inside_by(all->plane[i], p) >= -slack)) {
            return false;
        }
    }
    return true;
}

// The farthest distance from the center of any point within the planes moved outwards and the
// bounds of the tree: that of a corner.
static double reach(const unit_planes *planes, double outwards, const acre_aabb *bounds,
                    const double *center)
{
    polytope all;
    cut_bounds(planes, outwards, bounds, &all);
    const double slack = ROUNDING * (length3(center) + outwards);
    double farthest = 0.0;
    for (uint32_t i = 0; i + 2 < all.count; i++) {
        for (uint32_t j = i + 1; j + 1 < all.count; j++) {
            for (uint32_t k = j + 1; k < all.count; k++) {
                double p[3];
                if (meet(all.plane[i], all.plane[j], all.plane[k], p) &&
                    holds(&all, p, slack + ROUNDING * length3(p))) {
                    farthest = larger(farthest, distance3(p, center));
                }
            }
        }
    }
    return farthest + slack + ROUNDING * farthest;
}

// The distance of the farthest point of a box.
static double farthest_corner(const acre_aabb *box, const double *p)
{
    double far2 = 0.0;
    for (int k = 0; k < 3; k++) {
        const double gap =
            larger(fabs((double)box->min[k] - p[k]), fabs((double)box->max[k] - p[k]));
        far2 += gap * gap;
    }
    return sqrt(far2);
}

// How far the numbers of floats may be from the truth, at any point within reach.
static double rounding(const unit_planes *planes, const double *center, double farthest)
{
    double offset = 0.0;
    for (uint32_t i = 0; i < planes->count; i++) {
        offset = larger(offset, fabs(planes->plane[i][3]));
    }
    return ROUNDING * (offset + length3(center) + farthest);
}

// The planes, moved outwards.
static acre_frustum move_planes(const unit_planes *planes, double outwards)
{
    acre_frustum moved = {.plane_count = planes->count};
    for (uint32_t i = 0; i < planes->count; i++) {
        for (int k = 0; k < 3; k++) {
            moved.planes[i][k] = (float)planes->plane[i][k];
        }
        moved.planes[i][3] = (float)(planes->plane[i][3] + outwards);
    }
    return moved;
}

// For each box of a group or block the least of its distances from planes, and 0 at most: of the
// corner that lies farthest inside, which acre_frustum_test_aabb compares with 0, or of the one
// that lies farthest outside, as acre_frustum_contains_aabb does. NaN counts for nothing.
static void least_distances(const float *edges, const acre_frustum *frustum, bool is_outer_corner,
                            float least[EDGE_BOXES])
{
    floats lowest[EDGE_BOXES / LANES];
    for (int i = 0; i < EDGE_BOXES / LANES; i++) {
        lowest[i] = floats_all(0.0f);
    }
    for (uint32_t p = 0; p < frustum->plane_count; p++) {
        const float *const plane = frustum->planes[p];
        const floats nx = floats_all(plane[0]), ny = floats_all(plane[1]);
        const floats nz = floats_all(plane[2]), d = floats_all(plane[3]);
        const float *const x = edges + EDGE_BOXES * ((plane[0] >= 0.0f) != is_outer_corner);
        const float *const y = edges + EDGE_BOXES * (2 + ((plane[1] >= 0.0f) != is_outer_corner));
        const float *const z = edges + EDGE_BOXES * (4 + ((plane[2] >= 0.0f) != is_outer_corner));
        for (int i = 0; i < EDGE_BOXES / LANES; i++) {
            const floats on_x = floats_mul(nx, floats_load(x + i * LANES));
            const floats on_y = floats_mul(ny, floats_load(y + i * LANES));
            const floats on_z = floats_mul(nz, floats_load(z + i * LANES));
            const floats sum = floats_add(floats_add(on_x, on_y), on_z);
            lowest[i] = floats_min(floats_add(sum, d), lowest[i]);
        }
    }
    for (int i = 0; i < EDGE_BOXES / LANES; i++) {
        floats_store(least + i * LANES, lowest[i]);
    }
}

// What the static tree shows, and where it goes.
typedef struct motion_sort {
    view_motion *motion;
    const acre_allocator *allocator;
    acre_frustum narrowed;
    bool is_short; // of memory
} motion_sort;

static bool has_room(const motion_sort *sort)
{
    view_motion *const motion = sort->motion;
    const size_t edge = motion->edge_count + ACRE_GROUP_ITEMS;
    return acre_column_reserve(sort->allocator, &motion->inner,
                               motion->inner_count + ACRE_GROUP_ITEMS, sizeof(uint32_t)) &&
           acre_column_reserve(sort->allocator, &motion->edge, edge, sizeof(uint32_t)) &&
           acre_column_reserve(sort->allocator, &motion->blocks, edge / EDGE_BOXES + 1,
                               sizeof(edge_block));
}

static void add_edge(view_motion *motion, const acre_item_group *group, uint32_t i)
{
    edge_block *const block = (edge_block *)motion->blocks.data + motion->edge_count / EDGE_BOXES;
    for (int row = 0; row < 6; row++) {
        block->edge[row][motion->edge_count % EDGE_BOXES] =
            group->edges[(uint32_t)row * ACRE_GROUP_ITEMS + i];
    }
    ((uint32_t *)motion->edge.data)[motion->edge_count++] = group->items[i];
}

// Tells inner from edge.
static bool sort_group(void *user, const acre_item_group *group)
{
    motion_sort *const sort = user;
    view_motion *const motion = sort->motion;
    float least[ACRE_GROUP_ITEMS];
    if (!has_room(sort)) {
        sort->is_short = true;
        return false;
    }
    least_distances(group->edges, &sort->narrowed, true, least);
    for (uint32_t bits = group->found; bits; bits &= bits - 1) {
        const uint32_t i = view_lowest(bits);
        if (least[i] < 0.0f) {
            add_edge(motion, group, i);
        } else {
            ((uint32_t *)motion->inner.data)[motion->inner_count++] = group->items[i];
        }
    }
    return true;
}

// Asks for all that views within the motion may see; what sticks out of the planes moved inwards is
// not seen by all of them. @return whether there was memory.
static bool ask_widened(view_motion *motion, const motion_request *request, double wider)
{
    const acre_frustum widened = move_planes(&motion->base, wider);
    motion_sort sort = {
        .motion = motion,
        .allocator = request->allocator,
        .narrowed = move_planes(&motion->base, -wider),
    };
    acre_query query = request->volume->query;
    acre_query_stats stats = {0};
    query.frustum = &widened;
    query.stats = &stats;
    motion->inner_count = motion->edge_count = 0;
    (void)acre_quadtree_query_visit_groups(request->culling->trees[TREE_STATIC], &query, sort_group,
                                           &sort);
    *request->tested += stats.items_tested;
    return !sort.is_short;
}

// Makes inner and edge for views around this one. @return whether it did.
static bool make(view_motion *motion, const motion_request *request, const unit_planes *now,
                 double turn, double shift)
{
    acre_quadtree_stats stats;
    acre_quadtree_get_stats(request->culling->trees[TREE_STATIC], &stats);
    const double extent = request->culling->static_extent;
    if (stats.outliers > 0 || !acre_aabb_is_finite(&stats.bounds) || !(extent < 1e12)) {
        return false;
    }
    double center[3];
    for (int k = 0; k < 3; k++) {
        center[k] = (double)request->view->eye[k];
    }
    // Whatever is seen lies in the tree's bounds, so that no plane differs by more there than it
    // does at their farthest corner.
    const double corner = farthest_corner(&stats.bounds, center);
    if (!((turn * corner + shift) * LEAST_STEPS <= WIDER * corner)) {
        return false;
    }
    const double farthest = reach(now, extent + WIDER * corner, &stats.bounds, center);
    const double steps =
        WIDER * smaller(corner / (turn * corner + shift), farthest / (turn * farthest + shift));
    if (!(steps >= LEAST_STEPS)) {
        return false; // too fast, or nothing can be seen
    }
    motion->base = *now;
    memcpy(motion->center, center, sizeof center);
    const double factor = smaller(steps, MOST_STEPS);
    motion->turn = turn * factor;
    motion->shift = shift * factor;
    motion->revision = request->culling->static_revision;
    motion->layers = request->volume->query.layers;
    const double wider =
        motion->turn * farthest + motion->shift + 4.0 * rounding(now, center, farthest);
    return ask_widened(motion, request, wider) && motion->edge_count <= motion->asked;
}

// @return whether there was memory.
static bool answer(const view_motion *motion, const motion_request *request)
{
    const size_t most = motion->inner_count + motion->edge_count;
    if (!acre_column_reserve(request->allocator, request->slots, *request->count + most,
                             sizeof(uint32_t))) {
        return false;
    }
    uint32_t *to = (uint32_t *)request->slots->data + *request->count;
    if (motion->inner_count > 0) {
        memcpy(to, motion->inner.data, motion->inner_count * sizeof *to);
        to += motion->inner_count;
    }
    const uint32_t *const edge = motion->edge.data;
    for (size_t first = 0; first < motion->edge_count; first += EDGE_BOXES) {
        const edge_block *const block = (edge_block *)motion->blocks.data + first / EDGE_BOXES;
        float least[EDGE_BOXES];
        least_distances(block->edge[0], &request->volume->frustum, false, least);
        for (size_t row = 0; row < EDGE_BOXES && first + row < motion->edge_count; row++) {
            *to = edge[first + row];
            to += !(least[row] < 0.0f);
        }
    }
    *request->tested += motion->edge_count;
    *request->count = (size_t)(to - (uint32_t *)request->slots->data);
    return true;
}

static bool is_near(const view_motion *motion, const motion_request *request,
                    const unit_planes *now)
{
    if (!motion->is_ready || motion->revision != request->culling->static_revision ||
        motion->layers != request->volume->query.layers || motion->base.count != now->count) {
        return false;
    }
    double turn, shift;
    measure(&motion->base, now, motion->center, &turn, &shift);
    return turn <= motion->turn && shift <= motion->shift;
}

// Whether the last two views are alike enough, and the static tree was left alone, to try.
static bool is_slow(view_motion *motion, const motion_request *request, const unit_planes *now,
                    double *turn, double *shift)
{
    const bool is_like = motion->has_last && motion->last.count == now->count &&
                         motion->revision == request->culling->static_revision;
    motion->revision = request->culling->static_revision;
    if (!is_like) {
        return false;
    }
    const float *const eye = request->view->eye;
    const double center[3] = {(double)eye[0], (double)eye[1], (double)eye[2]};
    measure(&motion->last, now, center, turn, shift);
    return *turn * LEAST_STEPS <= WIDER;
}

static bool find(view_motion *motion, const motion_request *request, const unit_planes *now)
{
    if (is_near(motion, request, now)) {
        return answer(motion, request);
    }
    motion->is_ready = false;
    double turn, shift;
    if (!is_slow(motion, request, now, &turn, &shift)) {
        return false;
    }
    if (motion->wait > 0) {
        motion->wait--;
        return false;
    }
    motion->is_ready = make(motion, request, now, turn, shift);
    if (motion->is_ready) {
        motion->wait = 0;
        motion->next_wait = FIRST_WAIT;
    } else {
        motion->wait = motion->next_wait;
        motion->next_wait *= motion->next_wait < LONGEST_WAIT ? 2 : 1;
    }
    return motion->is_ready && answer(motion, request);
}

bool acre_view_motion_find(view_motion *motion, const motion_request *request)
{
    unit_planes now;
    if (request->culling->tree_counts[TREE_STATIC] < LEAST_ITEMS || request->view->exclude ||
        !make_unit(&request->volume->frustum, &now)) {
        acre_view_motion_clear(motion);
        return false;
    }
    const bool is_found = find(motion, request, &now);
    motion->last = now;
    motion->has_last = true;
    return is_found;
}

void acre_view_motion_clear(view_motion *motion)
{
    motion->has_last = motion->is_ready = false;
    motion->wait = 0;
    motion->next_wait = FIRST_WAIT;
}

void acre_view_motion_free(view_motion *motion, const acre_allocator *allocator)
{
    acre_column_free(allocator, &motion->inner, sizeof(uint32_t));
    acre_column_free(allocator, &motion->edge, sizeof(uint32_t));
    acre_column_free(allocator, &motion->blocks, sizeof(edge_block));
    acre_view_motion_clear(motion);
}
