// SPDX-License-Identifier: MIT
in vec3 v_way;

layout(location = 0) out vec4 o_color;

void main()
{
    vec3 way = normalize(v_way);
    vec3 color = sky(vec3(way.x, max(way.y, 0.015), way.z));
    color += sun_color * 12.0 * smoothstep(0.99975, 0.9999, dot(way, u_sun.xyz));
    o_color = vec4(tone(color), 1.0);
}
