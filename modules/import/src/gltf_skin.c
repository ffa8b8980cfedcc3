// SPDX-License-Identifier: MIT
// gltf_skin.c - meshes that joints bend: where their points are, and what their bounds must hold.
//
// A point lies between the places where its joints alone would put it. So a mesh stays within the
// spheres that hold, for each joint, the points that it moves. The spheres are taken at the rest
// pose and at every key of every animation. Between two keys a limb may swing outside.
#include "gltf_skin.h"

#include "assert_internal.h"

#include "float_bits.h"

#include <float.h>

typedef enum channel_path { PATH_TRANSLATION, PATH_ROTATION, PATH_SCALE, PATH_COUNT_ } channel_path;
typedef enum channel_form { FORM_LINEAR, FORM_STEP, FORM_CUBIC } channel_form;

/// What moves one part of one node's pose.
typedef struct channel {
    uint32_t node;
    channel_path path;
    channel_form form;
    uint32_t key_count;
    const float *times;  ///< ascending
    const float *values; ///< one of a key, or three: the tangents before and after stand around it
    uint32_t next;       ///< the first key behind the present time
} channel;

struct gltf_motion {
    gltf_motion *next;
    channel *channels;
    uint32_t count;
};

static const uint32_t path_components[PATH_COUNT_] = {3, 4, 3};

static void multiply(const double *a, const double *b, double *out)
{
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 4; row++) {
            double sum = column == 3 ? a[12 + row] : 0.0; // the last row of b is 0 0 0 1
            for (int k = 0; k < 3; k++) {
                sum += a[4 * k + row] * b[4 * column + k];
            }
            out[4 * column + row] = sum;
        }
    }
}

static void transform(const double *matrix, const double *point, double *out)
{
    for (int row = 0; row < 3; row++) {
        out[row] = matrix[row] * point[0] + matrix[4 + row] * point[1] +
                   matrix[8 + row] * point[2] + matrix[12 + row];
    }
}

static void update_worlds(const gltf_file *file, gltf_skins *skins)
{
    for (uint32_t i = 0; i < file->lists[GLTF_NODES].count; i++) {
        const uint32_t node = skins->tree->order[i], parent = skins->tree->parents[node];
        if (!skins->is_bone[node]) {
            continue;
        }
        if (parent == GLTF_NONE) {
            memcpy(skins->worlds[node], skins->locals[node], sizeof skins->worlds[node]);
        } else {
            multiply(skins->worlds[parent], skins->locals[node], skins->worlds[node]);
        }
    }
}

static void widen(const float *matrix, double *out)
{
    for (int i = 0; i < 16; i++) {
        out[i] = (double)matrix[i];
    }
}

/// Marks the joints of all skins, and what stands above them.
static bool mark_bones(gltf_file *file, gltf_skins *skins)
{
    for (uint32_t i = 0; i < file->lists[GLTF_SKINS].count; i++) {
        const gltf_place place = acre_gltf_at("skins[%u].joints", (unsigned)i);
        const cJSON *const joints = acre_gltf_member(acre_gltf_item(file, GLTF_SKINS, i), "joints");
        for (const cJSON *item = joints ? joints->child : NULL; item; item = item->next) {
            uint32_t node;
            if (!acre_gltf_reference(file, place.text, item, GLTF_NODES, &node)) {
                return false;
            }
            for (; node != GLTF_NONE && !skins->is_bone[node]; node = skins->tree->parents[node]) {
                skins->is_bone[node] = true;
            }
        }
    }
    return true;
}

// ---- animations ----

static float *read_all(gltf_file *file, const char *place, const gltf_accessor *accessor)
{
    if (!acre_gltf_spend(file, place, accessor->count, 4 * (size_t)accessor->components)) {
        return NULL;
    }
    float *const numbers =
        acre_gltf_take(file, accessor->count, accessor->components * sizeof *numbers);
    if (numbers == NULL) {
        return NULL;
    }
    acre_gltf_read_floats(accessor, numbers);
    for (uint32_t i = 0; i < accessor->count; i++) {
        const size_t first = (size_t)i * accessor->components;
        if (!floats_are_finite(numbers + first, (int)accessor->components)) {
            acre_gltf_refuse(file, place, "element %u is not finite", (unsigned)i);
            return NULL;
        }
    }
    return numbers;
}

