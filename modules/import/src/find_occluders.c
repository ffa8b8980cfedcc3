// SPDX-License-Identifier: MIT
// find_occluders.c - finds what the nodes of a model hide others with, in their meshes.
//
// Under each face that looks up the surface encloses something. So the search begins below the
// largest ones: between each two heights that matter there, a prism grows. The largest prisms that
// are proved are kept, each if most of it lies outside those before.
#include "find_internal.h"

#include <math.h>

enum {
    MOST_SEEDS = 96,
    MOST_LEVELS = 8, ///< heights between which prisms are tried, from one seed
    LEVEL_PARTS = 6, ///< of a span, where nothing else tells them
};

/// A node takes at most so many looks at triangles, and a model.
static const uint64_t node_work = UINT64_C(1) << 24, model_work = UINT64_C(1) << 28;

/// A prism with less than this share of the surface of its solid's box is left out.
static const double least_share = 0.01;

/// A face that looks up and has less than this share of the largest one's area: nothing is searched
/// below it.
static const double least_face = 0.005;

/// A solid that is thinner, in meters, holds no eye, and no rooms: its double-sided material is
/// what an eye beside it sees.
static const double thin = 1.0;

/// How far the open bottom of an object that stands on the ground may be above the lowest point of
/// the file: a share of its height, and meters.
static const double ground_share = 0.25, ground_height = 1.0;

// ---- prisms of one solid ----

static double occluder_surface(const acre_occluder *o)
{
    double around;
    const double area = acre_find_measure(o, &around);
    return fabs(area) + around * ((double)o->top - (double)o->bottom);
}

static void middle_of(const acre_occluder *o, double *middle)
{
    memset(middle, 0, 3 * sizeof *middle);
    for (uint32_t k = 0; k < o->point_count; k++) {
        middle[0] += (double)o->points[k][0] / (double)o->point_count;
        middle[2] += (double)o->points[k][1] / (double)o->point_count;
    }
    middle[1] = 0.5 * (double)o->bottom + 0.5 * (double)o->top;
}

static bool holds_point(const acre_occluder *o, const double *point)
{
    const double turn = acre_find_measure(o, NULL) < 0.0 ? -1.0 : 1.0;
    bool is_in = point[1] > (double)o->bottom && point[1] < (double)o->top;
    for (uint32_t k = 0; k < o->point_count && is_in; k++) {
        const float *const a = o->points[k], *const b = o->points[(k + 1) % o->point_count];
        is_in = turn * (((double)b[0] - (double)a[0]) * (point[2] - (double)a[1]) -
                        ((double)b[1] - (double)a[1]) * (point[0] - (double)a[0])) >=
                0.0;
    }
    return is_in;
}

/// The float nearest to a height that is not above it, as a top; not below it, as a bottom.
static float height_within(double height, bool is_top)
{
    const float near = (float)height;
    const bool is_beyond = is_top ? (double)near > height : (double)near < height;
    return is_beyond ? nextafterf(near, is_top ? -INFINITY : INFINITY) : near;
}

/// The heights that matter in a span: its ends, corners of triangles, and where these are few and
/// something slopes, quarters. @return how many, in order
static uint32_t choose_levels(const finder *f, float bottom, float top, float *levels)
{
    uint32_t count = 0;
    levels[count++] = bottom;
    float last = bottom;
    for (int part = 1; part < LEVEL_PARTS && (f->has_slopes || f->has_levels); part++) {
        // The corner nearest to this part of the height, if one is near; or the height itself.
        const double share = (double)part / LEVEL_PARTS;
        const float wanted = (float)((double)bottom + share * ((double)top - (double)bottom));
        float nearest = INFINITY;
        for (uint32_t i = 0; i < f->triangle_count; i++) {
            for (int k = 0; k < 3; k++) {
                const float y = f->triangles.data[i].corners[k][1];
                if (y > last && y < top && fabsf(y - wanted) < fabsf(nearest - wanted)) {
                    nearest = y;
                }
            }
        }
        const float reach = (top - bottom) / (2.0f * LEVEL_PARTS);
        if (fabsf(nearest - wanted) > reach && f->has_slopes && wanted > last) {
            nearest = wanted;
        }
        if (nearest > last && nearest < top) {
            levels[count++] = last = nearest;
        }
    }
    // Under a slope there is no room up to the slope itself.
    const float below = (float)(0.4 * (double)last + 0.6 * (double)top);
    if (f->has_slopes && below > last && below < top) {
        levels[count++] = below;
    }
    levels[count++] = top;
    ACRE_INVARIANT(count <= MOST_LEVELS);
    return count;
}

