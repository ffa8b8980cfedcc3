// SPDX-License-Identifier: MIT
// shader_texts.h - the files of tools/view/shaders as strings, without their first lines
// (#version ..), which gl_program_create writes.
#ifndef ACRE_TOOLS_SHADER_TEXTS_H
#define ACRE_TOOLS_SHADER_TEXTS_H

extern const char shader_frame[]; // the uniform block of a frame, for every shader
extern const char shader_light[]; // sky, sun, haze and tone, for fragments
extern const char shader_solid_vert[], shader_solid_frag[];
extern const char shader_depth_vert[], shader_depth_frag[];
extern const char shader_sky_vert[], shader_sky_frag[];
extern const char shader_box_vert[], shader_point_vert[], shader_face_vert[];
extern const char shader_line_vert[], shader_line_frag[];
extern const char shader_flat_vert[], shader_flat_frag[];

#endif