static channel_form form_of(const cJSON *sampler)
{
    const char *const name = acre_gltf_text(sampler, "interpolation");
    return name == NULL                       ? FORM_LINEAR
           : strcmp(name, "STEP") == 0        ? FORM_STEP
           : strcmp(name, "CUBICSPLINE") == 0 ? FORM_CUBIC
                                              : FORM_LINEAR;
}

static bool read_sampler(gltf_file *file, const char *place, const cJSON *sampler, channel *out)
{
    gltf_accessor times, values;
    if (!acre_gltf_find_accessor(file, place, acre_gltf_member(sampler, "input"), &times) ||
        !acre_gltf_find_accessor(file, place, acre_gltf_member(sampler, "output"), &values)) {
        return false;
    }
    out->form = form_of(sampler);
    const uint64_t expected = (uint64_t)times.count * (out->form == FORM_CUBIC ? 3 : 1);
    if (times.components != 1 || values.components != path_components[out->path] ||
        values.count != expected || values.count > INT32_MAX / 16) {
        return acre_gltf_refuse(file, place, "its keys do not fit its values");
    }
    out->key_count = times.count;
    out->times = read_all(file, place, &times);
    out->values = out->times != NULL ? read_all(file, place, &values) : NULL;
    for (uint32_t i = 1; out->values != NULL && i < out->key_count; i++) {
        if (!(out->times[i] > out->times[i - 1])) {
            return acre_gltf_refuse(file, place, "key %u is no later than the one before",
                                    (unsigned)i);
        }
    }
    return out->values != NULL;
}

/// Reads a channel if it moves a bone. @param out with a key_count of 0 if it does not
static bool read_channel(gltf_file *file, const gltf_skins *skins, const char *place,
                         const cJSON *json, const cJSON *samplers, channel *out)
{
    static const char *const paths[PATH_COUNT_] = {"translation", "rotation", "scale"};
    const cJSON *const target = acre_gltf_member(json, "target");
    const char *const path = acre_gltf_text(target, "path");
    uint64_t sampler;
    *out = (channel){.path = PATH_COUNT_};
    if (!acre_gltf_reference(file, place, acre_gltf_member(target, "node"), GLTF_NODES,
                             &out->node) ||
        !acre_gltf_number(file, place, json, "sampler", UINT32_MAX, &sampler)) {
        return false;
    }
    for (int i = 0; path != NULL && i < PATH_COUNT_; i++) {
        out->path = strcmp(paths[i], path) == 0 ? (channel_path)i : out->path;
    }
    if (out->node == GLTF_NONE || out->path == PATH_COUNT_ || !skins->is_bone[out->node]) {
        return true;
    }
    const cJSON *const found =
        sampler < INT32_MAX ? cJSON_GetArrayItem(samplers, (int)sampler) : NULL;
    if (found == NULL) {
        return acre_gltf_refuse(file, place, "it has no sampler");
    }
    return read_sampler(file, place, found, out);
}

static bool read_motion(gltf_file *file, gltf_skins *skins, uint32_t number)
{
    const cJSON *const json = acre_gltf_item(file, GLTF_ANIMATIONS, number);
    const cJSON *const channels = acre_gltf_member(json, "channels");
    const cJSON *const samplers = acre_gltf_member(json, "samplers");
    const int count = cJSON_GetArraySize(channels);
    // A sampler is found by walking its list.
    const gltf_place whole = acre_gltf_at("animations[%u]", (unsigned)number);
    if (!acre_gltf_spend(file, whole.text, (uint64_t)count * (uint64_t)cJSON_GetArraySize(samplers),
                         1)) {
        return false;
    }
    gltf_motion *const motion = acre_gltf_take(file, 1, sizeof *motion);
    channel *const all = acre_gltf_take(file, (uint64_t)count, sizeof *all);
    if (motion == NULL || all == NULL) {
        return false;
    }
    *motion = (gltf_motion){.next = skins->motions, .channels = all};
    unsigned at = 0;
    for (const cJSON *item = channels ? channels->child : NULL; item; item = item->next) {
        const gltf_place place =
            acre_gltf_at("animations[%u].channels[%u]", (unsigned)number, at++);
        channel *const to = &all[motion->count];
        if (!read_channel(file, skins, place.text, item, samplers, to)) {
            return false;
        }
        motion->count += to->key_count > 0;
    }
    skins->motions = motion;
    return true;
}