static void add_prism(finder *f, const acre_occluder *occluder)
{
    if (f->prism_count == FIND_PRISMS || !acre_find_prove(f, occluder)) {
        return;
    }
    find_prism *const prism = &f->prisms[f->prism_count++];
    *prism = (find_prism){.occluder = *occluder, .score = occluder_surface(occluder)};
    double middle[3];
    middle_of(occluder, middle); // and a little beside, as edges often cross there
    middle[0] += 0.0917 * ((double)occluder->points[0][0] - middle[0]);
    middle[1] += 0.0713 * ((double)occluder->top - middle[1]);
    middle[2] += 0.0859 * ((double)occluder->points[0][1] - middle[2]);
    prism->thickness = HUGE_VAL;
    for (int axis = 0; axis < 3 && f->is_two_sided; axis++) {
        prism->thickness = fmin(prism->thickness, acre_find_thickness(f, middle, axis));
    }
}

/// Grows prisms in the part of a vertical line that is inside.
static void search_span(finder *f, const double *seed, double low, double high)
{
    const float bottom = height_within(fmax(low, (double)f->rim), false);
    const float top = height_within(high, true);
    float levels[MOST_LEVELS];
    if (!(bottom < top)) {
        return;
    }
    const uint32_t count = choose_levels(f, bottom, top, levels);
    for (uint32_t a = 0; a + 1 < count; a++) {
        for (uint32_t b = count - 1; b > a; b--) {
            acre_occluder grown;
            if (acre_find_grow(f, seed, levels[a], levels[b], &grown)) {
                add_prism(f, &grown);
            }
        }
    }
}

static bool is_in_a_prism(const finder *f, const double *point)
{
    bool is_in = false;
    for (uint32_t i = 0; i < f->prism_count && !is_in; i++) {
        is_in = holds_point(&f->prisms[i].occluder, point);
    }
    return is_in;
}

/// Searches all parts of the vertical line through a point of a face that looks up.
static void search_below(finder *f, const double *face)
{
    find_crossing met[FIND_CROSSINGS];
    const double seed[2] = {face[0], face[2]};
    const double below = face[1] - 1e-3 * ((double)f->box.max[1] - (double)f->box.min[1]);
    if (is_in_a_prism(f, (const double[3]){seed[0], below, seed[1]})) {
        return;
    }
    const uint32_t count = acre_find_crossings(f, seed[0], seed[1], met);
    int winding = 0;
    for (uint32_t i = 0; count != UINT32_MAX && i < count; i++) {
        winding += met[i].turn;
        const double low = i + 1 < count ? met[i + 1].y : (double)f->rim;
        const double middle[3] = {seed[0], 0.5 * (low + met[i].y), seed[1]};
        if (winding > 0 && low < met[i].y && !is_in_a_prism(f, middle)) {
            search_span(f, seed, low, met[i].y);
        }
    }
}

typedef struct find_seed {
    double point[3], area;
} find_seed;

/// Places below the largest faces that look up. @return how many
static uint32_t choose_seeds(const finder *f, find_seed *seeds)
{
    static const double parts[3] = {0.317, 0.352, 0.331}; // beside lines through the middle
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->triangle_count; i++) {
        const find_triangle *const triangle = &f->triangles.data[i];
        const float(*const c)[3] = triangle->corners;
        find_seed seed = {.area = find_area_over(triangle)};
        if (!(seed.area > 0.0) || (count == MOST_SEEDS && seed.area <= seeds[count - 1].area)) {
            continue;
        }
        for (int at = 0; at < 9; at++) {
            seed.point[at % 3] += parts[at / 3] * (double)c[at / 3][at % 3];
        }
        uint32_t at = count < MOST_SEEDS ? count++ : count - 1;
        for (; at > 0 && seeds[at - 1].area < seed.area; at--) {
            seeds[at] = seeds[at - 1];
        }
        seeds[at] = seed;
    }
    return count;
}

