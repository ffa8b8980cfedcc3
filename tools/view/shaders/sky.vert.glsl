// SPDX-License-Identifier: MIT
// A triangle over the whole picture, at the far plane.
out vec3 v_way;

void main()
{
    vec2 at = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    v_way = u_forward.xyz + at.x * u_right.xyz + at.y * u_up.xyz;
    gl_Position = vec4(at, 1.0, 1.0);
}