/// Halfway between two rotations, on the shorter way.
static void halve(const double *a, const double *b, double *out)
{
    double square = 0.0, dot = 0.0;
    for (int i = 0; i < 4; i++) {
        dot += a[i] * b[i];
    }
    for (int i = 0; i < 4; i++) {
        out[i] = dot < 0.0 ? a[i] - b[i] : a[i] + b[i];
        square += out[i] * out[i];
    }
    for (int i = 0; i < 4; i++) {
        out[i] = square > 0.0 ? out[i] / sqrt(square) : a[i];
    }
}

static void normalize(const float *from, double *out)
{
    double square = 0.0;
    for (int i = 0; i < 4; i++) {
        square += (double)from[i] * (double)from[i];
    }
    for (int i = 0; i < 4; i++) {
        out[i] = square > 0.0 ? (double)from[i] / sqrt(square) : (double)from[i];
    }
}

/// A rotation between two others, at an even pace. Halving needs no sine, so that it comes out the
/// same with every C library.
static void turn_between(const float *from, const float *to, double share, float *out)
{
    double a[4], b[4], middle[4];
    normalize(from, a);
    normalize(to, b);
    for (int step = 0; step < 24; step++) {
        halve(a, b, middle);
        const bool is_behind = share >= 0.5;
        memcpy(is_behind ? a : b, middle, sizeof middle);
        share = is_behind ? 2.0 * share - 1.0 : 2.0 * share;
    }
    for (int i = 0; i < 4; i++) {
        out[i] = (float)a[i];
    }
}

/// A cubic spline between two keys. @param at values, with tangents around them
static void spline_between(const channel *from, uint32_t key, double share, float *out)
{
    const uint32_t n = path_components[from->path];
    const double width = (double)from->times[key + 1] - (double)from->times[key];
    const double t = share, tt = t * t, ttt = tt * t;
    const float *const at = from->values + 3 * (size_t)n * key;
    for (uint32_t i = 0; i < n; i++) {
        const double value = (double)at[n + i], leaves = (double)at[2 * n + i];
        const double arrives = (double)at[3 * n + i], next = (double)at[4 * n + i];
        out[i] =
            (float)((2.0 * ttt - 3.0 * tt + 1.0) * value + width * (ttt - 2.0 * tt + t) * leaves +
                    (3.0 * tt - 2.0 * ttt) * next + width * (ttt - tt) * arrives);
    }
}

/// What a channel says at a time. Before the first key and behind the last one it says the same as
/// there.
static void value_at(const channel *from, float time, float *out)
{
    const uint32_t n = path_components[from->path];
    const uint32_t key = from->next > 0 ? from->next - 1 : 0;
    const bool is_cubic = from->form == FORM_CUBIC;
    const float *const value = from->values + (is_cubic ? 3 * (size_t)key + 1 : key) * n;
    memcpy(out, value, n * sizeof *out);
    if (from->next == 0 || from->next == from->key_count || from->form == FORM_STEP ||
        time == from->times[key]) {
        return;
    }
    const double share = ((double)time - (double)from->times[key]) /
                         ((double)from->times[key + 1] - (double)from->times[key]);
    if (is_cubic) {
        spline_between(from, key, share, out);
    } else if (from->path == PATH_ROTATION) {
        turn_between(value, value + 4, share, out);
    } else {
        for (uint32_t i = 0; i < n; i++) {
            out[i] = (float)((double)value[i] + share * ((double)value[n + i] - (double)value[i]));
        }
    }
}

