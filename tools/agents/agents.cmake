# SPDX-License-Identifier: MIT
# agents.cmake - `acre agents`; included where the program is built.
set(acre_agents ${CMAKE_CURRENT_SOURCE_DIR}/agents)
add_library(acre_agents_parts STATIC
    ${acre_agents}/agents.c ${acre_agents}/agents_options.c ${acre_agents}/agents_world.c
    ${acre_agents}/agents_check.c ${acre_agents}/agents_run.c ${acre_agents}/agents_report.c
    ${acre_agents}/agents_files.c ${acre_agents}/agents_draw.c ${acre_agents}/png_writer.c)
target_include_directories(acre_agents_parts PUBLIC ${acre_agents})
target_link_libraries(acre_agents_parts PRIVATE acre_flags
    PUBLIC acre_run_parts acre_quadtree PNG::PNG m)
