// SPDX-License-Identifier: MIT
// gltf_skin.c - meshes that joints bend: where their points are, and what their bounds must hold.
//
// A point lies between the places where its joints alone would put it. So a mesh stays within the
// spheres that hold, for each joint, the points that it moves. The spheres are taken at the rest
// pose and at every key of every animation. Between two keys a limb may swing outside.
#include "assert_internal.h"
#include "gltf_internal.h"

#include "float_bits.h"

#include <float.h>

/// What moves one part of one node's pose.
typedef struct channel {
    uint32_t node;
    uint32_t start,
        width; ///< of the part, which has 4 numbers for a rotation, or 3; 0: none of them
    bool is_step, is_cubic;
    uint32_t key_count;
    const float *times;  ///< ascending
    const float *values; ///< one of a key, or three: the tangents before and after stand around it
    uint32_t next;       ///< the first key behind the present time
} channel;

typedef struct motion {
    channel *channels;
    uint32_t count;
} motion;

/// Low above high: it holds nothing.
typedef struct gltf_box {
    double low[3], high[3];
} gltf_box;

/// A joint, in coordinates of its own.
typedef struct gltf_joint {
    uint32_t node;
    double inverse_bind[16]; ///< from the mesh's coordinates
    gltf_box box;            ///< of the points that it moves
} gltf_joint;

typedef struct gltf_skin {
    struct gltf_skin *next;
    gltf_joint *joints;
    uint32_t count;
    gltf_box box;          ///< what its spheres have reached so far
    gltf_variant *variant; ///< where that goes in the end
} gltf_skin;

static const gltf_box nothing = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};

static void stretch(gltf_box *box, int axis, double low, double high)
{
    box->low[axis] = fmin(box->low[axis], low);
    box->high[axis] = fmax(box->high[axis], high);
}

static void transform(const double *matrix, const double *point, double *out)
{
    for (int row = 0; row < 3; row++) {
        out[row] = matrix[row] * point[0] + matrix[4 + row] * point[1] +
                   matrix[8 + row] * point[2] + matrix[12 + row];
    }
}

static void update_worlds(gltf_file *file)
{
    for (uint32_t at = 0; at < file->met_count; at++) {
        const uint32_t node = file->order[at], parent = file->nodes[node].parent;
        const float *const local = file->moved[node].matrix;
        double *const world = file->worlds[node];
        for (int i = 0; i < 16; i++) {
            const int row = i % 4, column = i - row;
            world[i] = (double)local[i];
            if (parent != GLTF_NONE && row < 3) { // the last rows are 0 0 0 1
                const double *const outer = file->worlds[parent];
                world[i] = (column == 12 ? outer[12 + row] : 0.0) +
                           outer[row] * (double)local[column] +
                           outer[4 + row] * (double)local[column + 1] +
                           outer[8 + row] * (double)local[column + 2];
            }
        }
    }
}

// ---- animations ----

static void read_sampler(gltf_file *file, const cJSON *sampler, channel *out)
{
    const char *const form = acre_gltf_text(file, sampler, "interpolation");
    out->is_step = form != NULL && strcmp(form, "STEP") == 0;
    out->is_cubic = form != NULL && strcmp(form, "CUBICSPLINE") == 0;
    uint32_t keys = GLTF_NONE;
    out->times = acre_gltf_take_elements(file, sampler, "input", 1, GLTF_FLOATS, &keys);
    uint32_t values = out->is_cubic ? 3 * keys : keys;
    out->values =
        acre_gltf_take_elements(file, sampler, "output", out->width, GLTF_FLOATS, &values);
    for (uint32_t i = 1; out->values != NULL && i < keys; i++) {
        if (!(out->times[i] > out->times[i - 1])) {
            acre_gltf_refuse(file, "key %u is no later than the one before", (unsigned)i);
        }
    }
    out->key_count = file->result == ACRE_OK ? keys : 0;
}

