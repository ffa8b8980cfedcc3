// SPDX-License-Identifier: MIT
// What is the same for everything drawn in a frame; frame_block of renderer.c.
layout(std140) uniform frame_block {
    mat4 u_clip;         // world to clip space
    mat4 u_shadow[4];    // world to a shadow map, 0..1
    vec4 u_eye;          // of the camera that draws; w: seconds
    vec4 u_right;        // its axes; right and up times the tangents of half the lens
    vec4 u_up;
    vec4 u_forward;
    vec4 u_cull_eye;     // of the camera that culls; w: 1 where there are shadows
    vec4 u_cull_forward; // w: 1 where cascades are colored
    vec4 u_splits;       // far depths of the cascades
    vec4 u_texels;       // width of a texel in the world
    vec4 u_sun;          // towards it; w: strength
    vec4 u_haze;         // x: a meter's share, y: falloff by height, z: how much there is at most
    vec4 u_viewport;     // width, height and their reciprocals
};
