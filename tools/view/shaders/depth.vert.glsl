// SPDX-License-Identifier: MIT
layout(location = 0) in vec3 a_position;

layout(location = 7) in float a_part;  // the number of its mesh

uniform sampler2D u_instances;
uniform int u_first; // instance of the first mesh, less the number of that mesh
uniform mat4 u_light; // world to clip space of a cascade

void main()
{
    int at = 4 * (u_first + int(a_part) + gl_InstanceID);
    ivec2 place = ivec2(at % 1024, at / 1024);
    vec4 point = vec4(a_position, 1.0);
    gl_Position = u_light * vec4(dot(texelFetch(u_instances, place, 0), point),
                                 dot(texelFetch(u_instances, place + ivec2(1, 0), 0), point),
                                 dot(texelFetch(u_instances, place + ivec2(2, 0), 0), point), 1.0);
}