/// Whether most of a prism lies outside those that were chosen before it.
static bool is_mostly_new(const find_prism *prism, const acre_occluder *chosen, uint32_t count)
{
    const acre_occluder *const o = &prism->occluder;
    double middle[3];
    middle_of(o, middle);
    uint32_t inside = 0;
    for (uint32_t k = 0; k <= o->point_count; k++) {
        double point[3] = {middle[0], middle[1], middle[2]};
        if (k < o->point_count) {
            point[0] += 0.9 * ((double)o->points[k][0] - middle[0]);
            point[2] += 0.9 * ((double)o->points[k][1] - middle[2]);
        }
        bool is_in = false;
        for (uint32_t i = 0; i < count && !is_in; i++) {
            is_in = holds_point(&chosen[i], point);
        }
        inside += is_in;
    }
    return 2 * inside < o->point_count + 1;
}

/// Puts the best prisms first, each as much new as it can be. @return how many are worth keeping
static uint32_t choose_prisms(finder *f)
{
    acre_occluder chosen[ACRE_IMPORT_MAX_OCCLUDERS];
    uint32_t count = 0;
    double size[3];
    for (int k = 0; k < 3; k++) {
        size[k] = (double)f->box.max[k] - (double)f->box.min[k];
    }
    const double surface = 2.0 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]);
    while (count < ACRE_IMPORT_MAX_OCCLUDERS) {
        uint32_t best = UINT32_MAX;
        for (uint32_t i = count; i < f->prism_count; i++) {
            if (f->prisms[i].score >= least_share * surface &&
                (best == UINT32_MAX || f->prisms[i].score > f->prisms[best].score) &&
                is_mostly_new(&f->prisms[i], chosen, count)) {
                best = i;
            }
        }
        if (best == UINT32_MAX) {
            break;
        }
        const find_prism held = f->prisms[best];
        f->prisms[best] = f->prisms[count];
        f->prisms[count] = held;
        chosen[count++] = held.occluder;
    }
    return count;
}

/// Finds the prisms of a node's meshes.
static acre_import_reason search_solid(finder *f, const acre_import_model *model,
                                       const acre_import_node *node)
{
    f->prism_count = 0;
    const acre_import_reason reason = acre_find_open(f, model, node);
    if (reason != ACRE_IMPORT_FOUND) {
        return reason;
    }
    find_seed seeds[MOST_SEEDS];
    const uint32_t count = choose_seeds(f, seeds);
    const uint64_t end = f->work + node_work;
    for (uint32_t i = 0; i < count && f->work < end && f->work < model_work; i++) {
        if (seeds[i].area >= least_face * seeds[0].area) {
            search_below(f, seeds[i].point);
        }
    }
    f->prism_count = choose_prisms(f);
    return f->prism_count > 0      ? ACRE_IMPORT_FOUND
           : f->work >= model_work ? ACRE_IMPORT_TOO_LARGE
                                   : ACRE_IMPORT_NOTHING_FITS;
}

// ---- nodes ----

/// How a node stands in the file.
typedef struct find_stand {
    double matrix[16]; ///< to the roots' coordinates
    double low;        ///< the lowest point of its bounds
} find_stand;

static void place_node(const acre_import_node *node, find_stand *stands, uint32_t index)
{
    find_stand *const to = &stands[index];
    for (int k = 0; k < 16; k++) {
        to->matrix[k] = (double)node->local[k];
    }
    if (node->parent != ACRE_IMPORT_NO_PARENT) {
        const double *const parent = stands[node->parent].matrix;
        for (int k = 0; k < 16; k++) {
            double sum = 0.0;
            for (int i = 0; i < 4; i++) {
                sum += parent[4 * i + k % 4] * (double)node->local[4 * (k / 4) + i];
            }
            to->matrix[k] = sum;
        }
    }
    to->low = to->matrix[13];
    for (int k = 0; k < 3; k++) {
        const double row = to->matrix[4 * k + 1];
        to->low += row * (double)(row < 0.0 ? node->bounds.max[k] : node->bounds.min[k]);
    }
}

