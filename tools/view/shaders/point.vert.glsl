// SPDX-License-Identifier: MIT
// A box so far away that it is a point; the fragments are those of solids.
layout(location = 0) in vec3 a_at;
layout(location = 1) in float a_size; // meters
layout(location = 2) in vec4 a_color;

out vec3 v_world;
out vec3 v_normal;
out vec3 v_color;
out vec2 v_wall;
flat out int v_material;
flat out vec4 v_overlay;

void main()
{
    v_world = a_at;
    v_normal = normalize(vec3(0.0, 0.7, 0.0) + normalize(u_eye.xyz - a_at));
    v_color = a_color.rgb;
    v_wall = vec2(0.0);
    v_material = 0;
    v_overlay = vec4(0.0);
    gl_Position = u_clip * vec4(a_at, 1.0);
    float pixels = 0.5 * a_size * u_viewport.y / (length(u_up.xyz) * max(gl_Position.w, 0.1));
    gl_PointSize = clamp(pixels, 1.0, 16.0);
}