/// Moves an animation to its next key. @return false: there is none
static bool next_key(gltf_motion *motion, float *time)
{
    float first = FLT_MAX;
    bool is_there = false;
    for (uint32_t i = 0; i < motion->count; i++) {
        const channel *const at = &motion->channels[i];
        if (at->next < at->key_count && at->times[at->next] <= first) {
            first = at->times[at->next];
            is_there = true;
        }
    }
    for (uint32_t i = 0; i < motion->count; i++) {
        channel *const at = &motion->channels[i];
        while (at->next < at->key_count && at->times[at->next] <= first) {
            at->next++;
        }
    }
    *time = first;
    return is_there;
}

/// Poses the bones as an animation does at its present key.
static bool pose_bones(gltf_file *file, gltf_skins *skins, const gltf_motion *motion, float time)
{
    for (uint32_t i = 0; i < motion->count; i++) {
        const channel *const from = &motion->channels[i];
        gltf_pose *const pose = &skins->poses[from->node];
        value_at(from, time,
                 from->path == PATH_TRANSLATION ? pose->translation
                 : from->path == PATH_ROTATION  ? pose->rotation
                                                : pose->scale);
    }
    for (uint32_t i = 0; i < motion->count; i++) {
        const uint32_t node = motion->channels[i].node;
        const gltf_pose *const pose = &skins->poses[node];
        float matrix[16];
        if (!acre_gltf_compose(pose->translation, pose->rotation, pose->scale, matrix)) {
            return acre_gltf_refuse(file, "animations", "a rotation of nodes[%u] has no length",
                                    (unsigned)node);
        }
        widen(matrix, skins->locals[node]);
    }
    update_worlds(file, skins);
    return true;
}

/// Back to the rest pose, where an animation has moved the bones.
static void rest_bones(const gltf_file *file, gltf_skins *skins, const gltf_motion *motion)
{
    for (uint32_t i = 0; i < motion->count; i++) {
        channel *const at = &motion->channels[i];
        at->next = 0;
        skins->poses[at->node] = skins->rest_poses[at->node];
        memcpy(skins->locals[at->node], skins->rest_locals[at->node],
               sizeof skins->locals[at->node]);
    }
    update_worlds(file, skins);
}

// ---- skins ----

static bool read_rest(gltf_file *file, gltf_skins *skins)
{
    for (uint32_t i = 0; i < file->lists[GLTF_NODES].count; i++) {
        float matrix[16];
        if (!acre_gltf_read_local(file, i, &skins->rest_poses[i], matrix)) {
            return false;
        }
        skins->poses[i] = skins->rest_poses[i];
        widen(matrix, skins->rest_locals[i]);
        widen(matrix, skins->locals[i]);
    }
    update_worlds(file, skins);
    return true;
}

bool acre_gltf_read_skins(gltf_file *file, const gltf_tree *tree, gltf_skins *skins)
{
    *skins = (gltf_skins){.tree = tree};
    if (file->lists[GLTF_SKINS].count == 0) {
        return true;
    }
    const uint32_t count = file->lists[GLTF_NODES].count;
    skins->rest_poses = acre_gltf_take(file, count, sizeof *skins->rest_poses);
    skins->rest_locals = acre_gltf_take(file, count, sizeof *skins->rest_locals);
    skins->poses = acre_gltf_take(file, count, sizeof *skins->poses);
    skins->locals = acre_gltf_take(file, count, sizeof *skins->locals);
    skins->worlds = acre_gltf_take(file, count, sizeof *skins->worlds);
    skins->is_bone = acre_gltf_take(file, count, sizeof *skins->is_bone);
    if (file->result != ACRE_OK || !mark_bones(file, skins) || !read_rest(file, skins)) {
        return false;
    }
    for (uint32_t i = 0; i < file->lists[GLTF_ANIMATIONS].count; i++) {
        if (!read_motion(file, skins, i)) {
            return false;
        }
    }
    return true;
}

static bool read_inverse_binds(gltf_file *file, const char *place, const cJSON *json,
                               gltf_skin *skin)
{
    gltf_accessor accessor;
    if (json == NULL) { // the joints' coordinates are the mesh's
        for (uint32_t i = 0; i < 16 * skin->count; i++) {
            skin->joints[i / 16].inverse_bind[i % 16] = i % 16 % 5 == 0 ? 1.0 : 0.0;
        }
        return true;
    }
    if (!acre_gltf_find_accessor(file, place, json, &accessor)) {
        return false;
    }
    if (accessor.components != 16 || accessor.type != GLTF_FLOAT || accessor.count < skin->count) {
        return acre_gltf_refuse(file, place, "its inverseBindMatrices are not one for each joint");
    }
    float *const numbers = read_all(file, place, &accessor);
    if (numbers == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < skin->count; i++) {
        acre_import_settle_matrix(numbers + 16 * (size_t)i);
        widen(numbers + 16 * (size_t)i, skin->joints[i].inverse_bind);
    }
    return true;
}

