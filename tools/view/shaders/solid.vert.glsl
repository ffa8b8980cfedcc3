// SPDX-License-Identifier: MIT
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec4 a_normal; // w: the material's number / 127
layout(location = 2) in vec4 a_color;
layout(location = 3) in vec2 a_wall;   // along a wall and down from its top, in windows
layout(location = 7) in float a_part;  // the number of its mesh

uniform sampler2D u_instances;
uniform int u_first; // instance of the first mesh, less the number of that mesh
uniform float u_lift; // meters above the ground, of what lies on it

out vec3 v_world;
out vec3 v_normal;
out vec3 v_color;
out vec2 v_wall;
flat out int v_material;
flat out vec4 v_overlay;

void main()
{
    int at = 4 * (u_first + int(a_part) + gl_InstanceID);
    ivec2 place = ivec2(at % 1024, at / 1024);
    vec4 row0 = texelFetch(u_instances, place, 0);
    vec4 row1 = texelFetch(u_instances, place + ivec2(1, 0), 0);
    vec4 row2 = texelFetch(u_instances, place + ivec2(2, 0), 0);
    vec4 look = texelFetch(u_instances, place + ivec2(3, 0), 0);
    vec4 point = vec4(a_position, 1.0);
    v_world = vec3(dot(row0, point), dot(row1, point) + u_lift, dot(row2, point));
    v_normal = vec3(dot(row0.xyz, a_normal.xyz), dot(row1.xyz, a_normal.xyz),
                    dot(row2.xyz, a_normal.xyz));
    v_material = int(a_normal.w * 127.0 + 0.5);
    v_color = a_color.rgb;
    if (v_material == 3) { // a car's paint, by its number
        int pick = int(mod(look.z * 7.0, 11.0));
        v_color = pick < 3 ? vec3(0.86, 0.87, 0.88) : pick < 5 ? vec3(0.16, 0.17, 0.19)
                : pick < 7 ? vec3(0.52, 0.55, 0.58) : pick == 7 ? vec3(0.70, 0.13, 0.11)
                : pick == 8 ? vec3(0.13, 0.29, 0.55) : pick == 9 ? vec3(0.93, 0.66, 0.16)
                : vec3(0.24, 0.40, 0.32);
    }
    v_wall = a_wall;
    v_overlay = vec4(floor(look.x / 65536.0), mod(floor(look.x / 256.0), 256.0),
                     mod(look.x, 256.0), 255.0 * look.y) / 255.0;
    gl_Position = u_clip * vec4(v_world, 1.0);
}
