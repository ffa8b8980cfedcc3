// SPDX-License-Identifier: MIT
// find_occluders.c - finds what the nodes of a model hide others with, in their meshes.
#include "find_internal.h"

#include <math.h>

/// A solid that is thinner, in meters, holds no eye, and no rooms: its double-sided material is
/// what an eye beside it sees.
static const double thin = 1.0;

/// How far the open bottom of an object that stands on the ground may be above the lowest point of
/// the file: a share of its height, and meters.
static const double ground_share = 0.25, ground_height = 1.0;

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

// ---- the model ----

/// The prisms found in a list of meshes. Nodes with the same list share them.
typedef struct find_result {
    acre_import_reason reason;
    uint32_t node; ///< the first that has the meshes
    size_t first;  ///< of its prisms among all
    uint32_t count;
    float share;
    double height;
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
    acre_find_free(job->f);
    COLUMN_FREE(allocator, job->stands);
    COLUMN_FREE(allocator, job->results);
    COLUMN_FREE(allocator, job->by_mesh);
    COLUMN_FREE(allocator, job->prisms);
    COLUMN_FREE(allocator, job->occluders);
    COLUMN_FREE(allocator, job->counts);
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
    const acre_import_reason reason = acre_find_search(f, model, node);
    if (f->is_out_of_memory ||
        !COLUMN_RESERVE(f->allocator, job->prisms, job->prism_count + f->prism_count)) {
        return NULL;
    }
    find_result *const result = COLUMN_AT(job->results, job->result_count++);
    *result = (find_result){.reason = reason,
                            .node = number,
                            .first = job->prism_count,
                            .count = f->prism_count,
                            .height = (double)f->whole.max[1] - (double)f->whole.min[1]};
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

/// Writes what was found in a node's meshes as the node has it: prisms over an open bottom need the
/// ground below, and lose theirs where it is opaque; thin ones of a double-sided material are
/// two-sided. @return how many there are
static uint32_t write_occluders(const find_job *job, uint32_t number, const find_result *result,
                                acre_occluder *out)
{
    const find_stand *const stand = &job->stands.data[number];
    const double *const m = stand->matrix;
    const uint32_t flags = acre_find_flags(job->model, &job->model->nodes[number]);
    const bool is_grounded =
        m[5] > 0.9999 * axis_length(m, 1) && fabs(m[1]) + fabs(m[9]) <= 1e-4 * m[5] &&
        stand->low <= job->lowest + fmin(ground_share * m[5] * result->height, ground_height);
    const double scale = fmax(axis_length(m, 0), fmax(axis_length(m, 1), axis_length(m, 2)));
    uint32_t count = 0;
    for (uint32_t i = 0; i < result->count; i++) {
        const find_prism *const prism = &job->prisms.data[result->first + i];
        acre_occluder *const to = &out[count];
        count += prism->rim == -INFINITY || is_grounded;
        *to = prism->occluder;
        if ((flags & ACRE_IMPORT_MESH_TWO_SIDED) != 0 && scale * prism->thickness <= thin) {
            to->flags = ACRE_OCCLUDER_TWO_SIDED;
        }
        if ((flags & ACRE_IMPORT_MESH_ON_GROUND) != 0 && prism->rim == to->bottom) {
            to->bottom = -INFINITY;
        }
    }
    return count;
}

/// Appends a node's occluders: its own, or those of its meshes.
static bool search_node(find_job *job, uint32_t number)
{
    const acre_import_node *const node = &job->model->nodes[number];
    acre_import_finding finding = {.reason = ACRE_IMPORT_NO_TRIANGLES};
    if (!COLUMN_RESERVE(job->f->allocator, job->occluders,
                        job->occluder_count + ACRE_IMPORT_MAX_OCCLUDERS)) {
        return false;
    }
    acre_occluder *const out = job->occluders.data + job->occluder_count;
    if (node->occluder_count > 0 && !job->def->replace) {
        finding.reason = ACRE_IMPORT_HAS_ITS_OWN;
        finding.occluder_count = node->occluder_count;
        memcpy(out, job->model->occluders + node->first_occluder,
               node->occluder_count * sizeof *out);
    } else if (node->mesh_count > 0) {
        const find_result *const result = result_of(job, number);
        const double *const m = job->stands.data[number].matrix;
        if (result == NULL) {
            return false;
        }
        finding.reason = result->reason;
        if (result->reason == ACRE_IMPORT_FOUND && !(fabs(m[5]) > 0.9 * axis_length(m, 1))) {
            finding.reason = ACRE_IMPORT_LIES_ON_ITS_SIDE;
        } else if (result->reason == ACRE_IMPORT_FOUND) {
            finding.occluder_count = write_occluders(job, number, result, out);
            finding.reason =
                finding.occluder_count > 0 ? ACRE_IMPORT_FOUND : ACRE_IMPORT_OPEN_BELOW;
            finding.share = finding.occluder_count > 0 ? result->share : 0.0f;
        }
    }
    *COLUMN_AT(job->counts, number) = finding.occluder_count;
    job->occluder_count += finding.occluder_count;
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
    // The occluders are the last section.
    memcpy(to->nodes, from->raw.nodes,
           (size_t)((const char *)from->raw.occluders - (const char *)from->raw.nodes));
    if (job->occluder_count > 0) {
        memcpy(to->occluders, job->occluders.data, job->occluder_count * sizeof *to->occluders);
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