/// @return whether the channel moves a node
static bool read_channel(gltf_file *file, const cJSON *json, const cJSON *animation, channel *out)
{
    static const char *const paths[3] = {"translation", "rotation", "scale"};
    const cJSON *const target = acre_gltf_member(file, json, "target");
    const char *const path = acre_gltf_text(file, target, "path");
    *out = (channel){.width = 0};
    out->node = acre_gltf_link(file, target, "node", GLTF_NODES);
    for (int i = 0; path != NULL && i < 3; i++) {
        if (strcmp(paths[i], path) == 0) {
            out->start = gltf_part_starts[i];
            out->width = gltf_part_starts[i + 1] - out->start;
        }
    }
    uint64_t left = acre_gltf_number(file, json, "sampler");
    const cJSON *sampler = acre_gltf_first(file, animation, "samplers");
    while (sampler != NULL && left > 0 && acre_gltf_spend(file, 1, 1)) { // a long way costs
        sampler = sampler->next;
        left--;
    }
    if (sampler == NULL) {
        acre_gltf_refuse(file, "it has no sampler");
    }
    if (out->node == GLTF_NONE || out->width == 0 || file->result != ACRE_OK) {
        return false;
    }
    read_sampler(file, sampler, out);
    return out->key_count > 0;
}

static motion read_motion(gltf_file *file, uint32_t number)
{
    const cJSON *const json = acre_gltf_item(file, GLTF_ANIMATIONS, number);
    acre_gltf_at(file, "animations[%u]", (unsigned)number);
    const cJSON *item = acre_gltf_first(file, json, "channels");
    const int most = cJSON_GetArraySize(acre_gltf_member(file, json, "channels"));
    motion made = {.channels = acre_gltf_take(file, (uint64_t)most, sizeof *made.channels)};
    for (unsigned at = 0; item != NULL && file->result == ACRE_OK; item = item->next) {
        acre_gltf_at(file, "animations[%u].channels[%u]", (unsigned)number, at++);
        made.count += read_channel(file, item, json, &made.channels[made.count]);
    }
    return made;
}

/// A rotation between two others, at an even pace: by halving the way, which needs no sine, so that
/// it comes out the same with every C library.
static void turn_between(const float *from, const float *to, double share, float *out)
{
    double ends[2][4];
    for (int i = 0; i < 4; i++) {
        ends[0][i] = (double)from[i];
        ends[1][i] = (double)to[i];
    }
    for (int step = 0; step < 24; step++) {
        double dot = 0.0, squares[2] = {0.0, 0.0};
        for (int i = 0; i < 4; i++) {
            dot += ends[0][i] * ends[1][i];
            squares[0] += ends[0][i] * ends[0][i];
            squares[1] += ends[1][i] * ends[1][i];
        }
        const double scale = (dot < 0.0 ? -1.0 : 1.0) * sqrt(squares[0] / squares[1]);
        const int end = share >= 0.5 ? 0 : 1;
        for (int i = 0; i < 4; i++) {
            ends[end][i] = ends[0][i] + scale * ends[1][i]; // on the shorter way
        }
        share = end == 0 ? 2.0 * share - 1.0 : 2.0 * share;
    }
    for (int i = 0; i < 4; i++) {
        out[i] = (float)ends[0][i];
    }
}

/// One number of a cubic spline. @param at a key's value, with its tangents around it
static double spline_between(const float *at, uint32_t width, double step, double t)
{
    const double tt = t * t, ttt = tt * t;
    return (2.0 * ttt - 3.0 * tt + 1.0) * (double)at[0] +
           step * (ttt - 2.0 * tt + t) * (double)at[width] +
           step * (ttt - tt) * (double)at[2 * width] +
           (3.0 * tt - 2.0 * ttt) * (double)at[3 * width];
}

/// What a channel says at a time. Before the first key and behind the last one it says the same as
/// there.
static void value_at(const channel *from, float time, float *out)
{
    const uint32_t width = from->width, key = from->next > 0 ? from->next - 1 : 0;
    const float *const value = from->values + (from->is_cubic ? 3 * (size_t)key + 1 : key) * width;
    memcpy(out, value, width * sizeof *out);
    if (from->next == 0 || from->next == from->key_count || from->is_step ||
        time == from->times[key]) {
        return;
    }
    const double step = (double)from->times[key + 1] - (double)from->times[key];
    const double share = ((double)time - (double)from->times[key]) / step;
    if (width == 4 && !from->is_cubic) {
        turn_between(value, value + 4, share, out);
        return;
    }
    for (uint32_t i = 0; i < width; i++) {
        const double way = (double)value[width + i] - (double)value[i];
        out[i] = (float)(from->is_cubic ? spline_between(value + i, width, step, share)
                                        : (double)value[i] + share * way);
    }
}

/// Moves an animation to its next key. @return false: there is none
static bool next_key(motion *moving, float *time)
{
    bool is_there = false;
    for (uint32_t i = 0; i < moving->count; i++) {
        const channel *const at = &moving->channels[i];
        if (at->next < at->key_count && (!is_there || at->times[at->next] < *time)) {
            *time = at->times[at->next];
            is_there = true;
        }
    }
    for (uint32_t i = 0; i < moving->count; i++) {
        channel *const at = &moving->channels[i];
        at->next += at->next < at->key_count && at->times[at->next] == *time;
    }
    return is_there;
}

