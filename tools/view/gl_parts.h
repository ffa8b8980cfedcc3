// SPDX-License-Identifier: MIT
// gl_parts.h - small parts that every drawing file uses: programs and targets.
#ifndef ACRE_TOOLS_GL_PARTS_H
#define ACRE_TOOLS_GL_PARTS_H

#include "gl_api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GL_FRAME_BINDING 0 // of the uniform block `frame`

// Texture units, the same in every program that has the sampler.
enum { GL_UNIT_INSTANCES, GL_UNIT_SHADOWS, GL_UNIT_LETTERS };

// Compiles and links. `light` tells whether the fragments need shader_light. Returns 0 and a
// message with the driver's words on failure.
GLuint gl_program_create(const char *vertex, const char *fragment, bool light, char *message,
                         size_t message_size);

// A picture to draw into: samples a pixel where it has more than one are resolved by
// gl_target_resolve. Depth is readable after that.
typedef struct gl_target {
    uint32_t width, height, samples;
    GLuint drawn, resolved; // framebuffers; the same where there is one sample
    GLuint buffers[4];      // renderbuffers: color and depth of each
} gl_target;

// @return false where the driver refuses the size.
bool gl_target_create(gl_target *out, uint32_t width, uint32_t height, uint32_t samples);
void gl_target_free(gl_target *target);
void gl_target_resolve(const gl_target *target);

// Whether a processor draws, no graphics card. Browsers do not say so here.
bool gl_is_software(void);

// The name of the first error since the last call; NULL: none.
const char *gl_take_error(void);

#endif