bool acre_gltf_open_skin(gltf_file *file, uint32_t number, gltf_skin *skin)
{
    const gltf_place place = acre_gltf_at("skins[%u]", (unsigned)number);
    const cJSON *const json = acre_gltf_item(file, GLTF_SKINS, number);
    const cJSON *const joints = acre_gltf_member(json, "joints");
    skin->count = (uint32_t)cJSON_GetArraySize(joints);
    if (!acre_gltf_spend(file, place.text, skin->count, sizeof *skin->joints)) {
        return false;
    }
    skin->joints = acre_gltf_take(file, skin->count, sizeof *skin->joints);
    if (skin->joints == NULL) {
        return false;
    }
    gltf_joint *joint = skin->joints;
    for (const cJSON *item = joints ? joints->child : NULL; item; item = item->next, joint++) {
        joint->node = (uint32_t)item->valuedouble; // mark_bones has checked it
        for (int axis = 0; axis < 3; axis++) {
            joint->low[axis] = DBL_MAX;
            joint->high[axis] = -DBL_MAX;
        }
    }
    return read_inverse_binds(file, place.text, acre_gltf_member(json, "inverseBindMatrices"),
                              skin);
}

/// Four joints of each point, with their weights.
typedef struct weight_set {
    uint32_t *joints;
    float *weights;
} weight_set;

/// @param set receives NULL where the primitive has no set of this number
static bool read_weights(gltf_file *file, const char *place, const cJSON *primitive, int number,
                         uint32_t count, weight_set *set)
{
    char name[24];
    *set = (weight_set){NULL, NULL};
    const cJSON *const attributes = acre_gltf_member(primitive, "attributes");
    snprintf(name, sizeof name, "JOINTS_%d", number);
    const cJSON *const joints = acre_gltf_member(attributes, name);
    snprintf(name, sizeof name, "WEIGHTS_%d", number);
    const cJSON *const weights = acre_gltf_member(attributes, name);
    if (joints == NULL || weights == NULL) {
        return number > 0 ||
               acre_gltf_refuse(file, place, "it has no JOINTS_0 or WEIGHTS_0 for its skin");
    }
    gltf_accessor of_joints, of_weights;
    if (!acre_gltf_find_accessor(file, place, joints, &of_joints) ||
        !acre_gltf_find_accessor(file, place, weights, &of_weights) ||
        !acre_gltf_spend(file, place, count, 16)) {
        return false;
    }
    if (of_joints.components != 4 || of_weights.components != 4 || of_joints.count != count ||
        of_weights.count != count || !acre_gltf_is_unsigned(&of_joints)) {
        return acre_gltf_refuse(file, place, "its joints and weights do not fit its positions");
    }
    set->joints = acre_gltf_take(file, count, 4 * sizeof *set->joints);
    set->weights = read_all(file, place, &of_weights);
    if (set->joints == NULL || set->weights == NULL) {
        return false;
    }
    acre_gltf_read_numbers(&of_joints, set->joints);
    return true;
}

/// Adds what a joint makes of a point to sums[0..2], and its weight to sums[3].
static void move_point(const gltf_skins *skins, gltf_joint *joint, const float *point,
                       double weight, double sums[4])
{
    const double from[3] = {(double)point[0], (double)point[1], (double)point[2]};
    double own[3], world[3];
    transform(joint->inverse_bind, from, own);
    transform(skins->worlds[joint->node], own, world);
    for (int axis = 0; axis < 3; axis++) {
        joint->low[axis] = own[axis] < joint->low[axis] ? own[axis] : joint->low[axis];
        joint->high[axis] = own[axis] > joint->high[axis] ? own[axis] : joint->high[axis];
        sums[axis] += weight * world[axis];
    }
    sums[3] += weight;
}