/// Poses the nodes as an animation does at its present key.
static void pose_nodes(gltf_file *file, const motion *moving, float time)
{
    for (uint32_t i = 0; i < moving->count; i++) {
        const channel *const from = &moving->channels[i];
        value_at(from, time, file->moved[from->node].parts + from->start);
    }
    for (uint32_t i = 0; i < moving->count; i++) {
        acre_gltf_compose(file, &file->moved[moving->channels[i].node]);
    }
    update_worlds(file);
}

// ---- skins ----

static void rest(gltf_file *file)
{
    memcpy(file->moved, file->poses, file->met_count * sizeof *file->moved);
    update_worlds(file);
}

static void read_joints(gltf_file *file, const cJSON *json, gltf_skin *skin)
{
    const cJSON *item = acre_gltf_first(file, json, "joints");
    const bool has_binds = acre_gltf_member(file, json, "inverseBindMatrices") != NULL;
    uint32_t bind_count = has_binds ? GLTF_NONE : skin->count;
    float *matrix = has_binds ? acre_gltf_take_elements(file, json, "inverseBindMatrices", 16,
                                                        GLTF_FLOATS, &bind_count)
                              : NULL;
    if (bind_count < skin->count) {
        acre_gltf_refuse(file, "its inverseBindMatrices are fewer than its joints");
    }
    for (uint32_t i = 0; file->result == ACRE_OK && i < skin->count; i++, item = item->next) {
        gltf_joint *const joint = &skin->joints[i];
        joint->box = nothing;
        joint->node = acre_gltf_reference(file, item, GLTF_NODES);
        for (int k = 0; k < 16; k += 5) {
            joint->inverse_bind[k] = 1.0;
        }
        if (matrix != NULL) {
            acre_import_settle_matrix(matrix);
            for (int k = 0; k < 16; k++) {
                joint->inverse_bind[k] = (double)*matrix++;
            }
        }
    }
}

gltf_skin *acre_gltf_open_skin(gltf_file *file, gltf_variant *variant)
{
    const uint32_t nodes = file->lists[GLTF_NODES].count;
    const uint32_t number = file->nodes[variant->node].skin;
    const cJSON *const json = acre_gltf_item(file, GLTF_SKINS, number);
    if (file->worlds == NULL) {
        file->moved = acre_gltf_take(file, nodes, sizeof *file->moved);
        file->worlds = acre_gltf_take(file, nodes, sizeof *file->worlds);
        if (file->worlds != NULL) {
            rest(file);
        }
    }
    acre_gltf_at(file, "skins[%u]", (unsigned)number);
    const int count = cJSON_GetArraySize(acre_gltf_member(file, json, "joints"));
    gltf_joint *const joints = acre_gltf_take(file, (uint32_t)count, sizeof *joints);
    gltf_skin *const skin = acre_gltf_take(file, 1, sizeof *skin);
    if (skin == NULL) {
        return NULL;
    }
    *skin = (gltf_skin){file->skins, joints, (uint32_t)count, nothing, variant};
    read_joints(file, json, skin);
    file->skins = skin;
    return skin;
}

/// Adds what a joint makes of a point to sums[0..2], and its weight to sums[3].
static void move_point(const gltf_file *file, gltf_joint *joint, const float *point, double weight,
                       double sums[4])
{
    const double from[3] = {(double)point[0], (double)point[1], (double)point[2]};
    double own[3], world[3];
    transform(joint->inverse_bind, from, own);
    transform(file->worlds[joint->node], own, world);
    for (int axis = 0; axis < 3; axis++) {
        stretch(&joint->box, axis, own[axis], own[axis]);
        sums[axis] += weight * world[axis];
    }
    sums[3] += weight;
}

