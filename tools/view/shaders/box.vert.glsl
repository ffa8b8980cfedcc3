// SPDX-License-Identifier: MIT
// A unit cube for each of many boxes; the fragments are those of solids.
layout(location = 0) in vec3 a_position; // 0..1
layout(location = 1) in vec4 a_normal;
layout(location = 4) in vec3 a_min;
layout(location = 5) in vec3 a_max;
layout(location = 6) in vec4 a_box_color;

out vec3 v_world;
out vec3 v_normal;
out vec3 v_color;
out vec2 v_wall;
flat out int v_material;
flat out vec4 v_overlay;

void main()
{
    v_world = mix(a_min, a_max, a_position);
    v_normal = a_normal.xyz;
    v_color = a_box_color.rgb;
    v_wall = vec2(0.0);
    v_material = 0;
    v_overlay = vec4(a_box_color.rgb, 1.0 - a_box_color.a);
    gl_Position = u_clip * vec4(v_world, 1.0);
}