/// The length of a column of a matrix.
static double axis_length(const double *matrix, int axis)
{
    return sqrt(matrix[4 * axis] * matrix[4 * axis] + matrix[4 * axis + 1] * matrix[4 * axis + 1] +
                matrix[4 * axis + 2] * matrix[4 * axis + 2]);
}

/// Whether what was found in a node's meshes is good for the node.
static acre_import_reason judge_stand(const finder *f, const find_stand *stand, double lowest)
{
    const double *const m = stand->matrix;
    const double upright = m[5] / axis_length(m, 1);
    if (!(fabs(upright) > 0.9)) {
        return ACRE_IMPORT_LIES_ON_ITS_SIDE;
    }
    const double height = m[5] * ((double)f->box.max[1] - (double)f->box.min[1]);
    const bool is_grounded = upright > 0.9999 && fabs(m[1]) + fabs(m[9]) <= 1e-4 * m[5] &&
                             stand->low <= lowest + fmin(ground_share * height, ground_height);
    return f->rim == -INFINITY || is_grounded ? ACRE_IMPORT_FOUND : ACRE_IMPORT_OPEN_BELOW;
}

/// Writes the prisms as a node has them: those on opaque ground lose their bottom, and thin ones of
/// a double-sided material are two-sided.
static void write_occluders(const finder *f, const find_stand *stand, uint32_t flags,
                            acre_occluder *out)
{
    const double scale = fmax(axis_length(stand->matrix, 0),
                              fmax(axis_length(stand->matrix, 1), axis_length(stand->matrix, 2)));
    for (uint32_t i = 0; i < f->prism_count; i++) {
        out[i] = f->prisms[i].occluder;
        const bool is_two_sided =
            (flags & ACRE_IMPORT_MESH_TWO_SIDED) != 0 && scale * f->prisms[i].thickness <= thin;
        out[i].flags = is_two_sided ? ACRE_OCCLUDER_TWO_SIDED : 0;
        if ((flags & ACRE_IMPORT_MESH_ON_GROUND) != 0 && f->rim == out[i].bottom) {
            out[i].bottom = -INFINITY;
        }
    }
}

// ---- the model ----

/// The prisms found in a list of meshes. Nodes with the same list share them.
typedef struct find_result {
    acre_import_reason reason;
    uint32_t node; ///< the first that has the meshes
    size_t first;  ///< of its prisms among all
    uint32_t count;
    float rim, share;
    acre_aabb box;
} find_result;

/// The search in a whole model.
typedef struct find_job {
    const acre_import_model *model;
    const acre_import_find_def *def;
    finder *f;
    acre_import_finding *findings; ///< by node
    COLUMN_OF(find_stand) stands;  ///< by node
    COLUMN_OF(find_result) results;
    COLUMN_OF(uint32_t) by_mesh;        ///< by a node's first mesh: a result and one
    COLUMN_OF(find_prism) prisms;       ///< of all results
    COLUMN_OF(acre_occluder) occluders; ///< of all nodes, in order
    COLUMN_OF(uint32_t) counts;         ///< of them, by node
    uint32_t result_count;
    size_t prism_count, occluder_count;
    double lowest; ///< point of all nodes
} find_job;

static bool have_same_meshes(const acre_import_model *model, const acre_import_node *a,
                             const acre_import_node *b)
{
    return a->mesh_count == b->mesh_count &&
           memcmp(model->node_meshes + a->first_mesh, model->node_meshes + b->first_mesh,
                  a->mesh_count * sizeof *model->node_meshes) == 0;
}

