// SPDX-License-Identifier: MIT
// draw_list_gather.c - a host's world matrices, by slot, in drawing order.
#include "draw_list_internal.h"

#include "prefetch_internal.h"

#include <string.h>

// How many matrices ahead a row is fetched.
#define WORLDS_AHEAD 8

// Writes a matrix in a form from the other form.
static void turn_matrix(const float *from, acre_matrix_form to, float *out)
{
    for (size_t r = 0; r < 3; r++) {
        for (size_t c = 0; c < 4; c++) {
            const float value = to == ACRE_MATRIX_ROWS ? from[c * 4 + r] : from[r * 4 + c];
            out[to == ACRE_MATRIX_ROWS ? r * 4 + c : c * 4 + r] = value;
        }
    }
    for (size_t c = 0; to == ACRE_MATRIX_COLUMNS && c < 4; c++) {
        out[c * 4 + 3] = c == 3 ? 1.0f : 0.0f;
    }
}

void acre_draw_gather(const acre_matrix_array *worlds, const uint32_t *slots, size_t count,
                      acre_matrix_form form, float *out)
{
    const size_t own = acre_matrix_floats(worlds->form), floats = acre_matrix_floats(form);
    const size_t stride = worlds->stride ? worlds->stride : own * sizeof(float);
    ACRE_INVARIANT(own > 0 && floats > 0);
    for (size_t i = 0; i < count; i++, out += floats) {
        if (WORLDS_AHEAD < count - i) {
            const unsigned char *const ahead =
                (const unsigned char *)worlds->first + slots[i + WORLDS_AHEAD] * stride;
            prefetch_line(ahead);
            prefetch_line(ahead + (own - 1) * sizeof(float));
        }
        const unsigned char *const row = (const unsigned char *)worlds->first + slots[i] * stride;
        if (worlds->form == form) {
            memcpy(out, row, floats * sizeof(float));
            continue;
        }
        float matrix[16];
        memcpy(matrix, row, own * sizeof(float));
        turn_matrix(matrix, form, out);
    }
}