bool acre_gltf_skin_points(gltf_file *file, const gltf_skins *skins, gltf_skin *skin,
                           const char *place, const cJSON *primitive, float *points, uint32_t count)
{
    if (!acre_gltf_spend(file, place, count, 32)) {
        return false;
    }
    double(*const sums)[4] = acre_gltf_take(file, count, sizeof *sums);
    if (sums == NULL) {
        return false;
    }
    for (int number = 0;; number++) {
        weight_set set;
        if (!read_weights(file, place, primitive, number, count, &set)) {
            return false;
        }
        if (set.joints == NULL) {
            break;
        }
        for (size_t i = 0; i < 4 * (size_t)count; i++) {
            if (!(set.weights[i] > 0.0f)) {
                continue;
            }
            if (set.joints[i] >= skin->count) {
                return acre_gltf_refuse(file, place, "point %zu has joint %lu of %lu", i / 4,
                                        (unsigned long)set.joints[i], (unsigned long)skin->count);
            }
            move_point(skins, &skin->joints[set.joints[i]], points + i / 4 * 3,
                       (double)set.weights[i], sums[i / 4]);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        float *const point = points + 3 * (size_t)i;
        for (int axis = 0; axis < 3; axis++) {
            point[axis] = (float)(sums[i][axis] / sums[i][3]); // weights need not add up to 1
        }
        if (!floats_are_finite(point, 3)) {
            return acre_gltf_refuse(file, place, "point %u has no place in its skin", (unsigned)i);
        }
    }
    return true;
}

/// Adds the spheres around what the joints move, as the bones stand now. @return false: a sphere
/// is beyond all numbers
static bool add_spheres(const gltf_skins *skins, const gltf_skin *skin, double low[3],
                        double high[3])
{
    for (uint32_t i = 0; i < skin->count; i++) {
        const gltf_joint *const joint = &skin->joints[i];
        if (joint->low[0] > joint->high[0]) {
            continue;
        }
        const double *const world = skins->worlds[joint->node];
        double middle[3], center[3], square = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            const double half = 0.5 * (joint->high[axis] - joint->low[axis]);
            middle[axis] = joint->low[axis] + half;
            square += half * half;
        }
        transform(world, middle, center);
        for (int row = 0; row < 3; row++) {
            // How far a sphere of radius 1 reaches along an axis, once the matrix has stretched it.
            const double stretch = world[row] * world[row] + world[4 + row] * world[4 + row] +
                                   world[8 + row] * world[8 + row];
            const double reach = sqrt(square * stretch);
            if (!(fabs(center[row]) + reach < (double)FLT_MAX)) {
                return false;
            }
            low[row] = center[row] - reach < low[row] ? center[row] - reach : low[row];
            high[row] = center[row] + reach > high[row] ? center[row] + reach : high[row];
        }
    }
    return true;
}

bool acre_gltf_skin_reach(gltf_file *file, gltf_skins *skins, const gltf_skin *skin, acre_aabb *out)
{
    double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
    bool is_finite = add_spheres(skins, skin, low, high);
    for (gltf_motion *motion = skins->motions; motion != NULL; motion = motion->next) {
        float time;
        while (is_finite && next_key(motion, &time)) {
            // Work that a small file must not ask for without end.
            const uint64_t work =
                (uint64_t)file->lists[GLTF_NODES].count + skin->count + motion->count;
            if (!acre_gltf_spend(file, "animations", work, 1) ||
                !pose_bones(file, skins, motion, time)) {
                return false;
            }
            is_finite = add_spheres(skins, skin, low, high);
        }
        rest_bones(file, skins, motion);
    }
    if (!is_finite) {
        return acre_gltf_refuse(file, "skins", "a joint moves points beyond all floats");
    }
    for (int axis = 0; low[0] <= high[0] && axis < 3; axis++) {
        // Matrices are rounded to floats.
        const double margin = 1e-6 * (fabs(low[axis]) + fabs(high[axis]));
        out->min[axis] = float_round_down(low[axis] - margin);
        out->max[axis] = -float_round_down(-high[axis] - margin);
    }
    return true;
}