static void free_job(find_job *job)
{
    const acre_allocator *const allocator = job->f->allocator;
    COLUMN_FREE(allocator, job->f->triangles);
    COLUMN_FREE(allocator, job->f->welds);
    COLUMN_FREE(allocator, job->f->places);
    COLUMN_FREE(allocator, job->f->edges);
    COLUMN_FREE(allocator, job->f->obstacles);
    COLUMN_FREE(allocator, job->stands);
    COLUMN_FREE(allocator, job->results);
    COLUMN_FREE(allocator, job->by_mesh);
    COLUMN_FREE(allocator, job->prisms);
    COLUMN_FREE(allocator, job->occluders);
    COLUMN_FREE(allocator, job->counts);
    acre_resize(allocator, job->f, sizeof *job->f, 0, _Alignof(finder));
}

static bool open_job(find_job *job)
{
    const acre_import_model *const model = job->model;
    const acre_allocator *const allocator = job->f->allocator;
    if (!COLUMN_RESERVE(allocator, job->stands, model->node_count) ||
        !COLUMN_RESERVE(allocator, job->results, model->node_count) ||
        !COLUMN_RESERVE(allocator, job->counts, model->node_count) ||
        !COLUMN_RESERVE(allocator, job->by_mesh, (size_t)model->mesh_count + 1)) {
        return false;
    }
    job->lowest = HUGE_VAL;
    for (uint32_t i = 0; i < model->node_count; i++) {
        place_node(&model->nodes[i], job->stands.data, i);
        if (model->nodes[i].mesh_count > 0) {
            job->lowest = fmin(job->lowest, job->stands.data[i].low);
        }
    }
    return true;
}

/// The result for a node's meshes, sought where no node before had them. @return NULL: memory is
/// short
static const find_result *result_of(find_job *job, uint32_t number)
{
    const acre_import_model *const model = job->model;
    const acre_import_node *const node = &model->nodes[number];
    uint32_t *const known = COLUMN_AT(job->by_mesh, model->node_meshes[node->first_mesh]);
    if (*known != 0 &&
        have_same_meshes(model, node, &model->nodes[job->results.data[*known - 1].node])) {
        return &job->results.data[*known - 1];
    }
    finder *const f = job->f;
    const acre_import_reason reason = search_solid(f, model, node);
    if (f->is_out_of_memory ||
        !COLUMN_RESERVE(f->allocator, job->prisms, job->prism_count + f->prism_count)) {
        return NULL;
    }
    find_result *const result = COLUMN_AT(job->results, job->result_count++);
    *result = (find_result){.reason = reason,
                            .node = number,
                            .first = job->prism_count,
                            .count = f->prism_count,
                            .rim = f->rim,
                            .box = f->box};
    acre_occluder found[ACRE_IMPORT_MAX_OCCLUDERS];
    for (uint32_t i = 0; i < f->prism_count; i++) {
        found[i] = f->prisms[i].occluder;
        job->prisms.data[job->prism_count++] = f->prisms[i];
    }
    if (job->findings != NULL && reason == ACRE_IMPORT_FOUND) {
        result->share = acre_find_share(f, found, f->prism_count);
    }
    *known = job->result_count;
    return result;
}

static uint32_t flags_of(const acre_import_model *model, const acre_import_node *node)
{
    uint32_t flags = UINT32_MAX;
    for (uint32_t i = 0; i < node->mesh_count; i++) {
        const acre_import_mesh *const mesh =
            &model->meshes[model->node_meshes[node->first_mesh + i]];
        flags &= mesh->triangle_count > 0 ? mesh->flags : UINT32_MAX;
    }
    return flags;
}

