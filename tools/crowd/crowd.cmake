# SPDX-License-Identifier: MIT
# crowd.cmake - `acre crowd`; included where the program is built.
add_library(acre_crowd_parts STATIC ${CMAKE_CURRENT_SOURCE_DIR}/crowd/crowd.c
    ${CMAKE_CURRENT_SOURCE_DIR}/crowd/crowd_part.c)
target_include_directories(acre_crowd_parts PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/crowd)
target_link_libraries(acre_crowd_parts PRIVATE acre_flags PUBLIC acre_run_parts acre_partition
    acre_workers)