/// Adds what a set of four joints for each point does. @return false: there is no such set
static bool add_set(gltf_file *file, gltf_skin *skin, const cJSON *attributes, int set,
                    const float *points, uint32_t count, double (*sums)[4])
{
    char names[2][24];
    snprintf(names[0], sizeof names[0], "JOINTS_%d", set);
    snprintf(names[1], sizeof names[1], "WEIGHTS_%d", set);
    if (set > 0 && (acre_gltf_member(file, attributes, names[0]) == NULL ||
                    acre_gltf_member(file, attributes, names[1]) == NULL)) {
        return false;
    }
    const uint32_t *const numbers =
        acre_gltf_take_elements(file, attributes, names[0], 4, GLTF_NUMBERS, &count);
    const float *const weights =
        acre_gltf_take_elements(file, attributes, names[1], 4, GLTF_FLOATS, &count);
    for (size_t i = 0; file->result == ACRE_OK && i < 4 * (size_t)count; i++) {
        if (weights[i] > 0.0f && numbers[i] >= skin->count) {
            acre_gltf_refuse(file, "point %zu has joint %lu of %lu", i / 4,
                             (unsigned long)numbers[i], (unsigned long)skin->count);
        } else if (weights[i] > 0.0f) {
            move_point(file, &skin->joints[numbers[i]], points + i / 4 * 3, (double)weights[i],
                       sums[i / 4]);
        }
    }
    return file->result == ACRE_OK;
}

void acre_gltf_bend(gltf_file *file, gltf_skin *skin, const cJSON *attributes, float *points,
                    uint32_t count)
{
    double(*const sums)[4] = acre_gltf_take(file, count, sizeof *sums);
    int set = 0;
    while (sums != NULL && add_set(file, skin, attributes, set, points, count, sums)) {
        set++;
    }
    for (uint32_t i = 0; file->result == ACRE_OK && i < count; i++) {
        if (!(sums[i][3] > 0.0)) {
            acre_gltf_refuse(file, "point %u has no weight", (unsigned)i);
        }
        for (int axis = 0; axis < 3; axis++) { // weights need not add up to 1
            points[3 * (size_t)i + (size_t)axis] = (float)(sums[i][axis] / sums[i][3]);
        }
    }
}

/// Adds the spheres around what the joints move, as the nodes stand now.
static void add_spheres(gltf_file *file, gltf_skin *skin)
{
    for (uint32_t i = 0; i < skin->count; i++) {
        const gltf_joint *const joint = &skin->joints[i];
        const double *const world = file->worlds[joint->node];
        double middle[3], center[3], square = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            const double half = 0.5 * (joint->box.high[axis] - joint->box.low[axis]);
            middle[axis] = joint->box.low[axis] + half;
            square += half * half;
        }
        transform(world, middle, center);
        for (int row = 0; row < 3 && joint->box.low[0] <= joint->box.high[0]; row++) {
            // How far a sphere of radius 1 reaches along an axis, once the matrix has stretched it.
            const double reach =
                sqrt(square * (world[row] * world[row] + world[4 + row] * world[4 + row] +
                               world[8 + row] * world[8 + row]));
            if (!(fabs(center[row]) + reach < 0.999 * (double)FLT_MAX)) { // room for the margin
                acre_gltf_refuse(file, "a joint moves points beyond all floats");
            }
            stretch(&skin->box, row, center[row] - reach, center[row] + reach);
        }
    }
}

/// @return what that costs, in numbers read
static uint64_t add_all_spheres(gltf_file *file)
{
    uint64_t work = 0;
    for (gltf_skin *skin = file->skins; skin != NULL; skin = skin->next) {
        add_spheres(file, skin);
        work += skin->count;
    }
    return work;
}

void acre_gltf_reach(gltf_file *file)
{
    const uint64_t spheres = file->result == ACRE_OK ? add_all_spheres(file) : 0;
    for (uint32_t i = 0; file->skins != NULL && i < file->lists[GLTF_ANIMATIONS].count; i++) {
        motion moving = read_motion(file, i);
        float time = 0.0f;
        // Work that a small file must not ask for without end.
        const uint64_t work = spheres + file->met_count + moving.count;
        while (file->result == ACRE_OK && next_key(&moving, &time) &&
               acre_gltf_spend(file, work, 1)) {
            pose_nodes(file, &moving, time);
            add_all_spheres(file);
        }
        if (file->result != ACRE_OK || !acre_gltf_spend(file, work, 1)) {
            return;
        }
        rest(file);
    }
    for (gltf_skin *skin = file->skins; skin != NULL; skin = skin->next) {
        for (int axis = 0; axis < 3 && skin->box.low[0] <= skin->box.high[0]; axis++) {
            const double low = skin->box.low[axis], high = skin->box.high[axis];
            const double margin = 1e-6 * (fabs(low) + fabs(high)); // matrices are rounded to floats
            skin->variant->reach.min[axis] = float_round_down(low - margin);
            skin->variant->reach.max[axis] = float_round_up(high + margin);
        }
    }
}