/// Appends a node's occluders: its own, or those of its meshes.
static bool search_node(find_job *job, uint32_t number)
{
    const acre_import_node *const node = &job->model->nodes[number];
    acre_import_finding finding = {.reason = ACRE_IMPORT_NO_TRIANGLES};
    uint32_t count = 0;
    if (!COLUMN_RESERVE(job->f->allocator, job->occluders,
                        job->occluder_count + ACRE_IMPORT_MAX_OCCLUDERS)) {
        return false;
    }
    acre_occluder *const out = job->occluders.data + job->occluder_count;
    if (node->occluder_count > 0 && !job->def->replace) {
        count = node->occluder_count;
        memcpy(out, job->model->occluders + node->first_occluder, count * sizeof *out);
        finding.reason = ACRE_IMPORT_HAS_ITS_OWN;
    } else if (node->mesh_count > 0) {
        const find_result *const result = result_of(job, number);
        if (result == NULL) {
            return false;
        }
        finder *const f = job->f;
        f->rim = result->rim;
        f->box = result->box;
        f->prism_count = result->count;
        finding.reason = result->reason == ACRE_IMPORT_FOUND
                             ? judge_stand(f, &job->stands.data[number], job->lowest)
                             : result->reason;
        if (finding.reason == ACRE_IMPORT_FOUND) {
            count = result->count;
            memcpy(f->prisms, job->prisms.data + result->first, count * sizeof *f->prisms);
            write_occluders(f, &job->stands.data[number], flags_of(job->model, node), out);
            finding.share = result->share;
        }
    }
    finding.occluder_count = count;
    *COLUMN_AT(job->counts, number) = count;
    job->occluder_count += count;
    if (job->findings != NULL) {
        job->findings[number] = finding;
    }
    return true;
}

/// The same model with other occluders.
static acre_result copy_model(const find_job *job, acre_import_model **out)
{
    const import_block *const from = (const import_block *)(const void *)job->model;
    const acre_allocator *const allocator = job->f->allocator;
    import_counts counts = from->counts;
    counts.occluders = job->occluder_count;
    import_block *block;
    acre_result result = acre_import_block_allocate(&counts, allocator, &block);
    if (result != ACRE_OK) {
        return result;
    }
    import_raw *const to = &block->raw;
    memcpy(to->nodes, from->raw.nodes, (size_t)counts.nodes * sizeof *to->nodes);
    memcpy(to->meshes, from->raw.meshes, (size_t)counts.meshes * sizeof *to->meshes);
    memcpy(to->node_meshes, from->raw.node_meshes,
           (size_t)counts.node_meshes * sizeof *to->node_meshes);
    memcpy(to->points, from->raw.points, (size_t)counts.points * 3 * sizeof *to->points);
    memcpy(to->triangles, from->raw.triangles,
           (size_t)counts.triangles * 3 * sizeof *to->triangles);
    memcpy(to->lines, from->raw.lines, (size_t)counts.lines * 2 * sizeof *to->lines);
    memcpy(to->names, from->raw.names, (size_t)counts.name_bytes);
    memcpy(to->notes, from->raw.notes, (size_t)counts.note_bytes);
    for (size_t i = 0; i < job->occluder_count; i++) {
        to->occluders[i] = job->occluders.data[i];
    }
    for (uint32_t i = 0; i < job->model->node_count; i++) {
        to->nodes[i].occluder_count = job->counts.data[i];
    }
    result = acre_import_block_finish(block, &(import_job){.path = ""});
    ACRE_INVARIANT(result == ACRE_OK); // all of it was checked before
    *out = &block->model;
    return result;
}

acre_result acre_import_find_occluders(const acre_import_model *model,
                                       const acre_import_find_def *def,
                                       acre_import_finding *findings, acre_import_model **out)
{
    if (out != NULL) {
        *out = NULL;
    }
    if (model == NULL || def == NULL) {
        return ACRE_ERROR_INVALID_ARGUMENT;
    }
    const acre_allocator *const allocator =
        model->allocator.resize != NULL ? &model->allocator : NULL;
    finder *const f = acre_resize(allocator, NULL, 0, sizeof *f, _Alignof(finder));
    if (f == NULL) {
        return ACRE_ERROR_OUT_OF_MEMORY;
    }
    memset(f, 0, sizeof *f);
    f->allocator = allocator;
    find_job job = {.model = model, .def = def, .f = f, .findings = findings};
    bool is_good = open_job(&job);
    for (uint32_t i = 0; i < model->node_count && is_good; i++) {
        is_good = search_node(&job, i);
    }
    acre_result result = is_good ? ACRE_OK : ACRE_ERROR_OUT_OF_MEMORY;
    if (is_good && out != NULL) {
        result = copy_model(&job, out);
    }
    free_job(&job);
    return result;
}
